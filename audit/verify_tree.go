package audit

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/deskhand/deskhand/audit/internal/heads"
	"github.com/deskhand/deskhand/audit/internal/tiles"
)

// readTiles reads the full tiles with leaves of a chunk.
func (p *chunk) readTiles(ctx context.Context, upTo int64) error {
	if p.of.stream != mainStream {
		return nil
	}
	t := tree{base: p.of.storedHead.tree}
	p.tiles = map[int64][]byte{}
	rows, err := p.of.l.readers.db.QueryContext(ctx,
		"SELECT tile, hashes FROM audit_tiles WHERE level = 0 AND tile >= ? AND tile <= ?", t.full(p.last.seq), t.full(upTo))
	return each(rows, err, func() error {
		var n int64
		var hashes []byte
		err := rows.Scan(&n, &hashes)
		p.tiles[n] = hashes
		return err
	})
}

// leaf checks that a record is in the tree. [Log.verifyTree] checks that the tree has exactly the right tiles.
func (p *chunk) leaf(seq int64, hash []byte) {
	at := seq - p.of.storedHead.tree - 1
	tile := p.tiles[at/tiles.Width]
	p.buf = tiles.Leaf(p.buf[:0], hash)
	from := int(at%tiles.Width) * len(p.buf)
	if len(tile) == tiles.Bytes && !bytes.Equal(tile[from:from+len(p.buf)], p.buf) {
		p.fail(seq, "The tree of the log has another record %d.", seq)
	}
}

// verifyTree checks in one snapshot that the tree has exactly the tiles that its records have filled, and that each
// level follows from the one below.
func (l *Log) verifyTree(ctx context.Context, v *Verdict) error {
	tx, err := l.readers.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it only read
	var seq, removed int64
	t := tree{q: tx}
	if err := tx.QueryRowContext(ctx, `SELECT h.seq, h.tree, coalesce(c.seq, 0) FROM audit_heads h
		LEFT JOIN audit_checkpoints c USING (stream) WHERE h.stream = 'main'`).Scan(&seq, &t.base, &removed); err != nil {
		return err
	}
	w := treeWalk{size: seq - t.base, removed: max(removed-t.base, 0)}
	rows, err := tx.QueryContext(ctx, "SELECT level, tile, hashes FROM audit_tiles ORDER BY level, tile")
	err = each(rows, err, func() error {
		var level int
		var n int64
		var hashes []byte
		err := rows.Scan(&level, &n, &hashes)
		w.tile(level, n, hashes)
		return err
	})
	if err == nil && !w.complete() {
		// A tile of a higher level covers more records, of which this is the first.
		first := min(t.base+w.next<<(8*(w.level+1)), seq-1) + 1
		v.report(mainStream, finding{first, fmt.Sprintf("The tree of the log was changed at record %d.", first)})
		return nil
	}
	if err != nil {
		return err
	}
	return t.verifySigned(ctx, seq, v)
}

// verifySigned checks that each signed head is one that the log had.
func (t tree) verifySigned(ctx context.Context, seq int64, v *Verdict) error {
	type signed struct {
		size            int64
		key, checkpoint string
	}
	rows, err := t.q.QueryContext(ctx, "SELECT size, key, checkpoint FROM audit_signed ORDER BY size")
	all, err := collect(rows, err, func(s *signed) []any { return []any{&s.size, &s.key, &s.checkpoint} })
	if err != nil {
		return err
	}
	for _, s := range all {
		last := t.base + s.size
		h, bad := heads.Open(s.key, s.checkpoint)
		switch {
		case bad != nil || h.Size != s.size || h.After != t.base:
			v.report(mainStream, finding{min(last, seq), fmt.Sprintf("The signed head of record %d was changed.", last)})
			return nil
		case last > seq:
			v.report(mainStream, finding{seq + 1, fmt.Sprintf("The log ends with record %d, but its head at record %d was "+
				"signed: its last records were removed.", seq, last)})
			return nil
		}
		root, err := t.root(last)
		if err != nil && !errors.Is(err, tiles.ErrMissing) {
			return err
		}
		if err != nil || !bytes.Equal(root, h.Root[:]) {
			v.report(mainStream, finding{last, fmt.Sprintf("The log up to record %d is not the one whose head was signed: it "+
				"was rewritten.", last)})
			return nil
		}
	}
	return nil
}

// treeWalk follows the stored tiles, level by level.
type treeWalk struct {
	size    int64  // of the tree
	removed int64  // leaves whose records were removed
	level   int    // the present level
	next    int64  // the next tile at this level
	below   []byte // the right hashes of the level; nil at level 0, whose leaves were compared with the records
	roots   []byte // of the level's full tiles so far
	bad     bool   // the tile next is wrong
}

// tile checks the next stored tile.
func (w *treeWalk) tile(level int, n int64, hashes []byte) {
	if w.bad {
		return
	}
	if w.wanted() == 0 {
		w.level, w.next, w.below, w.roots = w.level+1, 0, w.roots, nil
	}
	if wanted := w.wanted(); level != w.level || n != w.next || wanted == 0 || wanted != len(hashes) ||
		level > 0 && !bytes.Equal(hashes, w.below[n*tiles.Bytes:][:wanted]) {
		w.bad = true
		return
	}
	if w.next++; len(hashes) == tiles.Bytes {
		root := tiles.Root(hashes)
		w.roots = append(w.roots, root[:]...)
	}
}

// complete reports whether each tile was there and correct.
func (w *treeWalk) complete() bool { return !w.bad && w.wanted() == 0 && len(w.roots) == 0 }

// wanted returns the right length of the tile next, in bytes; 0 if there is none.
func (w *treeWalk) wanted() int {
	if w.level > 0 {
		return max(min(len(w.below)-int(w.next)*tiles.Bytes, tiles.Bytes), 0)
	}
	if _, full := tiles.Level(w.size, 0); w.next < full {
		return tiles.Bytes
	}
	one := len(tiles.Leaf(nil, nil))
	return max(int(w.removed-w.next*tiles.Width), 0) * one
}
