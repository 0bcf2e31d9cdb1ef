//go:build (desktop || dev) && !(linux && desktop)

package window

// reloadEndedPage does nothing if the web view reloads by itself, as on Windows, and in a development build, whose page
// is in a browser.
func reloadEndedPage() {}
