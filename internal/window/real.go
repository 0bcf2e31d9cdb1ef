//go:build (desktop || dev) && !bindings

package window

const generating = false
