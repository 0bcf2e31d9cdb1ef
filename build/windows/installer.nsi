; Installs Deskhand for the user who runs this, without administrator rights.
; makensis -DVERSION=… -DSTAGE=folder with the programs -DOUT=installer.exe
Unicode true
!include MUI2.nsh

Name "Deskhand"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Deskhand"
InstallDirRegKey HKCU "Software\Deskhand" "Folder"
RequestExecutionLevel user
SetCompressor /SOLID lzma

VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Deskhand"
VIAddVersionKey "FileDescription" "Deskhand installer"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "The Deskhand authors, MIT licence"

!define MUI_ICON "${STAGE}\deskhand.ico"
!insertmacro MUI_PAGE_LICENSE "${STAGE}\LICENSE.txt"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN "$INSTDIR\deskhand.exe"
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Deskhand"

Section
  SetOutPath "$INSTDIR"
  File "${STAGE}\deskhand.exe" "${STAGE}\deskhand-cli.exe" "${STAGE}\deskhand-host.exe"
  File "${STAGE}\deskhand.ico" "${STAGE}\LICENSE.txt"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Deskhand.lnk" "$INSTDIR\deskhand.exe" "" "$INSTDIR\deskhand.ico"
  WriteRegStr HKCU "Software\Deskhand" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Deskhand"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\deskhand.ico"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Deskhand authors"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
SectionEnd

; The shop stays: its folder is none of ours to delete.
Section Uninstall
  Delete "$INSTDIR\deskhand.exe"
  Delete "$INSTDIR\deskhand-cli.exe"
  Delete "$INSTDIR\deskhand-host.exe"
  Delete "$INSTDIR\deskhand.ico"
  Delete "$INSTDIR\LICENSE.txt"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Deskhand.lnk"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "Software\Deskhand"
SectionEnd
