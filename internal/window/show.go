//go:build desktop || dev

package window

import (
	"os/exec"
	"path/filepath"
	goruntime "runtime"
)

// showFile makes the system open a file, or show it in its folder. It does not wait for the program.
func showFile(path string, inFolder bool) error {
	cmd := exec.Command("xdg-open", path)
	switch {
	case goruntime.GOOS == "darwin" && inFolder:
		cmd = exec.Command("open", "-R", path)
	case goruntime.GOOS == "darwin":
		cmd = exec.Command("open", path)
	case goruntime.GOOS == "windows" && inFolder:
		cmd = exec.Command("explorer", "/select,"+path)
	case goruntime.GOOS == "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", path)
	case inFolder:
		cmd = exec.Command("xdg-open", filepath.Dir(path))
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // prevents a zombie process
	return nil
}
