package audit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

const bookSchema = `-- +goose Up
CREATE TABLE receipts (id TEXT PRIMARY KEY, number INTEGER UNIQUE, what TEXT NOT NULL) STRICT;
`

// asker asks for confirmation of every call, notes the preview, and allows the call.
type asker struct{ shown []*bus.Preview }

func (a *asker) Authorize(context.Context, *bus.ApprovalRequest) (bus.Decision, error) {
	return bus.Decision{Rule: bus.RuleConfirm}, nil
}

func (a *asker) Approve(_ context.Context, _ *bus.ApprovalRequest, p *bus.Preview) (bus.Decision, error) {
	a.shown = append(a.shown, p)
	return bus.Decision{Answer: bus.AnswerAllow, By: "u1", Allowed: true}, nil
}

// book is an application that numbers its receipts.
type book struct {
	t *testing.T
	*bus.Bus
	log   *audit.Log
	asked *asker
	calls int
	draft string
}

func openBook(t *testing.T, path string, o audit.Options, drafts func() []bus.Record) *book {
	o.Migrations = domain(bookSchema)
	k := &book{t: t, log: open(t, path, o), asked: &asker{}}
	k.Bus = bus.New(bus.Options{Journal: k.log, Approver: k.asked, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	type input struct {
		What string `json:"what"`
		Fail bool   `json:"fail,omitempty"`
	}
	type output struct {
		ID     string `json:"id"`
		Number int64  `json:"number"`
	}
	sell := bus.Capability{Name: "book.sell", Title: "Sell", Description: "Sells something.", SideEffect: bus.UIOnly,
		Permissions: []string{"book:write"}, Resources: []string{"database:write"}}
	merge := sell
	merge.Name, merge.Title, merge.Reversible = "book.merge", "Merge", false
	merge.Facts = []string{"steps", "left"}
	k.MustRegister(bus.Define(sell, func(ctx context.Context, call *bus.Call, in input) (out output, err error) {
		out.ID = call.NewID("rcp")
		if out.Number, err = call.Next("receipts"); err != nil {
			return out, err
		}
		var number any
		if out.Number > 0 {
			number = out.Number
		}
		if _, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO receipts VALUES (?, ?, ?)`, out.ID, number,
			in.What); err != nil {
			return out, err
		}
		call.Summarize("Sell %s", in.What)
		if in.Fail {
			return out, bus.Errorf(bus.Conflict, bus.ReasonBusy, "Not now.").WithHint("Later.")
		}
		return out, nil
	}), bus.Merge(merge, func(context.Context, *bus.Call, struct{}) ([]bus.Record, error) { return drafts(), nil }))
	return k
}

// call invokes as a person, or as an agent whose calls a person confirms.
func (k *book) call(name, arguments string, change func(*bus.Invocation)) bus.Result {
	k.calls++
	inv := bus.Invocation{Capability: name, Arguments: json.RawMessage(arguments),
		RequestID: fmt.Sprint("call ", k.draft, k.calls), Caller: bus.Caller{Type: bus.CallerTest},
		Principal: bus.Principal{ID: "u1", Scopes: []string{"*"}, Door: "test"}}
	if change != nil {
		change(&inv)
	}
	return k.Invoke(context.Background(), inv)
}

func byAgent(inv *bus.Invocation) { inv.Caller.Type = bus.CallerAgent }

// sell returns the number that a sale got.
func (k *book) sell(what string, change func(*bus.Invocation)) int64 {
	k.t.Helper()
	r := k.call("book.sell", fmt.Sprintf(`{"what":%q}`, what), change)
	if !r.OK() {
		k.t.Fatal(r.Err)
	}
	return numberIn(k.t, r.Data)
}

func numberIn(t *testing.T, data json.RawMessage) int64 {
	t.Helper()
	var out struct{ Number int64 }
	must(t, json.Unmarshal(data, &out))
	return out.Number
}

// numbers are those of all receipts, in their order.
func (k *book) numbers() (all []int64) {
	k.t.Helper()
	must(k.t, k.log.View(context.Background(), func(ctx context.Context) error {
		return k.log.Query(ctx, func(scan func(...any) error) error {
			var n int64
			err := scan(&n)
			all = append(all, n)
			return err
		}, `SELECT coalesce(number, 0) FROM receipts ORDER BY number, id`)
	}))
	return all
}

// TestWhatIsShownHasNoNumber: a preview and a card show 0, and the approved call gets the next number. A refused call,
// a dry run and a repeated request draw none.
func TestWhatIsShownHasNoNumber(t *testing.T) {
	k := openBook(t, filepath.Join(t.TempDir(), "book.db"), options(), nil)
	if n := k.sell("a mug", nil); n != 1 {
		t.Errorf("the first number is %d", n)
	}
	if n := k.sell("tried out", func(inv *bus.Invocation) { inv.DryRun = true }); n != 0 {
		t.Errorf("a dry run got the number %d", n)
	}
	if r := k.call("book.sell", `{"what":"refused","fail":true}`, nil); r.OK() {
		t.Error("it was not refused")
	}
	if n := k.sell("by an agent", byAgent); n != 2 {
		t.Errorf("the approved call got the number %d", n)
	}
	if len(k.asked.shown) != 1 || numberIn(t, k.asked.shown[0].Data) != 0 {
		t.Errorf("the card showed %+v", k.asked.shown)
	}
	keyed := func(inv *bus.Invocation) { inv.IdempotencyKey = "once" }
	if one, again := k.sell("once", keyed), k.sell("once", keyed); one != 3 || again != 3 {
		t.Errorf("one request got the numbers %d and %d", one, again)
	}
	if got := k.numbers(); !slices.Equal(got, []int64{1, 2, 3}) {
		t.Errorf("the receipts have the numbers %v", got)
	}
	records, err := k.log.Tail(context.Background(), 0, 100)
	must(t, err)
	var recorded []int64
	for _, r := range records {
		recorded = append(recorded, r.Numbers["receipts"]...)
	}
	if !slices.Equal(recorded, []int64{1, 2, 3}) {
		t.Errorf("the records have the numbers %v", recorded)
	}
}

// TestADraftGivesNoNumbersAndItsMergeDrawsThem in the order of the merge, also when something changed meanwhile.
//
// holds: B14
func TestADraftGivesNoNumbersAndItsMergeDrawsThem(t *testing.T) {
	dir := t.TempDir()
	var done []bus.Record
	k := openBook(t, filepath.Join(dir, "book.db"), options(), func() []bus.Record { return done })
	k.sell("before", nil)
	path := filepath.Join(dir, "draft.db")
	must(t, k.log.Fork(context.Background(), path))
	draft := openBook(t, path, options(), nil)
	draft.draft = "on a draft "
	if one, two := draft.sell("one", nil), draft.sell("two", byAgent); one != 0 || two != 0 {
		t.Errorf("the draft gave the numbers %d and %d", one, two)
	}
	k.sell("meanwhile", nil)
	done, err := draft.log.Standing(context.Background())
	must(t, err)
	r := k.call("book.merge", `{}`, byAgent)
	var out struct {
		Subjects int
		Steps    []struct{ Data json.RawMessage }
		Left     []any
	}
	if !r.OK() {
		t.Fatal(r.Err)
	}
	must(t, json.Unmarshal(r.Data, &out))
	if out.Subjects != 2 || len(out.Left) != 0 || numberIn(t, out.Steps[0].Data) != 3 ||
		numberIn(t, out.Steps[1].Data) != 4 {
		t.Errorf("merged %s", r.Data)
	}
	if got := k.numbers(); !slices.Equal(got, []int64{1, 2, 3, 4}) {
		t.Errorf("the receipts have the numbers %v", got)
	}
}

// TestARestoreGoesOnBehindTheNumbersThatWereGiven: numbers that were drawn after the copy are not drawn again.
func TestARestoreGoesOnBehindTheNumbersThatWereGiven(t *testing.T) {
	dir := t.TempDir()
	k := openBook(t, filepath.Join(dir, "book.db"), options(), nil)
	k.sell("before", nil)
	_, err := k.log.Backup(context.Background(), filepath.Join(dir, "copy.db"))
	must(t, err)
	k.sell("after", nil)
	k.sell("after that", nil)
	_, err = restore(k.log, "restore", filepath.Join(dir, "copy.db"), filepath.Join(dir, "aside.db"))
	must(t, err)
	if n := k.sell("now", nil); n != 4 {
		t.Errorf("after the restore the number is %d, not 4", n)
	}
}

// TestAnOlderFileGoesOnBehindTheNotedNumber replaces the file by an older copy.
//
// holds: B14
func TestAnOlderFileGoesOnBehindTheNotedNumber(t *testing.T) {
	o := options()
	o.Heads = &drawer{}
	path := filepath.Join(t.TempDir(), "book.db")
	k := openBook(t, path, o, nil)
	k.sell("before", nil)
	must(t, k.log.Close())
	older, err := os.ReadFile(path)
	must(t, err)
	k = openBook(t, path, o, nil)
	k.sell("after", nil)
	k.sell("after that", nil)
	must(t, k.log.Close())
	must(t, os.WriteFile(path, older, 0o600))
	k = openBook(t, path, o, nil)
	if n := k.sell("now", nil); n != 4 {
		t.Errorf("the number is %d, not 4", n)
	}
}

// TestAReplayGivesTheNumbersOfTheRecords: also where the counter of the other log is higher, a replay uses the numbers
// of the records.
func TestAReplayGivesTheNumbersOfTheRecords(t *testing.T) {
	dir := t.TempDir()
	k := openBook(t, filepath.Join(dir, "book.db"), options(), nil)
	for n := range 3 {
		k.sell(fmt.Sprint(n), byAgent)
	}
	again := openBook(t, filepath.Join(dir, "again.db"), options(), nil)
	report, err := k.log.Replay(context.Background(), audit.Replay{After: 1, Into: again.log, Invoke: again.Invoke})
	must(t, err)
	if report.Same != 2 || report.Different != 0 {
		t.Errorf("%+v", report)
	}
	if diff := cmp.Diff([]int64{2, 3}, again.numbers()); diff != "" {
		t.Error(diff)
	}
	if n := again.sell("next", nil); n != 4 {
		t.Errorf("the next number is %d", n)
	}
}

// TestACopyThatIsTakenBackCountsFromThere: calls on a copy that was rewound get the numbers of that time.
func TestACopyThatIsTakenBackCountsFromThere(t *testing.T) {
	dir := t.TempDir()
	k := openBook(t, filepath.Join(dir, "book.db"), options(), nil)
	for n := range 4 {
		k.sell(fmt.Sprint(n), nil)
	}
	path := filepath.Join(dir, "copy.db")
	_, err := k.log.Backup(context.Background(), path)
	must(t, err)
	again := openBook(t, path, options(), nil)
	again.draft = "again "
	replica := &audit.Replica{Log: again.log, Invoke: again.Invoke}
	for _, to := range []int64{2, 1} {
		must(t, replica.Rewind(context.Background(), to))
		if n := again.sell("again", nil); n != to+1 {
			t.Errorf("behind record %d the next number is %d", to, n)
		}
	}
}

// TestARestoreSaysWhetherNumbersAreKnown: on another computer, the numbers that were drawn after the copy are unknown,
// unless they were noted.
func TestARestoreSaysWhetherNumbersAreKnown(t *testing.T) {
	dir := t.TempDir()
	k := openBook(t, filepath.Join(dir, "book.db"), options(), nil)
	k.sell("before", nil)
	copied := filepath.Join(dir, "copy.db")
	_, err := k.log.Backup(context.Background(), copied)
	must(t, err)
	noted := options()
	noted.Heads = &drawer{}
	other := openBook(t, filepath.Join(dir, "gone.db"), noted, nil)
	other.sell("one", nil)
	other.sell("two", nil)
	must(t, other.log.Close())
	for name, c := range map[string]struct {
		log   *audit.Log
		known bool
	}{
		"the same log": {k.log, true}, "noted": {openBook(t, filepath.Join(dir, "lost.db"), noted, nil).log, true},
		"nothing is known": {openBook(t, filepath.Join(dir, "new.db"), options(), nil).log, false},
	} {
		done, err := restore(c.log, name, copied, filepath.Join(dir, "aside of "+name))
		if must(t, err); done.Numbers != c.known {
			t.Errorf("%s: %+v", name, done)
		}
	}
}

// TestADraftOfTooManyChangesIsRefused: they are read into memory, and only those that still hold count.
func TestADraftOfTooManyChangesIsRefused(t *testing.T) {
	l := newLog(t)
	audit.StandingAtMost(l, 3)
	for i := range 3 {
		must(t, do(t, l, entry(fmt.Sprint("r", i)), `INSERT INTO counters (n) VALUES (1)`))
		must(t, do(t, l, entry(fmt.Sprint("without changes ", i))))
	}
	if all, err := l.Standing(t.Context()); err != nil || len(all) != 3 {
		t.Fatalf("%d changes: %v", len(all), err)
	}
	must(t, do(t, l, entry("one more"), `INSERT INTO counters (n) VALUES (1)`))
	if _, err := l.Standing(t.Context()); err == nil || !strings.Contains(err.Error(), "More was changed") {
		t.Error(err)
	}
}
