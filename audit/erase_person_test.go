package audit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

const clientSchema = `-- +goose Up
CREATE TABLE clients (id TEXT PRIMARY KEY, name TEXT NOT NULL, mail TEXT, note TEXT) STRICT;
CREATE INDEX clients_name ON clients (name);
CREATE INDEX clients_mail ON clients (mail);
`

type clientInput struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
	Mail string `json:"mail,omitempty" jsonschema:"maxLength=40"`
	Note string `json:"note,omitempty"`
}

// newClients opens a bus with people for tests of erasures.
func newClients(t testing.TB) (b *bus.Bus, l *audit.Log, path string) {
	path = filepath.Join(t.TempDir(), "clients.db")
	b, l = clientsAt(t, path)
	return b, l, path
}

func clientsAt(t testing.TB, path string) (b *bus.Bus, l *audit.Log) {
	o := options()
	o.Migrations = domain(clientSchema)
	l = open(t, path, o)
	b = bus.New(bus.Options{Journal: l, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	base := bus.Capability{Title: "T", Description: "D", SideEffect: bus.UIOnly, Resources: []string{"database:write"}}
	save, find, erase, post := base, base, base, base
	save.Name, find.Name, erase.Name, post.Name = "client.save", "client.find", "client.erase", "client.post"
	find.SideEffect, find.Resources = bus.Pure, []string{"database:read"}
	b.MustRegister(
		bus.Define(save, func(ctx context.Context, call *bus.Call, in clientInput) (clientInput, error) {
			call.Summarize("Save %s", in.Name)
			_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO clients VALUES (?1, ?2, ?3, ?4)
				ON CONFLICT DO UPDATE SET name = ?2, mail = ?3, note = ?4`, in.ID, in.Name, in.Mail, in.Note)
			return in, err
		}),
		bus.Define(find, func(ctx context.Context, _ *bus.Call, in clientInput) (out clientInput, err error) {
			err = audit.Tx(ctx).QueryRowContext(ctx, `SELECT id, name, mail, note FROM clients WHERE id = ?`, in.ID).
				Scan(&out.ID, &out.Name, &out.Mail, &out.Note)
			return out, err
		}),
		bus.Define(erase, func(ctx context.Context, call *bus.Call, in clientInput) (audit.Erased, error) {
			var name, mail string
			if err := audit.Tx(ctx).QueryRowContext(ctx, `DELETE FROM clients WHERE id = ? RETURNING name, mail`, in.ID).
				Scan(&name, &mail); err != nil {
				return audit.Erased{}, err
			}
			call.Summarize("Erase %s", name)
			if in.Note == "and fail" {
				_, _ = l.Erase(ctx, in.ID)
				return audit.Erased{}, bus.Errorf(bus.Conflict, bus.ReasonBusy, "No.").WithHint("Later.")
			}
			return l.Erase(ctx, in.ID, mail)
		}))
	return b, l
}

func save(t testing.TB, b *bus.Bus, request string, in clientInput) {
	t.Helper()
	args, err := json.Marshal(in)
	must(t, err)
	inv := bus.Invocation{Capability: "client.save", Arguments: args, RequestID: request, IdempotencyKey: "key-" + request,
		Caller: bus.Caller{Type: bus.CallerAgent, TriggeringMessage: "Save " + in.Name, Reasoning: "They are " + in.Name}}
	ok(t, b.Invoke(context.Background(), inv))
}

// traces finds words in the database's files.
func traces(t testing.TB, path string, words ...string) (found []string) {
	t.Helper()
	files, err := filepath.Glob(path + "*")
	must(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		must(t, err)
		for _, word := range words {
			if n := bytes.Count(data, []byte(word)); n > 0 {
				found = append(found, fmt.Sprintf("%s: %s, %d times", filepath.Base(file), word, n))
			}
		}
	}
	return found
}

// holds: U11
func TestU11AnErasedPersonIsNowhereInTheFiles(t *testing.T) {
	b, l, path := newClients(t)
	r := rand.New(rand.NewPCG(11, 12))
	gone := clientInput{ID: "c_500x", Name: "Zofia Wiśniewska", Mail: "zofia.w@example.org",
		Note: strings.Repeat("likes anise ", 900)}
	words := []string{"Zofia", "niewska", "zofia.w@", "anise"}
	for n, i := range r.Perm(soak(400, 4000)) { // among others whose rows make the pages split around theirs
		save(t, b, fmt.Sprint("r", n), clientInput{ID: fmt.Sprintf("c_%d", i),
			Name: fmt.Sprintf("N%d %s", i, strings.Repeat("x", r.IntN(300))), Mail: fmt.Sprintf("m%d@example.org", i)})
		if n%40 == 7 {
			gone.Note = strings.Repeat("likes anise ", 1+r.IntN(900))
			save(t, b, fmt.Sprint("z", n), gone)
			ok(t, call(b, fmt.Sprint("look", n), "client.find", `{"id":"c_500x"}`))
		}
	}
	call(b, "bad", "client.save",
		`{"id":"new","name":"Zofia Wi\u015bniewska","mail":"zofia.w@example.org, or was it zofia@example.org"}`)
	save(t, b, "other", clientInput{ID: "c_500", Name: "Other", Mail: "other@example.org"})
	if len(traces(t, path, words...)) < len(words) {
		t.Fatal("they were never there")
	}
	res := call(b, "erase", "client.erase", `{"id":"c_500x"}`)
	ok(t, res)
	t.Log(string(res.Data))
	if found := traces(t, path, words...); found != nil {
		t.Errorf("left: %v", found)
	}
	v, err := l.Verify(context.Background(), nil)
	must(t, err)
	if !v.OK || v.Erased < 20 || len(v.Erasures) != 1 || v.Erasures[0].RequestID != "erase" {
		t.Errorf("verdict: %+v", v)
	}
	record := recorded(t, l, "erase")[0]
	if diff := cmp.Diff([]bus.Effect{{Table: "clients", Op: "delete", Key: map[string]any{"id": "c_500x"}}},
		record.Effects); diff != "" || record.Summary != "" {
		t.Errorf("the record tells: %s %q", diff, record.Summary)
	}
	if r := recorded(t, l, "other")[0]; r.Erased {
		t.Error("another person's record went too")
	}
	for word, want := range map[string]int{"anise": 0, "Other": 1} {
		if page, err := l.Search(context.Background(), audit.Query{Text: word}); err != nil || len(page.Records) != want {
			t.Errorf("%q finds %d records %v", word, len(page.Records), err)
		}
	}
}

// TestU11ErasedRowsLeaveNoCopies: also for rows on pages that SQLite split and joined, the files have no copy.
//
// holds: U11
func TestU11ErasedRowsLeaveNoCopies(t *testing.T) {
	_, l, path := newClients(t)
	r := rand.New(rand.NewPCG(13, 14))
	size := soak(3000, 10_000)
	var statements []string
	for _, i := range append(r.Perm(size), r.Perm(size)[:size/3]...) { // some move again
		statements = append(statements,
			fmt.Sprintf(`INSERT INTO clients VALUES ('c_%05d', 'Person-%05[1]d-%[2]s', 'Mail-%05[1]d', NULL)
			ON CONFLICT DO UPDATE SET name = excluded.name`, i, strings.Repeat("x", r.IntN(400))))
	}
	for part := range slices.Chunk(statements, 100) {
		must(t, do(t, l, entry("fill"), part...))
	}
	gone := r.Perm(size)[:size/2]
	must(t, l.Do(context.Background(), entry("erase"), func(ctx context.Context, _ bus.Exec) error {
		for _, i := range gone {
			if _, err := audit.Tx(ctx).ExecContext(ctx, `DELETE FROM clients WHERE id = ?`, fmt.Sprintf("c_%05d", i)); err != nil {
				return err
			}
		}
		_, err := l.Erase(ctx, "Person")
		return err
	}))
	files, err := filepath.Glob(path + "*")
	must(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		must(t, err)
		for _, i := range gone {
			for _, word := range []string{fmt.Sprintf("Mail-%05d", i), fmt.Sprintf("Person-%05d", i)} {
				if bytes.Contains(data, []byte(word)) {
					t.Errorf("%s still has %s", filepath.Base(file), word)
				}
			}
		}
	}
	if v, err := l.Verify(context.Background(), nil); err != nil || !v.OK {
		t.Errorf("verdict: %+v %v", v.Problem, err)
	}
	if n := count(t, l, `SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'`); n != 0 {
		t.Errorf("%d pages are broken", n)
	}
}

// TestWhatIsWrittenWhileTheLogIsLookedThroughIsErasedToo: an erasure covers records that were written during its
// search. It does not count records that another erasure took in the meantime.
func TestWhatIsWrittenWhileTheLogIsLookedThroughIsErasedToo(t *testing.T) {
	b, l, path := newClients(t)
	quiet := func(request string) { // whose result says nothing, but whose arguments do
		e := entry(request)
		e.Invocation.Arguments = json.RawMessage(`{"to":"zofia.w@example.org"}`)
		e.Key = &bus.Key{CallerType: bus.CallerUI, Capability: "item.add", Value: request, Arguments: "digest"}
		must(t, do(t, l, e))
	}
	quiet("quiet before")
	save(t, b, "before", clientInput{ID: "c_1", Name: "Zofia", Mail: "zofia.w@example.org"})
	save(t, b, "taken", clientInput{ID: "c_1", Name: "Zofia", Mail: "z@example.net"})
	gone := audit.EraseAfter(t, l, entry("erase"), func() {
		must(t, l.Do(context.Background(), entry("first"), func(ctx context.Context, _ bus.Exec) error {
			_, err := l.Erase(ctx, "z@example.net")
			return err
		}))
		must(t, do(t, l, entry("delete"), `DELETE FROM clients`))
		save(t, b, "after", clientInput{ID: "c_1", Name: "Zofia", Mail: "zofia.w@example.org"})
		ok(t, call(b, "look", "client.find", `{"id":"c_1"}`))
		quiet("quiet after")
		must(t, do(t, l, entry("again"), `DELETE FROM clients`))
	}, "c_1", "zofia.w@example.org")
	if gone.Records != 8 || gone.Results != 4 { // with the read, the deletions, and the first erasure, which names the row
		t.Errorf("erased: %+v", gone)
	}
	if n := count(t, l, `SELECT count(*) FROM audit_keys WHERE result IS NOT NULL`); n != 0 {
		t.Errorf("%d results are left", n)
	}
	if found := traces(t, path, "Zofia", "zofia.w@"); found != nil {
		t.Errorf("left: %v", found)
	}
	if v, err := l.Verify(context.Background(), nil); err != nil || !v.OK || v.Erased != 9 {
		t.Errorf("verdict: %+v %v", v, err)
	}
}

func TestARunThatErasesIsRunAgainWhenTheLogWasLookedThrough(t *testing.T) {
	b, l, _ := newClients(t)
	save(t, b, "r1", clientInput{ID: "c_1", Name: "Zofia", Mail: "zofia.w@example.org"})
	runs := 0
	erase := func(terms func() []string) error {
		runs = 0
		return l.Do(context.Background(), entry("erase"), func(ctx context.Context, _ bus.Exec) error {
			runs++
			if _, err := audit.Tx(ctx).ExecContext(ctx, `UPDATE clients SET note = coalesce(note, '') || 'x'`); err != nil {
				return err
			}
			for _, term := range terms() {
				if _, err := l.Erase(ctx, term); err != nil {
					return err
				}
			}
			return nil
		})
	}
	must(t, erase(func() []string { return []string{"c_1", "zofia.w@example.org"} }))
	if n := count(t, l, `SELECT count(*) FROM clients WHERE note = 'x'`); n != 1 || runs != 3 ||
		len(recorded(t, l, "erase")) != 1 {
		t.Errorf("%d runs, of which %d are kept", runs, n)
	}
	var coded *bus.Error
	if err := erase(func() []string { return []string{fmt.Sprint("never the same ", runs)} }); !errors.As(err, &coded) ||
		coded.Code != bus.Conflict {
		t.Errorf("a person that is always another: %v", err)
	}
	if n := count(t, l, `SELECT count(*) FROM clients WHERE note = 'x'`); n != 1 || len(recorded(t, l, "erase")) != 1 {
		t.Error("it left something")
	}
}

func TestScrubbingGoesOnWhenTheLogIsOpenedAgain(t *testing.T) {
	b, l, path := newClients(t)
	save(t, b, "r1", clientInput{ID: "c_1", Name: "Somebody", Note: "anise"})
	_, err := l.Search(context.Background(), audit.Query{Text: "anise"})
	must(t, err)
	must(t, l.Close())
	audit.Tamper(t, "file:"+path, "PRAGMA secure_delete = OFF", "INSERT INTO clients VALUES ('c_2', 'Zofia', NULL, NULL)",
		"DELETE FROM clients",
		"INSERT INTO audit_traces VALUES (1, 1, 1)", "DELETE FROM audit_keys",
		"INSERT INTO audit_forgotten (stream, seq, body) SELECT 'main', seq, body FROM audit_payloads")
	if traces(t, path, "Zofia") == nil {
		t.Fatal("nothing is left, so this tests nothing")
	}
	o := options()
	o.Migrations = domain(clientSchema)
	l = open(t, path, o)
	waitFor(t, func() bool { return count(t, l, `SELECT count(*) FROM audit_traces`) == 0 })
	if found := traces(t, path, "Zofia"); found != nil {
		t.Errorf("left: %v", found)
	}
	if page, err := l.Search(context.Background(), audit.Query{Text: "anise"}); err != nil || len(page.Records) != 0 {
		t.Errorf("the words are left: %+v %v", page, err)
	}
}

// holds: U11
func TestU11AnErasureThatFailsOrIsTriedOutErasesNothing(t *testing.T) {
	b, l, path := newClients(t)
	save(t, b, "r1", clientInput{ID: "c_1", Name: "Zofia", Mail: "zofia.w@example.org"})
	before := stateHash(t, l)
	refusedAs(t, call(b, "fails", "client.erase", `{"id":"c_1","note":"and fail"}`), bus.Conflict, bus.ReasonBusy, "No.")
	dry := b.Invoke(context.Background(), bus.Invocation{Capability: "client.erase",
		Arguments: json.RawMessage(`{"id":"c_1"}`), RequestID: "dry",
		DryRun: true, Caller: bus.Caller{Type: bus.CallerUI}})
	ok(t, dry)
	v, err := l.Verify(context.Background(), nil)
	must(t, err)
	if stateHash(t, l) != before || v.Erased != 0 || len(v.Erasures) != 0 || !v.OK || recorded(t, l, "r1")[0].Erased {
		t.Errorf("verdict: %+v", v)
	}
	ok(t, call(b, "erase", "client.erase", `{"id":"c_1"}`)) // the records of the attempts go too
	if found := traces(t, path, "Zofia", "zofia.w@"); found != nil {
		t.Errorf("left: %v", found)
	}
}

func TestAKeyWhoseResultWasErasedStaysUsed(t *testing.T) {
	b, l, _ := newClients(t)
	z := clientInput{ID: "c_1", Name: "Zofia", Mail: "zofia.w@example.org"}
	save(t, b, "r1", z)
	ok(t, call(b, "erase", "client.erase", `{"id":"c_1"}`))
	args, err := json.Marshal(z)
	must(t, err)
	again := b.Invoke(context.Background(), bus.Invocation{Capability: "client.save", Arguments: args,
		IdempotencyKey: "key-r1", Caller: bus.Caller{Type: bus.CallerAgent}})
	refusedAs(t, again, bus.Validation, bus.ReasonIdempotencyMismatch, "other arguments")
	if n := count(t, l, `SELECT count(*) FROM clients`); n != 0 {
		t.Error("the person is back")
	}
}

func TestErasureNeedsATermThatTells(t *testing.T) {
	l := newLog(t)
	var err error
	must(t, l.Do(context.Background(), entry("r"), func(ctx context.Context, _ bus.Exec) error {
		_, err = l.Erase(ctx, "c_1", "al")
		return nil
	}))
	var coded *bus.Error
	if !errors.As(err, &coded) || coded.Code != bus.Validation {
		t.Errorf("two letters: %v", err)
	}
	must(t, l.View(context.Background(), func(ctx context.Context) error {
		if _, err := l.Erase(ctx, "c_1"); err == nil {
			t.Error("a reader erased")
		}
		return nil
	}))
	if _, err := l.Erase(context.Background(), "c_1"); err == nil {
		t.Error("erased outside of a handler")
	}
}

// holds: U11
func TestU11ErasureWaitsForAStepUnderWay(t *testing.T) {
	b, l, _ := newClients(t)
	save(t, b, "r1", clientInput{ID: "c_1", Name: "Zofia", Mail: "zofia.w@example.org"})
	step := entry("mail")
	step.Invocation.Arguments = json.RawMessage(`{"to":"zofia.w@example.org"}`)
	must(t, l.Begin(context.Background(), step))
	refusedAs(t, call(b, "erase", "client.erase", `{"id":"c_1"}`), bus.Conflict, bus.ReasonBusy, "under way")
	must(t, l.Finish(context.Background(), step))
	ok(t, call(b, "again", "client.erase", `{"id":"c_1"}`))
	if r := recorded(t, l, "mail")[0]; !r.Erased {
		t.Error("the step's record is left")
	}
}

func TestWhatAReaderStillSeesIsErasedAfterIt(t *testing.T) {
	b, l, path := newClients(t)
	save(t, b, "r1", clientInput{ID: "c_1", Name: "Zofia", Mail: "zofia.w@example.org"})
	must(t, l.View(context.Background(), func(ctx context.Context) error {
		var name string
		must(t, audit.Tx(ctx).QueryRowContext(ctx, `SELECT name FROM clients`).Scan(&name))
		ok(t, call(b, "erase", "client.erase", `{"id":"c_1"}`))
		if traces(t, path, "Zofia") == nil {
			t.Error("the reader kept nothing, so this tests nothing")
		}
		return nil
	}))
	waitFor(t, func() bool { return traces(t, path, "Zofia") == nil })
}

// holds: U11
func TestU11ErasureFindsTheTermHoweverItWasWritten(t *testing.T) {
	b, l, _ := newClients(t)
	for request, name := range map[string]string{
		"escaped": `"Jos\u00e9 O'Neill"`, "plain": `"José O'Neill"`, "in a line": `"x\nJosé O'Neill\ty"`,
		"in JSON": `"{\"n\":\"José O'Neill\"}"`,
		"longer":  `"José O'Neills"`, "other": `"Jose O'Neill"`,
	} {
		call(b, request, "client.save", fmt.Sprintf(`{"id":5,"name":%s}`, strings.ReplaceAll(name, `\\`, `\`)))
	}
	must(t, l.Do(context.Background(), entry("erase"), func(ctx context.Context, _ bus.Exec) error {
		_, err := l.Erase(ctx, "José O'Neill")
		return err
	}))
	for request, want := range map[string]bool{"escaped": true, "plain": true, "in a line": true, "in JSON": true,
		"longer": false, "other": false} {
		if r := recorded(t, l, request)[0]; r.Erased != want {
			t.Errorf("%s: erased %v: %s", request, r.Erased, r.Arguments)
		}
	}
}
