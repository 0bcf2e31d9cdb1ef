package e2e

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/internal/desk"
)

// TestKillLosesNothing runs two `deskhand bus` on one shop under a mixed load and kills one or both at a random
// point, again and again. Each time the chain must be whole, the rows must follow from the records, every answered
// effect must be there, and a used key must give the same result. (A killed process cannot show that a power cut
// loses nothing: that rests on the log's synchronous commits.)
func TestKillLosesNothing(t *testing.T) {
	folder := t.TempDir()
	seats := twoSeats(t, folder)
	l := begin(t, folder)
	random := rand.New(rand.NewPCG(1, 2))
	total := &damage{}
	answers, examined := 0, 0
	for round := range *kills {
		var done sync.WaitGroup
		for i, s := range seats {
			said := s.round(fmt.Sprintf("%s-%d", s.person, round))
			after := random.IntN(len(said) + 1)
			if i == 1 && random.IntN(3) == 0 {
				after = len(said) // the second may finish
			}
			moment := time.Duration(random.IntN(3000)) * time.Microsecond
			done.Go(func() { talkAndKill(t, folder, s.person, said, after, moment) })
			s.said = append(s.said, said...)
		}
		done.Wait()
		if round%5 != 4 && round != *kills-1 {
			continue // to look takes as long as several rounds
		}
		if total.add(examine(t, folder, l, seats[:])); !total.none() {
			t.Fatalf("round %d: %v", round, total)
		}
		examined++
		for _, s := range seats {
			for _, said := range s.said {
				if said.answer != nil {
					answers++
				}
			}
			s.said = nil
		}
	}
	if answers < 5**kills {
		t.Errorf("only %d answers: the test kills too early to mean anything", answers)
	}
	t.Logf("%d kills of one or both of two programs, %d answers, %d runs of keys, looked %d times: %v, the chain "+
		"verified every time",
		*kills, answers, len(l.runs), examined, total)
}

const ordersPerRound = 3

func (s *seat) round(name string) (said []*saying) {
	for i := range ordersPerRound {
		said = append(said, s.order(fmt.Sprintf("%s-%d", name, i))...)
	}
	return said
}

// begin returns the ledger of a new shop.
func begin(t testing.TB, folder string) *ledger {
	t.Helper()
	d, err := desk.Open(t.Context(), desk.Options{Folder: folder, Door: "test"})
	if err != nil {
		t.Fatal(err)
	}
	l := newLedger(t, d)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	return l
}

// talkAndKill runs one program, sends every line at once, reads so many answers, and kills it a moment later.
func talkAndKill(t testing.TB, folder, person string, said []*saying, answers int, moment time.Duration) {
	cmd := exec.Command("deskhand-post", folder, person)
	var all bytes.Buffer
	for _, line := range said {
		all.Write(line.wire(t))
	}
	cmd.Stdin = &all
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Error(err)
		return
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	heard := 0
	hear := func() bool {
		if !lines.Scan() || !said[heard].heard(lines.Bytes()) {
			return false
		}
		if !said[heard].asWanted() {
			t.Errorf("%s was answered %s", said[heard], lines.Bytes())
		}
		heard++
		return heard < len(said)
	}
	for heard < answers && hear() {
	}
	time.Sleep(moment)
	_ = cmd.Process.Kill()            // it may have ended by itself
	for heard < len(said) && hear() { // answers that were already on their way count too
	}
	_ = cmd.Wait() // it was killed
}
