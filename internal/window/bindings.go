//go:build bindings

package window

// generating is true in a run that only writes the bindings of App.
const generating = true
