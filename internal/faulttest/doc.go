// Package faulttest runs a program and lets one of its system calls meet a
// fault: an I/O error, a full disk, or the program's death just before the call.
//
//	program, err := faulttest.Start(exec.Command("deskhand", "bus"), faulttest.Fault{Calls: faulttest.Syncs, Nth: 3,
//
// Err: syscall.EIO})
//
//	…
//	report := program.Wait()
//
// Calls are counted over all threads of the program. That is why this is not
// strace -e inject: strace counts each thread's calls by themselves, and the
// goroutine that writes moves between threads, so that a sweep over when=1, 2, …
// leaves calls out and meets others two at a time.
//
// It traces with ptrace and exists for Linux on amd64 only. A Program belongs to
// the goroutine that started it.
//
// A killed program keeps what it wrote; a power cut does not. For that,
// [ReadTrace] reads the calls of a run that strace recorded, and a [Disk] takes
// them one by one: it knows which bytes and names of files are synced, and
// [Disk.Cut] returns a folder as it may lie on the disk if the power is cut then.
package faulttest
