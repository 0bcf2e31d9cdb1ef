package audit_test

import (
	"path/filepath"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// holds: M2
func TestM2TheDataVersionFollowsEveryChangeWhoeverMadeIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "toy.db")
	b, log := toyAt(t, path, bus.Options{})
	_, other := toyAt(t, path, bus.Options{})
	version := func(l *audit.Log) string {
		t.Helper()
		v, err := l.DataVersion(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	before := version(other)
	if got := version(log); got != before {
		t.Errorf("two programs on one file see %s and %s", got, before)
	}
	if r := call(b, "", "toy.act", `{"steps":[0]}`); !r.OK() {
		t.Fatal(r.Err)
	}
	if got := version(other); got == before || got != version(log) {
		t.Errorf("after a change by another program: %s, before %s", got, before)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := log.DataVersion(t.Context()); err == nil {
		t.Error("a closed journal has a version")
	}
}
