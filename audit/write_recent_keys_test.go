package audit_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/uuid"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// timed is a key that begins with a time, as UUIDs of version 7 do.
func timed(ms uint64, rest uint64) *bus.Key {
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:8], ms<<16|7<<12)
	binary.BigEndian.PutUint64(id[8:], rest&(1<<62-1)|1<<63)
	return key(id.String())
}

func TestAStoredKeyIsNeverTakenForFree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var known audit.RecentKeys
	stored := map[string]bool{}
	var all []*bus.Key
	spared := 0
	for n := range uint64(20_000) {
		k := timed(1_000_000+n/8+r.Uint64N(40), r.Uint64()) // many in one ms, and not in order
		if r.IntN(20) == 0 {
			k = key(fmt.Sprint("by hand ", n)) // has no place in the order
		}
		if known.Free(*k) {
			spared++
		}
		known.Add(*k)
		stored[k.Value] = true
		all = append(all, k)
		for range 4 {
			if old := all[r.IntN(len(all))]; known.Free(*old) {
				t.Fatalf("after %d: %s is stored", n, old.Value)
			}
		}
	}
	if spared < 15_000 {
		t.Errorf("only %d look-ups of 20000 were spared", spared)
	}
}

// TestAKeyThatAnotherProgramStoredIsFound takes turns of two programs on one file.
func TestAKeyThatAnotherProgramStoredIsFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	programs := []*audit.Log{open(t, path, options()), open(t, path, options())}
	r := rand.New(rand.NewPCG(1, 2))
	stored := map[string]string{} // key → request
	var keys []*bus.Key
	for n := range uint64(400) {
		k := timed(1_000_000+n/3, r.Uint64())
		if len(keys) > 0 && r.IntN(2) == 0 {
			k = keys[r.IntN(len(keys))]
		}
		keys = append(keys, k)
		e := entry(fmt.Sprint("r", n))
		e.Key = k
		must(t, programs[r.IntN(2)].Do(context.Background(), e, func(ctx context.Context, x bus.Exec) error {
			prior := x.Prior()
			if was, ok := stored[k.Value]; ok != (prior != nil) || ok && prior.RequestID != was {
				t.Fatalf("request %d: key %s: %+v, stored by %q", n, k.Value, prior, was)
			}
			if e.Result.Replayed = prior != nil; e.Result.Replayed {
				return nil
			}
			_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO counters VALUES (?, 1) ON CONFLICT DO NOTHING`, int64(n))
			return err
		}))
		if _, ok := stored[k.Value]; !ok {
			stored[k.Value] = fmt.Sprint("r", n)
		}
	}
}
