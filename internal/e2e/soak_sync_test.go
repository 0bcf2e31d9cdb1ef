//go:build soak && linux

package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryAnswerFollowsTheSyncOfItsWrites reads what the kernel was asked for:
// before each answer the program wrote to the database's log file, and after the
// last such write, before the answer's own, a sync of that file came to its end.
// It needs strace.
func TestEveryAnswerFollowsTheSyncOfItsWrites(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Fatal("there is no strace here, so no system call can be seen: install it")
	}
	folder := filepath.Join(t.TempDir(), "shop")
	s := twoSeats(t, folder)[0]
	var lines bytes.Buffer
	for _, line := range append(s.order("one"), s.order("two")...) {
		if !line.look { // which may be stored later than it is answered
			lines.Write(line.wire(t))
			s.said = append(s.said, line)
		}
	}
	program, err := exec.LookPath("deskhand-post")
	if err != nil {
		t.Fatal(err)
	}
	trace := filepath.Join(t.TempDir(), "trace")
	cmd := exec.Command(strace, "-f", "-y", "-s", "16", "-e", "signal=none", "-e", "trace=write,pwrite64,fsync,fdatasync",
		"-o", trace,
		program, folder, s.person)
	cmd.Stdin = &lines
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	for i, line := range s.said {
		if i >= len(answers) || !line.heard(answers[i]) || !line.asWanted() {
			t.Fatalf("%s: %s", line, answers)
		}
	}
	calls, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	order := syncedAnswers(string(calls))
	if len(order) != len(s.said) {
		t.Fatalf("%d answers in the trace, %d lines", len(order), len(s.said))
	}
	for i, synced := range order {
		if !synced {
			t.Errorf("%s was answered before its writes were synced", s.said[i])
		}
	}
	if t.Failed() {
		return
	}
	t.Logf("%d answers, each after the sync of what was written for it", len(order))
}

// tracedCall is one call, its beginning or its end: thread, whether it is the
// end of an earlier one, name, file, result.
var tracedCall = regexp.MustCompile(`^(\d+) +(?:(<\.\.\. )(\w+) resumed|(\w+)\(\d+<([^>]*)>)(?:.*\) += (-?\d+))?`)

// syncedAnswers says of each write to standard output, which in this trace is a
// pipe, whether the log file was written since the one before and synced since.
func syncedAnswers(trace string) (answers []bool) {
	wrote, dirty := false, false
	syncing := map[string]bool{} // threads inside a sync of the log file
	for line := range strings.Lines(trace) {
		m := tracedCall.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		thread, resumed, name, file, result := m[1], m[2] != "", m[3]+m[4], m[5], m[6]
		isLog := strings.HasSuffix(file, "-wal")
		switch {
		case name == "pwrite64" && isLog:
			wrote, dirty = true, true
		case strings.HasSuffix(name, "sync") && (isLog || resumed && syncing[thread]):
			syncing[thread] = result == ""
			dirty = dirty && result != "0"
		case name == "write" && strings.HasPrefix(file, "pipe:") && strings.Contains(line, `{\"status\"`):
			answers = append(answers, wrote && !dirty)
			wrote = false
		}
	}
	return answers
}
