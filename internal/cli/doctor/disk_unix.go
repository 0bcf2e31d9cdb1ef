//go:build !windows

package doctor

import "golang.org/x/sys/unix"

// freeBytes returns how much an ordinary user can still write there.
func freeBytes(folder string) (uint64, error) {
	var s unix.Statfs_t
	err := unix.Statfs(folder, &s)
	return s.Bavail * uint64(s.Bsize), err
}
