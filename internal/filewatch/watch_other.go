//go:build !linux

package filewatch

// Start polls.
func Start(string) *Watch { return Poll(pollEvery) }
