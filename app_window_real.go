//go:build (desktop || dev) && !bindings

package main

const generating = false
