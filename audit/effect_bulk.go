package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/audit/chain"
	"github.com/deskhand/deskhand/bus"
)

// bulk replaces the rows of work that changes very many: per table it keeps counts and a digest. Each statement has its
// own digest, so that a failed one can be omitted; a table's digest is over its statements' digests. The same
// statements on the same data give the same digest.
type bulk struct {
	kept      map[*table]*tally
	statement map[*table]*tally // of the running statement
}

type tally struct {
	inserted, updated, deleted int64
	digest                     [sha256.Size]byte
	buf                        []byte
}

func newBulk() *bulk { return &bulk{kept: map[*table]*tally{}, statement: map[*table]*tally{}} }

func tallyOf(m map[*table]*tally, t *table) *tally {
	if m[t] == nil {
		m[t] = &tally{}
	}
	return m[t]
}

// add counts one change of the running statement and extends the digest of its table.
func (b *bulk) add(ch change) {
	t := tallyOf(b.statement, ch.table)
	switch {
	case ch.before == nil:
		t.inserted++
	case ch.after == nil:
		t.deleted++
	default:
		t.updated++
	}
	t.buf = append(t.buf[:0], t.digest[:]...)
	for _, image := range [][]any{ch.before, ch.after} {
		t.buf = append(t.buf, byte(len(image)>>8), byte(len(image)))
		for _, v := range image {
			t.buf = chain.AppendValue(t.buf, v)
		}
	}
	t.digest = sha256.Sum256(t.buf)
}

// keep adds the counts and digests of the statement to those of the run, after the statement has succeeded.
func (b *bulk) keep() {
	for table, s := range b.statement {
		t := tallyOf(b.kept, table)
		t.inserted += s.inserted
		t.updated += s.updated
		t.deleted += s.deleted
		t.buf = append(append(t.buf[:0], t.digest[:]...), s.digest[:]...)
		t.digest = sha256.Sum256(t.buf)
	}
	clear(b.statement)
}

func (b *bulk) drop() { clear(b.statement) }

// effects returns one effect per table, by name.
func (b *bulk) effects() []bus.Effect {
	var out []bus.Effect
	for table, t := range b.kept {
		out = append(out, bus.Effect{Table: table.name, Op: bus.Bulk, After: map[string]any{
			"inserted": t.inserted, "updated": t.updated, "deleted": t.deleted, "digest": hex.EncodeToString(t.digest[:]),
		}})
	}
	slices.SortStableFunc(out, func(a, b bus.Effect) int { return strings.Compare(a.Table, b.Table) })
	return out
}
