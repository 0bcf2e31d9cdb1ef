//go:build unix

package shop_test

import (
	"syscall"
	"time"
)

// worked is the processor time of this program so far.
func worked() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
