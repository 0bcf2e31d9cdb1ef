//go:build !linux

package audit

func watchFile(string) *fileWatch { return polled(pollEvery) }
