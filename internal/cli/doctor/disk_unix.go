//go:build !windows

package doctor

import "golang.org/x/sys/unix"

// freeBytes returns the free space for an ordinary user.
func freeBytes(folder string) (uint64, error) {
	var s unix.Statfs_t
	err := unix.Statfs(folder, &s)
	return s.Bavail * uint64(s.Bsize), err
}
