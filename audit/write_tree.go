package audit

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/deskhand/deskhand/audit/internal/tiles"
	"github.com/deskhand/deskhand/bus"
)

// tree is the Merkle tree over the hashes of the main stream's records, as one connection sees it.
type tree struct {
	q       querier
	base    int64 // it begins after this record
	session *session
}

// tree returns the tree that the transaction may extend.
func (b *batch) tree(h *head) tree { return tree{b.w.session.conn, h.tree, b.w.session} }

// full returns the number of full tiles if the log ends with a record.
func (t tree) full(seq int64) int64 {
	_, full := tiles.Level(max(seq-t.base, 0), 0)
	return full
}

// Read implements [tiles.Store]. It reads leaves that are in no tile from their records.
func (t tree) Read(level int, n int64) (hashes []byte, err error) {
	rows, err := t.q.QueryContext(context.Background(), "SELECT hashes FROM audit_tiles WHERE level = ? AND tile = ?",
		level, n)
	err = each(rows, err, func() error { return rows.Scan(&hashes) })
	if err != nil || level > 0 || len(hashes) >= tiles.Bytes {
		return hashes, err
	}
	next := t.base + n*tiles.Width + int64(len(hashes)/len(tiles.Leaf(nil, nil))) + 1
	rows, err = t.q.QueryContext(context.Background(),
		"SELECT seq, hash FROM audit_records WHERE seq >= ? AND seq <= ? ORDER BY seq", next, t.base+(n+1)*tiles.Width)
	return hashes, each(rows, err, func() error {
		var seq int64
		var hash []byte
		err := rows.Scan(&seq, &hash)
		if seq == next { // stop at the first missing one
			next++
			hashes = tiles.Leaf(hashes, hash)
		}
		return err
	})
}

// Write implements [tiles.Store].
func (t tree) Write(level int, n int64, hashes []byte) error {
	_, err := t.session.exec("INSERT INTO audit_tiles (level, tile, hashes) VALUES (?, ?, ?) "+
		"ON CONFLICT (level, tile) DO UPDATE SET hashes = excluded.hashes", level, n, hashes)
	return err
}

// root returns the root of the tree if the log ends with a record.
func (t tree) root(seq int64) ([]byte, error) {
	if seq < t.base {
		return nil, tiles.ErrMissing
	}
	root, err := tiles.Read(t.Read).Root(seq - t.base)
	return root[:], err
}

// filled returns the number of full tiles that are stored.
func (t tree) filled() (n int64, err error) {
	err = t.session.scan("SELECT tile + 1 FROM audit_tiles WHERE level = 0 AND length(hashes) = ? "+
		"ORDER BY tile DESC LIMIT 1", []any{tiles.Bytes}, &n)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return n, err
}

// growTree stores the tiles that the transaction's records have filled.
func (b *batch) growTree() error {
	h := b.heads[mainStream]
	if h == nil || b.w.treeless {
		return nil
	}
	t := b.tree(h)
	full := t.full(h.seq)
	if full == t.full(b.before) {
		return nil
	}
	_, err := b.fillTiles(h, full)
	return err
}

// fillTiles stores the full tiles up to a number of them, and returns the number stored. If the log or its tree is
// damaged it stores fewer: Verify reports the first missing one, and the work continues.
func (b *batch) fillTiles(h *head, upTo int64) (n int64, err error) {
	t := b.tree(h)
	if n, err = t.filled(); err != nil {
		return n, fmt.Errorf("extend the tree: %w", err)
	}
	for ; n < upTo; n++ {
		leaves := b.recentLeaves(h, n)
		if leaves == nil {
			leaves, err = t.Read(0, n)
		}
		if err == nil && len(leaves) != tiles.Bytes {
			return n, nil
		}
		if err == nil {
			err = tiles.Fill(t, n, leaves)
		}
		if errors.Is(err, tiles.ErrMissing) {
			return n, nil
		}
		if err != nil {
			return n, fmt.Errorf("extend the tree: %w", err)
		}
	}
	return n, nil
}

// recentLeaves returns the leaves of a tile from the hashes in memory; nil if some are missing.
func (b *batch) recentLeaves(h *head, n int64) (leaves []byte) {
	known := len(b.w.recent) + len(b.hashes)
	skip := int(h.tree+n*tiles.Width-h.seq) + known
	if skip < 0 {
		return nil
	}
	for i := range tiles.Width {
		at := skip + i
		if at < len(b.w.recent) {
			leaves = tiles.Leaf(leaves, b.w.recent[at][:])
		} else {
			leaves = tiles.Leaf(leaves, b.hashes[at-len(b.w.recent)][:])
		}
	}
	return leaves
}

// keepRecent keeps the hashes of records that fill no tile yet, after their commit.
func (w *writer) keepRecent(b *batch) {
	h := b.heads[mainStream]
	if h == nil {
		return
	}
	w.recent = append(w.recent, b.hashes...)
	open := max(h.seq-h.tree, 0) % tiles.Width
	w.recent = w.recent[max(len(w.recent)-int(open), 0):]
}

// keepLeaves keeps the leaves of the records that are about to be removed. To the effect of the removal it adds the
// number of the first record in the tree, and the root after the last removed record, which tie the leaves to the
// chain.
func (b *batch) keepLeaves(upTo int64, removal bus.Effect) error {
	h, err := b.head(mainStream)
	if err != nil {
		return err
	}
	t := b.tree(h)
	full, err := b.fillTiles(h, t.full(h.seq))
	if err != nil {
		return err
	}
	hashes, stored := tiles.Level(upTo-h.tree, 0)
	if open := int(hashes % tiles.Width); open > 0 && stored == full {
		leaves, err := t.Read(0, stored)
		if err != nil {
			return err
		}
		keep := open * len(tiles.Leaf(nil, nil))
		if len(leaves) >= keep {
			if err := t.Write(0, stored, leaves[:keep]); err != nil {
				return err
			}
		}
	}
	root, err := t.root(upTo)
	if errors.Is(err, tiles.ErrMissing) {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The log is not whole: nothing was removed.").
			WithHint("Verify the log.")
	}
	removal.After["tree_from"], removal.After["tree_root"] = h.tree+1, hex.EncodeToString(root)
	return err
}

// tilesATime limits a commit that builds the tree of an old log.
const tilesATime = 64

// growOldTree builds the tree for the records of an earlier program. It continues an interrupted call.
func (l *Log) growOldTree() error {
	for last := int64(-1); ; {
		var done, full int64
		err := l.writer.bookkeep(func(b *batch) error {
			h, err := b.head(mainStream)
			if err != nil {
				return err
			}
			full = b.tree(h).full(h.seq)
			if done, err = b.tree(h).filled(); err == nil && done < full {
				b.wrote = true
				done, err = b.fillTiles(h, min(full, done+tilesATime))
			}
			return err
		})
		if l.o.Progress != nil && full > 0 {
			l.o.Progress(done*tiles.Width, full*tiles.Width)
		}
		if err != nil || done >= full || done == last {
			return err
		}
		last = done
	}
}
