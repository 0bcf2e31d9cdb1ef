package audit

import (
	"context"
	"fmt"
)

// removeFromIndex removes the index entries of a payload.
func (b *batch) removeFromIndex(s *stream, n numbered) error {
	text, subjects := indexTerms(n.body)
	b.wrote = true
	if _, err := b.w.session.exec("INSERT INTO "+s.texts+" ("+s.texts+", rowid, text) VALUES ('delete', ?, ?)", n.seq,
		text); err != nil {
		return fmt.Errorf("forget the words of record %d: %w", n.seq, err)
	}
	for _, subject := range subjects {
		if _, err := b.w.session.exec("DELETE FROM "+s.subjects+" WHERE subject = ? AND seq = ?", subject, n.seq); err !=
			nil {
			return fmt.Errorf("forget the subjects of record %d: %w", n.seq, err)
		}
	}
	return nil
}

// queueTextErasure queues the words of the records after one and up to another for eraseQueuedTexts.
func (b *batch) queueTextErasure(s *stream, after, upTo int64) error {
	h, err := b.head(s)
	if err != nil {
		return err
	}
	b.queued = true
	_, err = b.w.session.exec("INSERT INTO audit_forgotten (stream, seq, body) SELECT ?, seq, body "+
		"FROM "+s.payloads+" WHERE seq > ? AND seq <= ? ORDER BY seq", s.name, after, min(upTo, h.indexed))
	return err
}

// eraseTextsAtOnce is the number of records whose words are removed in one commit, because each word needs a change in
// the long list of records that have it.
const eraseTextsAtOnce = 32

// eraseQueuedTexts removes the words of some erased records from the index.
func (b *batch) eraseQueuedTexts() error {
	rows, err := b.w.session.conn.QueryContext(context.Background(),
		"SELECT id, stream, seq, body FROM audit_forgotten ORDER BY id LIMIT ?", eraseTextsAtOnce)
	var last int64
	some := map[*stream][]numbered{}
	err = each(rows, err, func() error {
		var in string
		var n numbered
		err := rows.Scan(&last, &in, &n.seq, &n.body)
		s := streamNamed(in)
		some[s] = append(some[s], n)
		return err
	})
	if err != nil {
		return err
	}
	for s, list := range some {
		for _, n := range list {
			if err := b.removeFromIndex(s, n); err != nil {
				return err
			}
		}
	}
	b.wrote = true
	_, err = b.w.session.exec("DELETE FROM audit_forgotten WHERE id <= ?", last)
	return err
}
