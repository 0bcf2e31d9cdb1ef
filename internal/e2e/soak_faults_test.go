//go:build soak && linux && amd64

package e2e

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deskhand/deskhand/internal/faulttest"
)

var everyWrite = flag.Int("writes", 1, "let every nth write meet a fault; of other calls it is each")

// TestEverySystemCallOfTheProgramMayFailOnce plays one scenario on two `deskhand bus` on one shop, by turns, and
// gives the first an I/O error, a full disk or a kill at each single call that changes files, from its start to its
// end. After each fault the shop is opened again and examined, and every line is sent again. The second program must
// not notice.
func TestEverySystemCallOfTheProgramMayFailOnce(t *testing.T) {
	shop := filepath.Join(t.TempDir(), "shop")
	s := scenario{shop: shop, seats: twoSeats(t, shop)}
	s.ledger = begin(t, shop)
	if report := s.play(t, faulttest.Fault{}); report.Met || report.Err != nil {
		t.Fatalf("without a fault: %+v", report)
	}
	for _, kind := range faulttest.Kinds {
		for _, end := range faulttest.Ends {
			t.Run(kind.Name+" meets "+end.Name, func(t *testing.T) {
				t.Parallel()
				s := s
				s.heard, s.found = new(atomic.Int64), &damage{}
				every := 1
				if kind.Name == "write" {
					every = *everyWrite
				}
				met := faulttest.Sweep(kind.Calls, end.Err, every, func(f faulttest.Fault) faulttest.Report { return s.play(t, f) })
				if met == 0 {
					t.Error("the program makes no such call")
				}
				t.Logf("%s meets %s: %d faults, %d answers before and after them, %v, the chain verified every time",
					kind.Name, end.Name, met, s.heard.Load(), s.found)
			})
		}
	}
}

// scenario is the start of every run.
type scenario struct {
	shop   string // copied for each run
	seats  [2]*seat
	ledger *ledger
	heard  *atomic.Int64
	found  *damage
}

// tooLong limits the wait for a program that does not answer. No result depends on it.
const tooLong = time.Minute

// play runs the scenario once on a copy of the shop.
func (s *scenario) play(t *testing.T, f faulttest.Fault) faulttest.Report {
	t.Helper()
	folder, err := os.MkdirTemp(t.TempDir(), "")
	if err == nil {
		err = os.CopyFS(folder, os.DirFS(s.shop))
	}
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	first, second := *s.seats[0], *s.seats[1]
	first.said, second.said = first.order("first"), second.order("second")

	other := exec.Command("deskhand-post", folder, second.person)
	b := pipes(t, other)
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	b.say(t, second.said[0]) // it has the shop open, and the first finds it so
	cmd := exec.Command("deskhand-post", folder, first.person)
	a := pipes(t, cmd)
	program, err := faulttest.Start(cmd, f)
	if err != nil {
		t.Fatal(err)
	}
	stuck := time.AfterFunc(tooLong, func() {
		t.Errorf("after %+v a program does not answer", f)
		program.Kill()
		_ = other.Process.Kill()
	})
	defer stuck.Stop()
	for i, line := range first.said {
		a.say(t, line)
		switch {
		case i+2 < len(second.said):
			b.say(t, second.said[i+1])
		case i+2 == len(second.said): // what the first does last it does alone
			b.say(t, second.said[i+1])
			b.end(t)
			if err := other.Wait(); err != nil {
				t.Errorf("the other program: %v", err)
			}
		}
	}
	a.end(t)
	report := program.Wait()
	for _, line := range second.said {
		if line.answer == nil || !line.asWanted() {
			t.Errorf("%s at the other program: %+v", line, line.answer)
		}
	}
	found := examine(t, folder, s.ledger.copy(), []*seat{&first, &second})
	s.note(&first, found)
	if !found.none() || t.Failed() {
		t.Fatalf("%+v with %+v: %v", f, report, found)
	}
	return report
}

func (s *scenario) note(first *seat, found *damage) {
	if s.found == nil {
		return
	}
	s.found.add(found)
	for _, line := range first.said {
		if line.answer != nil {
			s.heard.Add(1)
		}
	}
}

// talk is a conversation with a program, a line and an answer at a time.
type talk struct {
	in  io.WriteCloser
	out *bufio.Scanner
}

func pipes(t *testing.T, cmd *exec.Cmd) *talk {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	return &talk{in, lines}
}

// say sends a line and waits for its answer; a program that ended gives none.
func (k *talk) say(t *testing.T, line *saying) {
	if _, err := k.in.Write(line.wire(t)); err == nil && k.out.Scan() {
		line.heard(k.out.Bytes())
	}
}

// end closes the input and reads the remaining answers.
func (k *talk) end(t *testing.T) {
	_ = k.in.Close() // the program may have ended
	for k.out.Scan() {
		t.Errorf("nobody asked for %s", fmt.Sprintf("%.200s", k.out.Bytes()))
	}
}

// copy starts another run from the same shop.
func (l *ledger) copy() *ledger {
	return &ledger{keys: l.keys, rows: maps.Clone(l.rows), seq: l.seq, records: maps.Clone(l.records),
		runs: maps.Clone(l.runs)}
}
