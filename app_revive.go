//go:build (desktop || dev || bindings) && !(linux && desktop)

package main

// revivePage has nothing to do where the web view itself says that its page ended, as
// on Windows, and in a development build, which is looked at in a browser.
func revivePage() {}
