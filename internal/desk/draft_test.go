package desk_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/internal/drafts"
)

// did invokes a capability that must succeed, and decodes what it gave.
func did(t *testing.T, d *desk.Desk, name string, args any, out any) bus.Result {
	t.Helper()
	r, err := d.Invoke(t.Context(), name, args, "test")
	if err == nil {
		err = r.Error()
	}
	if err == nil && out != nil {
		err = json.Unmarshal(r.Data, out)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r
}

// drafting is a shop, a draft of it, and a few orders that wait.
type drafting struct {
	live, draft *desk.Desk
	id          string
	orders      []string
}

func openDraft(t *testing.T) *drafting {
	t.Helper()
	s := &drafting{live: desktest.Sample(t, desk.Options{Allow: true})}
	var made struct{ DraftID string }
	did(t, s.live, "draft.open", struct{}{}, &made)
	s.id = made.DraftID
	s.draft = desktest.Open(t, desk.Options{Folder: s.live.DraftFolder(s.id), Door: "cli"})
	var found struct{ Orders []struct{ ID string } }
	did(t, s.draft, "order.search", map[string]any{"limit": 20}, &found)
	for _, o := range found.Orders {
		s.orders = append(s.orders, o.ID)
	}
	return s
}

const secretNote = "Zanzibar is only in the draft"

// TestADraftIsMergedAsIfItHadBeenDoneHere: what was done on a draft, in several steps and with new records, is in the
// shop after the merge; one undo takes all of it back.
//
// holds: A22
func TestADraftIsMergedAsIfItHadBeenDoneHere(t *testing.T) {
	s := openDraft(t)
	before, err := s.live.Log.StateHash(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	did(t, s.draft, "order.addNote", map[string]string{"orderId": s.orders[0], "text": secretNote}, nil)
	did(t, s.draft, "order.addNote", map[string]string{"orderId": s.orders[1], "text": "Second"}, nil)
	did(t, s.draft, "plan.propose", map[string]any{"steps": []map[string]any{
		{"capability": "order.addNote", "arguments": map[string]string{"orderId": s.orders[2], "text": "In a plan"}},
		{"capability": "customer.create", "arguments": map[string]any{"name": "Ada Draft", "email": "ada@example.com"}},
	}}, nil)
	if same, err := s.live.Log.StateHash(t.Context()); err != nil || same != before {
		t.Fatal("the draft changed the shop", err)
	}
	merged := did(t, s.live, "draft.merge", map[string]string{"draftId": s.id}, nil)
	if fmt.Sprint(merged.Facts["left"]) != "0" {
		t.Errorf("left out: %v", merged.Facts["left"])
	}
	order := did(t, s.live, "order.get", map[string]string{"orderId": s.orders[0]}, nil)
	if !strings.Contains(string(order.Data), secretNote) {
		t.Errorf("the note is not in the shop: %s", order.Data)
	}
	found, err := s.live.Log.Search(t.Context(), audit.Query{Capability: "order.addNote", Limit: 1})
	if err != nil || len(found.Records) != 1 || found.Records[0].RequestID != merged.RequestID {
		t.Errorf("the merge is not found by what it did: %v %v", found.Records, err)
	}
	did(t, s.live, "audit.undo", map[string]string{"requestId": merged.RequestID}, nil)
	if after, err := s.live.Log.StateHash(t.Context()); err != nil || after != before {
		t.Error("undo of the merge does not restore the state", err)
	}
	var run audit.ReplayReport
	did(t, s.live, "audit.replay", map[string]int64{"from": 2}, &run)
	if run.Skipped["what it needs is not there"] < 2 || slices.ContainsFunc(run.Notable, func(r audit.Replayed) bool {
		return strings.HasPrefix(r.Capability, "draft.") && r.Outcome == audit.ReplayDifferent
	}) {
		t.Errorf("to run drafts again says %+v", run)
	}
}

// TestADiscardedDraftLeavesWhoAndNothingElse: the rows and steps of a draft that was discarded are in no file.
//
// holds: A22
func TestADiscardedDraftLeavesWhoAndNothingElse(t *testing.T) {
	s := openDraft(t)
	did(t, s.draft, "order.addNote", map[string]string{"orderId": s.orders[0], "text": secretNote}, nil)
	if err := s.draft.Close(); err != nil {
		t.Fatal(err)
	}
	r := did(t, s.live, "draft.discard", map[string]string{"draftId": s.id}, nil)
	if fmt.Sprint(r.Facts["changes"]) != "1" {
		t.Errorf("facts: %v", r.Facts)
	}
	if err := s.live.Close(); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(s.live.Folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if strings.Contains(path, s.id) {
			t.Errorf("%s is still there", path)
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte("Zanzibar")) {
			t.Errorf("what was drafted is in %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestNothingLeavesADraft: what reaches outside is refused there and waits, and so is what could not be merged.
//
// holds: A22
func TestNothingLeavesADraft(t *testing.T) {
	s := openDraft(t)
	for name, args := range map[string]any{
		"email.sendReceipt": map[string]string{"orderId": s.orders[0]},
		"shop.backup":       struct{}{},
		"draft.open":        struct{}{},
	} {
		r, err := s.draft.Invoke(t.Context(), name, args, "test")
		if err != nil || r.OK() || r.Err.Code != bus.PreconditionFailed {
			t.Errorf("%s on a draft: %v %v", name, r.Err, err)
		}
	}
	var got struct {
		Outside []struct{ Capability string }
		Changes []any
	}
	did(t, s.live, "draft.get", map[string]string{"draftId": s.id}, &got)
	if len(got.Outside) != 1 || len(got.Changes) != 0 {
		t.Errorf("%+v", got)
	}
	m, err := drafts.Of(s.draft.Folder)
	if err != nil || m.ID != s.id {
		t.Error(m, err)
	}
}

// atNoon is a clock that stands still: what is done at the same time makes the same rows.
func atNoon() time.Time { return time.Date(2026, time.November, 25, 12, 0, 0, 0, time.UTC) }

// money is an amount in the shop's currency.
func money(cents int) map[string]any { return map[string]any{"amount": cents, "currency": "USD"} }

// actor does actions drawn by chance.
type actor struct {
	*rand.Rand
	orders, variants, customers, methods []string
}

// does draws an action and invokes it, whatever comes of it.
func (a *actor) does(t *testing.T, d *desk.Desk) {
	t.Helper()
	one := func(of []string) string { return of[a.IntN(len(of))] }
	order, variant := one(a.orders), one(a.variants)
	type call struct {
		name string
		args map[string]any
	}
	calls := [][]call{
		{{"order.addNote", map[string]any{"orderId": order, "text": fmt.Sprint("Note ", a.IntN(9))}}},
		{{"order.process", map[string]any{"orderId": order}}},
		{{"order.cancel", map[string]any{"orderId": order, "reason": "other"}}},
		{{"catalog.setPrice", map[string]any{"variantId": variant, "price": money(500 + 100*a.IntN(20))}}},
		{{"catalog.adjustStock", map[string]any{"variantId": variant, "delta": 1 + a.IntN(4)}}},
		{{"customer.update", map[string]any{"customerId": one(a.customers), "name": fmt.Sprint("Name ", a.IntN(3))}}},
		{{"cart.clear", nil}, {"cart.setCustomer", map[string]any{"walkIn": true}},
			{"cart.addItem", map[string]any{"productId": a.methods[0], "variantId": a.methods[1], "quantity": 1 + a.IntN(2)}},
			{"checkout.submit", map[string]any{"fulfilment": "takeAway", "tendered": money(50_000)}}},
	}
	for _, c := range calls[a.IntN(len(calls))] {
		if c.args == nil {
			c.args = map[string]any{}
		}
		r, err := d.Invoke(t.Context(), c.name, c.args, "test")
		if err != nil {
			t.Fatal(err)
		}
		if !r.OK() && r.Err.Code == bus.Validation {
			t.Fatalf("%s: %v", c.name, r.Err)
		}
	}
}

// TestAMergeDoesWhatWasShownOrSaysWhatItDoesNot: on a draft and in the shop things are done by chance. After the merge
// the shop is as if each change of the draft had been made there by hand; each that was refused there, or that would
// have changed another thing than on the draft, is listed. Without anything done in the shop, nothing is.
//
// holds: A22
func TestAMergeDoesWhatWasShownOrSaysWhatItDoesNot(t *testing.T) {
	for seed := range uint64(10) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { merges(t, seed) })
	}
}

func merges(t *testing.T, seed uint64) {
	live := desktest.Sample(t, desk.Options{Allow: true, Clock: atNoon})
	a := &actor{Rand: rand.New(rand.NewPCG(seed, 26))}
	var found struct{ Orders []struct{ ID string } }
	did(t, live, "order.search", map[string]any{"limit": 6, "status": "pending"}, &found)
	for _, o := range found.Orders {
		a.orders = append(a.orders, o.ID)
	}
	var goods struct {
		Products []struct {
			ID       string
			Variants []struct{ ID string }
		}
	}
	did(t, live, "catalog.search", map[string]any{"limit": 3}, &goods)
	for _, p := range goods.Products {
		for _, v := range p.Variants {
			a.variants = append(a.variants, v.ID)
			a.methods = []string{p.ID, v.ID}
		}
	}
	var people struct{ Customers []struct{ ID string } }
	did(t, live, "customer.search", map[string]any{"limit": 2}, &people)
	for _, c := range people.Customers {
		a.customers = append(a.customers, c.ID)
	}
	var made struct{ DraftID string }
	did(t, live, "draft.open", struct{}{}, &made)
	draft := desktest.Open(t, desk.Options{Folder: live.DraftFolder(made.DraftID), Door: "cli", Clock: atNoon})
	for range 12 {
		a.does(t, draft)
	}
	interfered := seed%2 == 1
	for range 6 {
		if interfered {
			a.does(t, live)
		}
	}
	done, err := draft.Log.Standing(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if _, err := live.Log.Backup(t.Context(), filepath.Join(folder, desk.DatabaseName)); err != nil {
		t.Fatal(err)
	}
	hand := desktest.Open(t, desk.Options{Folder: folder, Allow: true, Clock: atNoon})
	args := map[string]string{"draftId": made.DraftID}
	shown := foreseen(t, live, args)
	left := 0
	for i := range done {
		r := &done[i]
		isLeft := slices.ContainsFunc(shown.Left, func(l leftOut) bool { return l.Subject.ID == r.RequestID })
		seed, err := hex.DecodeString(r.Seed)
		if err != nil {
			t.Fatal(err)
		}
		if isLeft {
			left++
			continue
		}
		got := hand.Bus.Invoke(t.Context(), bus.Invocation{Capability: r.Capability, Arguments: r.Arguments,
			Principal: hand.Person, Caller: bus.Caller{Type: bus.CallerCLI, Source: "hand"},
			PinnedClock: atNoon(), PinnedSeed: seed})
		if !got.OK() {
			t.Errorf("%s is refused (%v) and not listed", r.Summary, got.Err)
		} else {
			for _, e := range effectsOf(t, hand, got.RequestID) {
				if strings.Contains(e, `"table":"receipt`) {
					continue // a draft writes none
				}
				if !slices.Contains(texts(r.Effects), e) && !slices.ContainsFunc(shown.Moved, func(m movedRow) bool {
					key, _ := json.Marshal(m.Key)
					return strings.Contains(e, m.Table) && strings.Contains(e, string(key))
				}) {
					t.Errorf("%s does another thing, and it is not listed: %s", r.Summary, e)
				}
			}
		}
	}
	if left != len(shown.Left) || !interfered && (left > 0 || len(shown.Moved) > 0) {
		t.Errorf("%d left out by hand; the merge says %+v", left, shown)
	}
	if len(done) > left {
		did(t, live, "draft.merge", args, nil)
	}
	want, err := hand.Log.StateHash(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if is, err := live.Log.StateHash(t.Context()); err != nil || is != want {
		t.Error("the shop is not as by hand", err)
	}
	t.Logf("%d changes, %d left out, %d rows moved on", len(done), left, len(shown.Moved))
}

type leftOut struct {
	Subject struct{ ID string }
	Why     string
}

type movedRow struct {
	Table string
	Key   map[string]any
}

// foreseen is what a merge would do.
func foreseen(t *testing.T, d *desk.Desk, args map[string]string) (shown struct {
	Left  []leftOut
	Moved []movedRow
}) {
	t.Helper()
	raw, _ := json.Marshal(args)
	r := d.Bus.Invoke(t.Context(), bus.Invocation{Capability: "draft.merge", Arguments: raw, Principal: d.Person,
		Caller: bus.Caller{Type: bus.CallerCLI, Source: "test"}, DryRun: true})
	if !r.OK() {
		if strings.HasPrefix(r.Err.Message, "Nothing of it") {
			return shown
		}
		t.Fatal(r.Err)
	}
	if err := json.Unmarshal(r.Data, &shown); err != nil {
		t.Fatal(err)
	}
	return shown
}

// effectsOf are those of a request, as texts.
func effectsOf(t *testing.T, d *desk.Desk, request string) []string {
	t.Helper()
	page, err := d.Log.Search(t.Context(), audit.Query{RequestID: request})
	if err != nil || len(page.Records) == 0 {
		t.Fatal(err)
	}
	return texts(page.Records[0].Effects)
}

func texts(effects []bus.Effect) (all []string) {
	for _, e := range effects {
		text, _ := json.Marshal(e)
		all = append(all, string(text))
	}
	slices.Sort(all)
	return all
}

// TestAModelIsToldThatItWorksOnADraft: in its instructions, and in the shop it is not.
//
// holds: A22
func TestAModelIsToldThatItWorksOnADraft(t *testing.T) {
	s := openDraft(t)
	for told, d := range map[bool]*desk.Desk{true: s.draft, false: s.live} {
		req, err := d.Bridge.Prompt(t.Context(), d.Person, 8192)
		if err != nil || strings.Contains(req.System, "until a person merges the draft") != told ||
			strings.Contains(req.System, "without asking") != told {
			t.Errorf("told %v: %v\n%s", told, err, req.System)
		}
	}
}

// TestATurnOnADraftIsInTheLogOfTheShop: which model was asked, and what left the machine, stands there, without a word.
//
// holds: A22
func TestATurnOnADraftIsInTheLogOfTheShop(t *testing.T) {
	s := openDraft(t)
	if err := s.draft.Bridge.Send(t.Context(), agent.Turn{ConversationID: "c", Text: "note for order " + s.orders[0] +
		": Zanzibar", Principal: s.draft.Person}, func(agent.Update) {}); err != nil {
		t.Fatal(err)
	}
	page, err := s.live.Log.Search(t.Context(), audit.Query{Capability: agent.TurnCapability})
	if err != nil || len(page.Records) != 1 || page.Records[0].Model == nil {
		t.Fatalf("%+v %v", page.Records, err)
	}
	if text, _ := json.Marshal(page.Records[0]); bytes.Contains(text, []byte("Zanzibar")) {
		t.Errorf("it quotes what was said: %s", text)
	}
	var got struct {
		Turns  int
		Models []string
	}
	did(t, s.live, "draft.get", map[string]string{"draftId": s.id}, &got)
	if got.Turns != 1 || len(got.Models) != 1 {
		t.Errorf("%+v", got)
	}
}

// TestADraftThatLastedItsTimeIsDiscarded: by itself, for the owner, with a record.
//
// holds: A22
func TestADraftThatLastedItsTimeIsDiscarded(t *testing.T) {
	now := atNoon()
	live := desktest.Sample(t, desk.Options{Allow: true, Clock: func() time.Time { return now }})
	var made struct{ DraftID string }
	did(t, live, "draft.open", struct{}{}, &made)
	for _, wait := range []time.Duration{drafts.Lasts - time.Minute, 2 * time.Minute} {
		now = now.Add(wait)
		if err := live.EndDrafts(t.Context()); err != nil {
			t.Fatal(err)
		}
		var open struct{ Drafts []any }
		did(t, live, "draft.list", struct{}{}, &open)
		if there := now.Sub(atNoon()) < drafts.Lasts; there != (len(open.Drafts) == 1) {
			t.Errorf("after %s: %v", now.Sub(atNoon()), open)
		}
	}
}

// TestWhatIsErasedInTheShopIsInNoDraft: erasing a person ends every draft, which has their rows too.
//
// holds: A22
func TestWhatIsErasedInTheShopIsInNoDraft(t *testing.T) {
	s := openDraft(t)
	var people struct{ Customers []struct{ ID string } }
	did(t, s.live, "customer.create", map[string]string{"name": "Zoe Gone"}, nil)
	did(t, s.live, "customer.search", map[string]string{"query": "Zoe Gone"}, &people)
	did(t, s.live, "customer.erase", map[string]string{"customerId": people.Customers[0].ID}, nil)
	args := map[string]string{"draftId": s.id}
	if r, err := s.live.Invoke(t.Context(), "draft.get", args, "test"); err != nil || r.OK() {
		t.Error("the draft is still open", err)
	}
	if err := errors.Join(s.draft.Close(), s.live.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.draft.Folder); !errors.Is(err, fs.ErrNotExist) {
		t.Error("its files are still there", err)
	}
}
