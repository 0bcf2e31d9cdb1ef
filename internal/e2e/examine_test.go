package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/shop/staff"
	"github.com/google/go-cmp/cmp"
)

// damage lists what is wrong in a shop after programs died or met faults.
type damage struct {
	lost       []string // answered, and not there
	unrecorded []string // effects without a record
	hollow     []string // success records without their effect
	twice      []string // keys that ran twice
	other      []string // anything else that is not as it must be
}

func (d *damage) none() bool {
	return len(d.lost)+len(d.unrecorded)+len(d.hollow)+len(d.twice)+len(d.other) == 0
}

func (d *damage) add(more *damage) {
	d.lost, d.unrecorded, d.hollow = append(d.lost, more.lost...), append(d.unrecorded, more.unrecorded...),
		append(d.hollow, more.hollow...)
	d.twice, d.other = append(d.twice, more.twice...), append(d.other, more.other...)
}

func (d *damage) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d acknowledged effects lost, %d effects without a record, %d success records without effect, %d "+
		"keys run twice",
		len(d.lost), len(d.unrecorded), len(d.hollow), len(d.twice))
	for _, list := range [][]string{d.lost, d.unrecorded, d.hollow, d.twice, d.other} {
		for _, line := range list {
			b.WriteString("\n  " + line)
		}
	}
	return b.String()
}

// examine opens the shop that programs left behind and looks for damage; then it sends every line with a key again,
// and looks once more. The ledger is of the last examination; the lines are those sent since.
func examine(t testing.TB, folder string, l *ledger, seats []*seat) *damage {
	t.Helper()
	found := &damage{}
	d, err := desk.Open(t.Context(), desk.Options{Folder: folder, Door: "test", Allow: true})
	if err != nil {
		found.other = append(found.other, "the shop does not open again: "+err.Error())
		return found
	}
	d.Bus.MustRegister(letterPost(folder))
	found.look(t, d, l)
	for _, s := range seats {
		for _, said := range s.said {
			found.acknowledged(l, said)
		}
	}
	for _, s := range seats {
		found.again(t, d, s)
	}
	found.look(t, d, l)
	for key, n := range l.runs {
		if n > 1 {
			found.twice = append(found.twice, fmt.Sprintf("key %s: %d successes", key, n))
		}
	}
	found.letters(t, folder, l, seats)
	if err := d.Close(); err != nil {
		found.other = append(found.other, err.Error())
	}
	return found
}

// look compares records and rows, looks for unfinished steps, and verifies the chain.
func (f *damage) look(t testing.TB, d *desk.Desk, l *ledger) {
	t.Helper()
	l.read(t, d)
	unrecorded, hollow := l.compare(t, d)
	f.unrecorded, f.hollow = append(f.unrecorded, unrecorded...), append(f.hollow, hollow...)
	if n := l.miscounted(t, d); n > 0 {
		f.other = append(f.other, fmt.Sprintf("the stock of %d variants is not the sum of its movements", n))
	}
	if n := l.underWay(t, d); n > 0 {
		f.other = append(f.other, fmt.Sprintf("%d network steps are still under way", n))
	}
	if v, err := d.Log.Verify(t.Context(), nil); err != nil || !v.OK {
		f.other = append(f.other, fmt.Sprintf("the chain does not verify: %+v %v", v, err))
	}
	if v, err := d.Log.VerifyState(t.Context(), nil); err != nil || !v.OK {
		f.other = append(f.other, fmt.Sprintf("the log does not explain the rows: %+v %v", v, err))
	}
}

// acknowledged finds the one record of an answer. A call that could not be recorded has none, and was not done.
func (f *damage) acknowledged(l *ledger, said *saying) {
	if said.look || said.answer == nil {
		return
	}
	a := said.answer
	records := l.records[a.RequestID]
	if a.Err != nil && a.Err.Reason == bus.ReasonJournal {
		for _, r := range records {
			if r.status == "success" {
				f.other = append(f.other, fmt.Sprintf("%s was refused by the journal, and was done", said))
			}
		}
		return
	}
	if len(records) != 1 || records[0].status != string(a.Status) {
		f.lost = append(f.lost, fmt.Sprintf("%s was answered %s %v and has the records %v", said, a.Status, a.Err, records))
	}
}

func (l *saying) String() string { return l.inv.Capability + " " + l.inv.IdempotencyKey }

// again sends the lines with keys again: one that succeeded gives the same result without running; another may run
// now.
func (f *damage) again(t testing.TB, d *desk.Desk, s *seat) {
	t.Helper()
	var person bus.Principal
	err := d.Log.View(t.Context(), func(ctx context.Context) (err error) {
		person, err = staff.SignIn(ctx, s.person)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, said := range s.said {
		if said.inv.IdempotencyKey == "" {
			continue
		}
		inv := said.inv
		inv.RequestID, inv.Principal = "", person
		if inv.Caller.Type == "" {
			inv.Caller.Type = bus.CallerCLI
		}
		r := d.Bus.Invoke(t.Context(), inv)
		if said.answer == nil || !said.answer.OK() {
			continue
		}
		if !r.Replayed || cmp.Diff(said.answer.Data, r.Data) != "" {
			f.twice = append(f.twice, fmt.Sprintf("%s had %s and now has %+v", said, said.answer.Data, r))
		}
	}
}

// letters checks what left the program: never twice, and never without a record, even if that says the outcome is
// unknown.
func (f *damage) letters(t testing.TB, folder string, l *ledger, seats []*seat) {
	t.Helper()
	posted := lettersPosted(t, folder)
	recorded := map[string]bool{}
	for _, list := range l.records {
		for _, r := range list {
			recorded[r.key] = true
		}
	}
	for to, n := range posted {
		if n > 1 {
			f.twice = append(f.twice, fmt.Sprintf("letter %s went out %d times", to, n))
		}
		if !recorded["post-"+to] {
			f.unrecorded = append(f.unrecorded, "letter "+to+" went out without a record")
		}
	}
	for _, s := range seats {
		for _, said := range s.said {
			to, isPost := strings.CutPrefix(said.inv.IdempotencyKey, "post-")
			if isPost && said.answer != nil && said.answer.OK() && posted[to] == 0 {
				f.hollow = append(f.hollow, "letter "+to+" was answered and did not go out")
			}
		}
	}
}
