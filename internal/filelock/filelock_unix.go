//go:build unix

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// TryExclusive takes an exclusive lock on f without waiting; false when another program holds a lock on it.
func TryExclusive(f *os.File) (bool, error) { return flock(f, syscall.LOCK_EX) }

// TryShared takes a shared lock on f without waiting; false when another program holds the exclusive one.
func TryShared(f *os.File) (bool, error) { return flock(f, syscall.LOCK_SH) }

func flock(f *os.File, how int) (bool, error) {
	err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// Unlock releases a lock.
func Unlock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
