//go:build bindings

package main

// generating says that this run only writes the bindings of App and exits.
const generating = true
