package audit_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

func step(request string) *bus.Entry {
	e := entry(request)
	e.SideEffect, e.Invocation.Capability, e.Result = bus.Network, "mail.send", bus.Result{}
	e.Key = key(request)
	return e
}

// abandon begins steps in a program that ends without finishing them.
func abandon(t *testing.T, path string, requests ...string) {
	t.Helper()
	l, err := audit.Open(context.Background(), path, options())
	must(t, err)
	for _, r := range requests {
		must(t, l.Begin(context.Background(), step(r)))
	}
	must(t, l.Close())
}

// holds: U10
func TestU10AStepThatWasNotFinishedIsRecordedAsInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	abandon(t, path, "r1", "r2")
	l := open(t, path, options())
	for _, r := range []string{"r1", "r2"} {
		log := recorded(t, l, r)
		if len(log) != 1 || log[0].Code != bus.Transient || log[0].Reason != bus.ReasonInterrupted ||
			log[0].Capability != "mail.send" ||
			log[0].Caller.Person != "u1" || string(log[0].Arguments) != `{"id":"a"}` {
			t.Errorf("records of %s: %+v", r, log)
		}
		if s := lookup(t, l, key(r)); s == nil || !s.Unknown || s.RequestID != r {
			t.Errorf("key of %s: %+v", r, s)
		}
	}
	if n := count(t, l, `SELECT count(*) FROM audit_inflight`); n != 0 {
		t.Errorf("notes: %d", n)
	}
	if v, err := l.Verify(context.Background(), nil); err != nil || !v.OK || v.Records != 2 {
		t.Errorf("verdict: %+v %v", v, err)
	}
}

// holds: U10
func TestU10AStepOfAProgramThatRunsIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	first := open(t, path, options())
	e := step("r1")
	must(t, first.Begin(context.Background(), e))
	second := open(t, path, options())
	if log := recorded(t, second, "r1"); len(log) != 0 {
		t.Fatalf("records: %+v", log)
	}
	var coded *bus.Error
	other := step("r2")
	other.Key = e.Key
	if err := second.Begin(context.Background(), other); !errors.As(err, &coded) || coded.Code != bus.Conflict {
		t.Errorf("the same key elsewhere: %v", err)
	}
	e.Result = entry("r1").Result
	must(t, first.Finish(context.Background(), e))
	if s := lookup(t, second, e.Key); s == nil || s.Unknown || !s.Result.OK() {
		t.Errorf("key: %+v", s)
	}
	if err := second.Begin(context.Background(), other); !errors.As(err, &coded) || coded.Code != bus.Conflict {
		t.Errorf("a key that is stored: %v", err)
	}
}

func TestAStepMayBeBegunAgainForAnotherAttempt(t *testing.T) {
	l := newLog(t)
	e := step("r1")
	must(t, l.Begin(context.Background(), e))
	must(t, l.Begin(context.Background(), e))
	e.Result = failed("r1", bus.Transient, bus.ReasonNetwork).Result
	must(t, l.Finish(context.Background(), e))
	if log := recorded(t, l, "r1"); len(log) != 1 || log[0].Reason != bus.ReasonNetwork {
		t.Errorf("records: %+v", log)
	}
	if s := lookup(t, l, e.Key); s != nil {
		t.Errorf("a failure is stored: %+v", s)
	}
}

// holds: U10
func TestU10AStepThatWasGivenUpIsUnknown(t *testing.T) {
	l := newLog(t)
	for _, reason := range []bus.Reason{bus.ReasonTimeout, bus.ReasonCancelled, bus.ReasonPanic} {
		e := step(string(reason))
		must(t, l.Begin(context.Background(), e))
		e.Result = failed(string(reason), bus.Transient, reason).Result
		must(t, l.Finish(context.Background(), e))
		if s := lookup(t, l, e.Key); s == nil || !s.Unknown {
			t.Errorf("%s: %+v", reason, s)
		}
	}
}

func TestAProgramLeavesNoFilesBehind(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "log.db")
	abandon(t, path, "r1")
	abandon(t, path)
	files, err := os.ReadDir(dir)
	must(t, err)
	for _, f := range files {
		if strings.Contains(f.Name(), "alive") {
			t.Errorf("left: %s", f.Name())
		}
		info, err := f.Info()
		must(t, err)
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s may be read by others: %v", f.Name(), info.Mode())
		}
	}
}
