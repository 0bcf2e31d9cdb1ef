package audit

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"
)

const (
	// scrubDelay is the pause before the next attempt.
	scrubDelay = time.Second
	// scrubAtOnce is the number of pages cleared in one commit, which limits the wait of other writers.
	scrubAtOnce = 128
	// scanAtOnce is the number of pages read at a time.
	scanAtOnce = 2048
	// maxScrubbed limits the pages of a file. An overflow page begins with the number of the next page, whose first
	// byte must not look like that of a b-tree page.
	maxScrubbed = 1 << 25
)

// scrubber overwrites the remains of erased rows. SQLite's secure_delete overwrites a row in its place, but not the
// copies that stay in a page's unused middle when its rows move to another page. So after an erasure the scrubber reads
// all pages once while others write, and clears each middle that is not empty, some pages at a time. A clean page
// cannot get erased data again, because rows are copied from their places, never from a middle. A VACUUM instead made
// a writer wait 52 seconds, and every open program would have to notice a new file.
//
// The table audit_traces holds its progress, so that it continues when the log is opened again.
type scrubber struct {
	l     *Log
	asks  chan chan<- struct{}
	ended chan struct{}
}

func startScrubber(l *Log) *scrubber {
	s := &scrubber{l: l, asks: make(chan chan<- struct{}), ended: make(chan struct{})}
	go s.loop()
	return s
}

// loop scrubs on request and after each erasure, and retries after scrubDelay until it has succeeded.
func (s *scrubber) loop() {
	defer close(s.ended)
	var again <-chan time.Time
	if s.l.store.traces { // an earlier program did not finish
		again = time.After(0)
	}
	for {
		var asked chan<- struct{}
		select {
		case asked = <-s.asks:
		case <-again:
		case <-s.l.writer.queued:
		case <-s.l.writer.ended:
			return
		}
		again = nil
		if err := s.scrub(); err != nil && !errors.Is(err, errClosed) {
			s.l.o.Logger.Error("audit: traces of what was erased are still in the file", "error", err)
			again = time.After(scrubDelay)
		}
		if asked != nil {
			close(asked)
		}
	}
}

// wait returns when the file was scrubbed of all data erased so far, or the attempt failed.
func (s *scrubber) wait() {
	done := make(chan struct{})
	select {
	case s.asks <- done:
	case <-s.ended:
		return
	}
	<-done
}

// scrub processes the file from the stored position.
func (s *scrubber) scrub() error {
	for {
		if words, err := s.eraseWords(); words || err != nil { // before the pages on which this leaves traces
			if err != nil {
				return err
			}
			continue
		}
		var at scrubState
		err := s.l.readers.db.QueryRow("SELECT erasure, page, (SELECT page_count FROM pragma_page_count) FROM audit_traces").
			Scan(&at.erasure, &at.page, &at.pages)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err == nil && at.pages >= maxScrubbed {
			err = fmt.Errorf("the file has %d pages, which is too many to tell them apart", at.pages)
		}
		if err != nil {
			return err
		}
		var dirty []int64
		next := int64(0)
		if at.page > 0 {
			if dirty, next, err = s.dirtyPages(at.page, at.pages); err != nil {
				return err
			}
		}
		if err := s.l.writer.bookkeep(func(b *batch) error { return b.clearPages(dirty, at.erasure, next) }); err != nil ||
			next == 0 {
			return err
		}
	}
}

// scrubState is the progress of the scrubber.
type scrubState struct {
	erasure, page, pages int64
}

// eraseWords removes some of the queued words, and reports whether there were any.
func (s *scrubber) eraseWords() (some bool, err error) {
	err = s.l.readers.db.QueryRow("SELECT EXISTS (SELECT 1 FROM audit_forgotten)").Scan(&some)
	if some && err == nil {
		err = s.l.writer.bookkeep((*batch).eraseQueuedTexts)
	}
	return some, err
}

// dirtyPages returns the next pages to clear and the position to continue from; 0 at the end.
func (s *scrubber) dirtyPages(from, pages int64) (dirty []int64, next int64, err error) {
	for ; from <= pages; from += scanAtOnce {
		rows, err := s.l.readers.db.Query(
			`WITH RECURSIVE n (page) AS (SELECT ?1 UNION ALL SELECT page + 1 FROM n WHERE page < ?2)
			SELECT page, data FROM n CROSS JOIN sqlite_dbpage ON pgno = page`, from, min(pages, from+scanAtOnce-1))
		err = each(rows, err, func() error {
			var page int64
			var data sql.RawBytes
			if err := rows.Scan(&page, &data); err != nil {
				return err
			}
			if len(dirty) < scrubAtOnce && slices.ContainsFunc(unused(page, data), isNonZero) {
				dirty, next = append(dirty, page), page+1
			}
			return nil
		})
		if err != nil {
			return nil, 0, err
		}
		if len(dirty) == scrubAtOnce {
			return dirty, next, nil
		}
	}
	return dirty, 0, nil
}

func isNonZero(b byte) bool { return b != 0 }

// unused returns the part of a b-tree page without content, between the list of its cells and the first cell; nil for a
// page of another kind.
func unused(page int64, data []byte) []byte {
	if page == 1 && len(data) > 100 { // the header of the file
		data = data[100:]
	}
	head := 0
	switch {
	case len(data) < 12:
	case data[0] == 2 || data[0] == 5: // interior
		head = 12
	case data[0] == 10 || data[0] == 13: // leaf
		head = 8
	}
	if head == 0 {
		return nil
	}
	from, to := head+2*int(binary.BigEndian.Uint16(data[3:])), int(binary.BigEndian.Uint16(data[5:]))
	to = cmp.Or(to, 1<<16)
	if page == 1 {
		to -= 100
	}
	if from > to || to > len(data) {
		return nil
	}
	return data[from:to]
}

// clearPages clears the unused middle of pages, and stores the next page to scrub; 0 means that all are done.
func (b *batch) clearPages(pages []int64, erasure, next int64) error {
	b.wrote = true
	for _, page := range pages {
		var data []byte
		if err := b.w.session.scan("SELECT data FROM sqlite_dbpage WHERE pgno = ?", []any{page}, &data); err != nil {
			return fmt.Errorf("read page %d: %w", page, err)
		}
		clear(unused(page, data))
		if _, err := b.w.session.exec("UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?", data, page); err != nil {
			return fmt.Errorf("clear page %d: %w", page, err)
		}
	}
	b.scrubbed = next == 0
	_, err := b.w.session.exec("UPDATE audit_traces SET page = ? WHERE erasure = ?", next, erasure)
	return err
}

// requestScrub makes the scrubber process the whole file.
func (b *batch) requestScrub() error {
	_, err := b.w.session.exec("INSERT INTO audit_traces (id, erasure, page) VALUES (1, 1, 1) ON CONFLICT (id) DO " +
		"UPDATE SET erasure = erasure + 1, page = 1")
	return err
}

// truncateWAL removes the older images of scrubbed pages from the write-ahead log. It fails while another connection
// reads an older state or another program writes.
func (w *writer) truncateWAL() {
	if !w.walStale {
		return
	}
	var busy, pages, moved int
	err := w.session.conn.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)").
		Scan(&busy, &pages, &moved)
	if err == nil && busy != 0 || IsLocked(err) {
		return
	}
	if err == nil {
		w.walStale = false
		forget := func(b *batch) error {
			b.wrote = true
			_, err := b.w.session.exec("DELETE FROM audit_traces WHERE page = 0")
			return err
		}
		_, err = w.transaction([]*work{{kind: workBookkeeping, bookkeeping: forget}}, admitNone)
	}
	if err != nil {
		w.l.o.Logger.Error("audit: traces of what was erased may still be in the write-ahead log", "error", err)
	}
}

// truncateWALLater returns the time of the next attempt, nil if nothing is left to do.
func (w *writer) truncateWALLater() <-chan time.Time {
	if !w.walStale {
		return nil
	}
	return time.After(scrubDelay)
}

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
