//go:build linux && amd64

package faulttest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// Calls is a kind of system call, by the numbers of those it is made of.
type Calls []uint64

// The kinds of call that change files. Writes leave out what goes to no file,
// pipe or terminal, such as the Go runtime's own eventfd.
var (
	Writes    = Calls{syscall.SYS_WRITE, syscall.SYS_PWRITE64, syscall.SYS_WRITEV, syscall.SYS_PWRITEV}
	Syncs     = Calls{syscall.SYS_FSYNC, syscall.SYS_FDATASYNC, syscall.SYS_SYNC_FILE_RANGE}
	Truncates = Calls{syscall.SYS_FTRUNCATE, syscall.SYS_TRUNCATE, syscall.SYS_FALLOCATE}
	Renames   = Calls{syscall.SYS_RENAME, syscall.SYS_RENAMEAT, sysRenameat2, syscall.SYS_UNLINK, syscall.SYS_UNLINKAT}
)

const sysRenameat2 = 316 // not in package syscall

// Fault says which call meets what.
type Fault struct {
	Calls Calls
	Nth   int           // of them, from 1; 0 is none
	Err   syscall.Errno // what the call fails with, undone; 0: the program is killed before it
}

// Report is how a program ended.
type Report struct {
	Met   bool   // it came to the fault
	Where string // the file of the call that did, where it has one
	Calls int    // how many of the calls it made, the failed one included
	Err   error  // nil when it ended with success
}

// Program is a program that runs under a fault.
type Program struct {
	cmd    *exec.Cmd
	fault  Fault
	leader int
	inside map[int]bool // threads between the entry and the exit of a call
	failed map[int]bool // threads whose call is made to fail
	report Report
	done   chan error
}

// Start starts cmd under a fault. Its pipes work as ever; Wait takes the place
// of the command's own.
func Start(cmd *exec.Cmd, f Fault) (*Program, error) {
	p := &Program{cmd: cmd, fault: f, inside: map[int]bool{}, failed: map[int]bool{}, done: make(chan error, 1)}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // a tracer is a thread; it ends with this goroutine
		// A process group of its own tells the program's threads from other children.
		cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true, Setpgid: true}
		err := cmd.Start()
		started <- err
		if err == nil {
			p.leader = cmd.Process.Pid
			p.done <- p.trace()
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// Kill ends the program from outside.
func (p *Program) Kill() { _ = syscall.Kill(p.cmd.Process.Pid, syscall.SIGKILL) }

// Wait returns when the program has ended. Read its pipes to their end before.
func (p *Program) Wait() Report {
	err := <-p.done
	// The tracer has taken the exit status; what remains is to close the pipes.
	if left := p.cmd.Wait(); left != nil && !errors.Is(left, syscall.ECHILD) {
		err = errors.Join(err, left)
	}
	p.report.Err = err
	return p.report
}

const (
	sysGood   = 0x1      // PTRACE_O_TRACESYSGOOD
	fromClone = 0x8      // PTRACE_O_TRACECLONE
	exitKill  = 0x100000 // PTRACE_O_EXITKILL
	sysStop   = syscall.SIGTRAP | 0x80
)

// trace runs the program from call to call until all its threads have ended.
func (p *Program) trace() error {
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(p.leader, &status, syscall.WALL, nil); err != nil || !status.Stopped() {
		return fmt.Errorf("the program did not stop at its start: %v %v", status, err)
	}
	if err := syscall.PtraceSetOptions(p.leader, sysGood|fromClone|exitKill); err != nil {
		return err
	}
	p.inside[p.leader] = false
	resume(p.leader, 0)
	ended := errors.New("the program was never seen to end")
	for {
		thread, err := syscall.Wait4(-p.leader, &status, syscall.WALL, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.ECHILD):
			return ended
		case err != nil:
			return err
		case status.Stopped():
			p.stopped(thread, status)
		case thread == p.leader:
			ended = outcome(status)
		}
	}
}

func outcome(status syscall.WaitStatus) error {
	switch {
	case status.Signaled():
		return fmt.Errorf("killed by %v", status.Signal())
	case status.ExitStatus() != 0:
		return fmt.Errorf("exit status %d", status.ExitStatus())
	}
	return nil
}

// resume lets a thread run to its next call; one that was killed meanwhile does not.
func resume(thread int, signal syscall.Signal) { _ = syscall.PtraceSyscall(thread, int(signal)) }

func (p *Program) stopped(thread int, status syscall.WaitStatus) {
	_, known := p.inside[thread]
	signal := status.StopSignal()
	switch {
	case signal == sysStop:
		p.atCall(thread)
		signal = 0
	case !known: // the stop in which a thread begins
		p.inside[thread] = false
		signal = 0
	case signal == syscall.SIGTRAP: // a thread was made
		signal = 0
	}
	resume(thread, signal)
}

// atCall is at the entry or the exit of a call. One that shall fail becomes a
// call that does not exist, and its result is set at the exit.
func (p *Program) atCall(thread int) {
	p.inside[thread] = !p.inside[thread]
	var regs syscall.PtraceRegs
	switch {
	case p.inside[thread]:
		if syscall.PtraceGetRegs(thread, &regs) != nil || !p.counts(thread, &regs) {
			return
		}
		p.report.Calls++
		if p.report.Calls != p.fault.Nth {
			return
		}
		p.report.Met, p.report.Where = true, file(thread, &regs)
		if p.fault.Err == 0 {
			p.Kill()
			return
		}
		regs.Orig_rax = ^uint64(0)
		p.failed[thread] = syscall.PtraceSetRegs(thread, &regs) == nil
	case p.failed[thread]:
		delete(p.failed, thread)
		if syscall.PtraceGetRegs(thread, &regs) == nil {
			regs.Rax = uint64(-int64(p.fault.Err))
			_ = syscall.PtraceSetRegs(thread, &regs)
		}
	}
}

func (p *Program) counts(thread int, regs *syscall.PtraceRegs) bool {
	for _, call := range p.fault.Calls {
		if regs.Orig_rax == call {
			return !strings.HasPrefix(file(thread, regs), "anon_inode:")
		}
	}
	return false
}

// file is the base name of the file that a call's first argument describes, ""
// for a call by name.
func file(thread int, regs *syscall.PtraceRegs) string {
	name, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", thread, int32(regs.Rdi)))
	if err != nil {
		return ""
	}
	return filepath.Base(name)
}
