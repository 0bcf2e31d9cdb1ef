//go:build linux && amd64

package faulttest

import "syscall"

// Kinds are the kinds of call by name, and Ends what each may meet.
var (
	Kinds = []struct {
		Name  string
		Calls Calls
	}{{"write", Writes}, {"fsync", Syncs}, {"truncate", Truncates}, {"rename or unlink", Renames}}
	Ends = []struct {
		Name string
		Err  syscall.Errno
	}{{"I/O error", syscall.EIO}, {"full disk", syscall.ENOSPC}, {"SIGKILL", 0}}
)

// Sweep runs a program again and again so that each of its calls of a kind meets
// a fault once, or every so many of them one, and returns how many did. How many calls a program makes may
// differ a little between runs: it stops when three runs in a row did not get as
// far as the fault.
func Sweep(calls Calls, err syscall.Errno, every int, run func(Fault) Report) (met int) {
	for nth, quiet := 1, 0; quiet < 3; nth += every {
		if run(Fault{Calls: calls, Nth: nth, Err: err}).Met {
			met, quiet = met+1, 0
		} else {
			quiet++
		}
	}
	return met
}
