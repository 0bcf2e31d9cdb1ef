//go:build !windows

package main

import "golang.org/x/sys/unix"

// freeBytes is how much a person who is not the system's may still write there.
func freeBytes(folder string) (uint64, error) {
	var s unix.Statfs_t
	err := unix.Statfs(folder, &s)
	return s.Bavail * uint64(s.Bsize), err
}
