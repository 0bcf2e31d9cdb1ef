package audit_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/chain"
	"github.com/deskhand/deskhand/audit/internal/heads"
	"github.com/deskhand/deskhand/bus"
)

// seedOf is a key of a test.
func seedOf(n byte) []byte { return bytes.Repeat([]byte{n}, 32) }

func keyOf(t testing.TB, n byte) string {
	t.Helper()
	key, err := heads.Key(seedOf(n))
	must(t, err)
	return key
}

// signing are options with a key.
func signing(n byte) audit.Options {
	o := options()
	o.Key = func() ([]byte, error) { return seedOf(n), nil }
	return o
}

func prove(t testing.TB, l *audit.Log, request string, disclose bool) []byte {
	t.Helper()
	text, err := l.Prove(t.Context(), request, disclose)
	must(t, err)
	return text
}

// TestProofsHoldAfterPurgeErasureCopyAndRestore: each record is proved at some time, and its proof still holds after what
// comes later: removals, an erasure, a restore, a copy.
//
// holds: U13
func TestProofsHoldAfterPurgeErasureCopyAndRestore(t *testing.T) {
	o := signing(1)
	o.Segment = 50
	path := filepath.Join(t.TempDir(), "log.db")
	l := open(t, path, o)
	proofs := map[string][]byte{}
	proveSome := func() {
		all := recordsOf(t, l)
		for i := len(all) - 1; i >= 0; i -= 37 {
			request := all[i].RequestID
			proofs[request+" closed"], proofs[request+" open"] = prove(t, l, request, false), prove(t, l, request, true)
		}
	}
	holds := func(when string) {
		t.Helper()
		for name, text := range proofs {
			p, err := chain.CheckProof(keyOf(t, 1), text)
			if err != nil {
				t.Fatalf("%s, %s: %v", when, name, err)
			}
			request, how, _ := strings.Cut(name, " ")
			if p.RequestID != request || (p.Salt != nil) != (how == "open") {
				t.Fatalf("%s, %s: %+v", when, name, p)
			}
		}
	}
	for _, upTo := range []int{1, 255, 257, 700} {
		write(t, l, len(recordsOf(t, l)), upTo-len(recordsOf(t, l)))
		proveSome()
	}
	holds("at first")
	_, err := l.Backup(t.Context(), path+"-copy")
	must(t, err)
	about := at("about", 9000)
	about.Invocation.Arguments = []byte(`{"customer":"zofia_wisniewska"}`)
	must(t, l.Record(t.Context(), about))
	whole := prove(t, l, "about", true)
	if !bytes.Contains(whole, []byte("zofia_wisniewska")) {
		t.Error("the payload is not disclosed")
	}
	must(t, l.Do(t.Context(), at("erase", 9100), func(ctx context.Context, _ bus.Exec) error {
		_, err := l.Erase(ctx, "zofia_wisniewska")
		return err
	}))
	if _, err := l.Prove(t.Context(), "about", true); err == nil || !strings.Contains(err.Error(), "was erased") {
		t.Error(err)
	}
	if p, err := chain.CheckProof(keyOf(t, 1), prove(t, l, "about", false)); err != nil || p.Payload != nil {
		t.Error("an erased record is not proved by its digest:", err)
	}
	first := recordsOf(t, l)[0].RequestID
	purge(t, l, "purge", audit.Purge{Before: epoch.Add(time.Hour * 24 * 365), Segments: 6})
	if _, err := l.Prove(t.Context(), first, false); err == nil || !strings.Contains(err.Error(), "has no record of request") {
		t.Error(err)
	}
	proveSome()
	if v := check(t, l); !v.OK {
		t.Fatalf("%+v", v)
	}
	_, err = restore(l, "restore", path+"-copy", path+"-aside")
	must(t, err)
	write(t, l, 10_000, 100)
	if v := check(t, l); !v.OK {
		t.Fatalf("%+v", v)
	}
	proofs["restore closed"] = prove(t, l, "restore", false)
	must(t, l.Close())
	copied := open(t, path+"-copy", o)
	proofs["w699 closed"] = prove(t, copied, "w699", false)
	holds("at last")
	if _, err := chain.CheckProof(keyOf(t, 1), whole); err != nil {
		t.Error("a proof with a payload that was erased later:", err)
	}
	for _, text := range proofs {
		if _, err := chain.CheckProof(keyOf(t, 2), text); err == nil || !strings.Contains(err.Error(), "another key") {
			t.Fatal(err)
		}
	}
}

func recordsOf(t testing.TB, l *audit.Log) []audit.Chained {
	t.Helper()
	all, err := l.Chained(t.Context(), 0, 1<<30, 1<<30)
	must(t, err)
	return all
}

// TestALogWhoseTreeBeganLateProvesWithTheRightPlace: the head says with which record the tree begins.
//
// holds: U13
func TestALogWhoseTreeBeganLateProvesWithTheRightPlace(t *testing.T) {
	o := signing(1)
	o.Segment = 100
	path := filepath.Join(t.TempDir(), "log.db")
	l := open(t, path, o)
	write(t, l, 0, 700)
	purge(t, l, "purge", audit.Purge{Before: epoch.Add(time.Hour * 24 * 365), Segments: 3})
	must(t, l.Close())
	audit.Tamper(t, audit.DSN(l), `DELETE FROM audit_tiles`, `UPDATE audit_heads SET tree = 300 WHERE stream = 'main'`)
	l = open(t, path, o)
	text := prove(t, l, recordsOf(t, l)[49].RequestID, true)
	p, err := chain.CheckProof(keyOf(t, 1), text)
	if err != nil || p.Seq-p.Index != 301 || p.Last() != 701 {
		t.Fatalf("%v\n%s", err, text)
	}
	if !bytes.Contains(text, []byte("\nfirst-record 301\n\n— ")) {
		t.Errorf("the head does not say where the tree begins:\n%s", text)
	}
}

// signed counts the signed heads.
func signed(t testing.TB, path string) (n int) {
	t.Helper()
	return len(dump(t, "file:"+path, "SELECT size FROM audit_signed"))
}

// TestTheHeadIsSignedAfterClosingsExportsAndCopies, and once a day, and by nothing else.
//
// holds: U13
func TestTheHeadIsSignedAfterClosingsExportsAndCopies(t *testing.T) {
	now := epoch
	o := signing(1)
	o.SignAfter, o.Clock = []string{"day.close"}, func() time.Time { return now }
	for name, c := range map[string]struct {
		do   func(l *audit.Log) error
		want int
	}{
		"an action": {func(l *audit.Log) error { return l.Record(t.Context(), entry("a")) }, 0},
		"a closing": {func(l *audit.Log) error {
			e := entry("b")
			e.Invocation.Capability = "day.close"
			return l.Record(t.Context(), e)
		}, 1},
		"a closing in a plan": {func(l *audit.Log) error {
			e := entry("b")
			e.Invocation.Capability, e.Steps = "plan.propose", []string{"item.add", "day.close"}
			return l.Record(t.Context(), e)
		}, 1},
		"a closing that was refused": {func(l *audit.Log) error {
			e := failed("b", bus.Conflict, bus.ReasonBusy)
			e.Invocation.Capability = "day.close"
			return l.Record(t.Context(), e)
		}, 0},
		"an export": {func(l *audit.Log) error {
			_, err := l.Export(t.Context(), io.Discard, audit.Query{}, audit.FormatJSONL, nil)
			return err
		}, 1},
		"a copy": {func(l *audit.Log) error {
			_, err := l.Backup(t.Context(), filepath.Join(t.TempDir(), "copy"))
			return err
		}, 1},
		"a day":          {func(l *audit.Log) error { return l.SignIfDue(t.Context()) }, 1},
		"a proof":        {func(l *audit.Log) error { prove(t, l, "first", false); return nil }, 1},
		"proofs, a copy": {func(l *audit.Log) error { prove(t, l, "first", false); prove(t, l, "first", true); return nil }, 1},
	} {
		path := filepath.Join(t.TempDir(), "log.db")
		l := open(t, path, o)
		must(t, l.Record(t.Context(), entry("first")))
		must(t, c.do(l))
		must(t, l.Close())
		if n := signed(t, path); n != c.want {
			t.Errorf("%s: %d signed heads, want %d", name, n, c.want)
		}
	}
	path := filepath.Join(t.TempDir(), "log.db")
	for day, want := range []int{1, 1, 2, 2} {
		now = epoch.Add(time.Duration(day) * 13 * time.Hour)
		l := open(t, path, o)
		e := entry(fmt.Sprint("day", day))
		e.Started = now
		must(t, l.Record(t.Context(), e))
		must(t, l.SignIfDue(t.Context()))
		if v := check(t, l); !v.OK {
			t.Fatalf("%+v", v)
		}
		must(t, l.Close())
		if n := signed(t, path); n != want {
			t.Errorf("day %d: %d signed heads, want %d", day, n, want)
		}
	}
}

// TestALogWithoutAKeyIsNotSigned: its calls succeed. A proof of a record without a signed head names the missing key.
//
// holds: U13
func TestALogWithoutAKeyIsNotSigned(t *testing.T) {
	var asked atomic.Int64
	missing := errors.New("give one in AUDIT_KEY")
	o := options()
	o.SignAfter = []string{"item.add"}
	for name, key := range map[string]func() ([]byte, error){"none": nil,
		"missing": func() ([]byte, error) { asked.Add(1); return nil, missing },
		"short":   func() ([]byte, error) { return []byte("short"), nil }} {
		o.Key = key
		path := filepath.Join(t.TempDir(), "log.db")
		l := open(t, path, o)
		must(t, l.Record(t.Context(), entry("a")))
		_, err := l.Export(t.Context(), io.Discard, audit.Query{}, audit.FormatCSV, nil)
		must(t, err)
		must(t, l.SignIfDue(t.Context()))
		_, err = l.Prove(t.Context(), "a", false)
		if err == nil || name == "missing" && !errors.Is(err, missing) {
			t.Errorf("%s: %v", name, err)
		}
		must(t, l.Close())
		if n := signed(t, path); n != 0 {
			t.Errorf("%s: %d heads were signed", name, n)
		}
	}
	if asked.Load() == 0 {
		t.Error("nothing asked for the key")
	}
	path := filepath.Join(t.TempDir(), "log.db")
	l := open(t, path, signing(1))
	must(t, l.Record(t.Context(), entry("a")))
	before := prove(t, l, "a", false)
	must(t, l.Record(t.Context(), entry("b")))
	must(t, l.Close())
	o.Key = func() ([]byte, error) { return nil, missing }
	l = open(t, path, o)
	if after := prove(t, l, "a", false); !bytes.Equal(before, after) {
		t.Error("the proof by a head that is there is another one")
	}
	if _, err := l.Prove(t.Context(), "b", false); !errors.Is(err, missing) {
		t.Error(err)
	}
	must(t, l.Close())
	l = open(t, path, signing(2)) // another key from now on
	if _, err := chain.CheckProof(keyOf(t, 2), prove(t, l, "a", false)); err != nil {
		t.Error(err)
	}
	if v := check(t, l); !v.OK {
		t.Errorf("%+v", v)
	}
}

// TestASignedHeadShowsACutOrRewrittenLog, as long as it is there.
//
// holds: U13
func TestASignedHeadShowsACutOrRewrittenLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	l := open(t, path, signing(1))
	write(t, l, 0, 300)
	prove(t, l, "w299", false)
	must(t, l.Close())
	for upTo, want := range map[int]string{200: "its last records were removed", 300: "whose head was signed"} {
		other := filepath.Join(t.TempDir(), "other.db")
		forged := open(t, other, options())
		write(t, forged, 1000, upTo)
		must(t, forged.Close())
		audit.Tamper(t, "file:"+other, fmt.Sprintf("ATTACH '%s' AS old", path),
			"INSERT INTO audit_signed SELECT * FROM old.audit_signed")
		forged = open(t, other, options())
		if v := check(t, forged); v.OK || !strings.Contains(v.Problem, want) {
			t.Errorf("%d: %+v", upTo, v)
		}
		must(t, forged.Close())
	}
}
