//go:build !linux

package openai

// foreign returns false: this system does not show the accounts of listeners.
func foreign(string) bool { return false }
