package audit

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/audit/chain"
	"github.com/deskhand/deskhand/bus"
)

// errTransactionLost means that a statement ended the shared transaction.
var errTransactionLost = errors.New("audit: a statement ended the transaction")

// batch is one transaction of the writer.
type batch struct {
	w        *writer
	heads    map[*stream]*head // read when first needed: another program may have written
	before   int64             // the last record of the main stream before this transaction
	newNames []string          // capability names that this transaction numbered
	sums     rollup            // of its records
	countNow bool              // its records must be in the roll-ups
	counted  bool              // they are, with those of earlier commits
	wrote    bool
	sign     bool // its head is to be signed
	queued   bool // words wait for the scrubber
	scrubbed bool // no page of the file has traces of erased data
	alone    bool // one entry has the transaction to itself
	buf      []byte
	hashes   [][chain.Size]byte // of its records of the main stream
	named    *bus.Key           // the last key passed to nameOf
	name     keyName

	by     *Log          // the log whose work is running; see [work]
	events []recordEvent // its records, for the other logs of the file

	next  *replacement // the copy that replaces the file; nil for none
	last  *row         // the record of the restoring request
	entry *bus.Entry
}

// head is the last record of a stream.
type head struct {
	seq     int64
	hash    []byte
	hour    int64 // the latest hour in which a record began, UTC hours since 1970
	indexed int64 // the last record in the text index
	counted int64 // the last record in the roll-ups
	swept   int64 // up to this record no expiring key is left
	tree    int64 // the Merkle tree begins after this record
}

// begin takes the write lock. It waits as long as other programs make progress: it gives up if none has committed, or
// noted that it still runs, within its patience, or after mostPatience.
func (w *writer) begin() (*batch, error) {
	before := w.l.store.fair.Noted()
	w.waitsFor.Store(&before)
	leave := w.l.store.fair.Enter(context.Background())
	defer leave()
	version, note := -1, before
	// SQLite's wait sleeps for longer than another program's commit takes.
	pause := 20 * time.Microsecond
	for waited, all := time.Duration(0), time.Duration(0); ; waited += pause {
		_, err := w.session.exec("BEGIN IMMEDIATE")
		if err == nil {
			return w.begun()
		}
		if !IsLocked(err) {
			return nil, err
		}
		if version < 0 || waited > w.patience {
			newVersion, newNote := w.dataVersion(), w.l.store.fair.Noted()
			if all += waited; version >= 0 && (newVersion == version && newNote == note || all > mostPatience) {
				return nil, err
			}
			version, note, waited = newVersion, newNote, 0
		}
		pause = min(2*pause, time.Millisecond)
		time.Sleep(pause)
	}
}

// mostPatience limits the wait for the write lock while other programs make progress.
const mostPatience = 10 * time.Minute

// busyWith returns the capability that work waits for, if the wait is long: the one in this program's transaction, or
// the one that another program noted during the wait. It returns "" if none is known.
func (w *writer) busyWith() (capability string) {
	if !w.long.Load() {
		return ""
	}
	if running := w.running.Load(); running != nil {
		return *running
	}
	if before := w.waitsFor.Load(); before != nil {
		if note := w.l.store.fair.Noted(); note != *before {
			_, capability, _ = strings.Cut(note, " ")
		}
	}
	return capability
}

// watchLong sets long once a transaction has lasted a fifth of the patience. From then on it notes the running
// capability for other programs at regular intervals, unless the transaction still waits for the write lock.
func (w *writer) watchLong() (stop func()) {
	done, ended, every := make(chan struct{}), make(chan struct{}), w.patience/5
	timer := time.AfterFunc(every, func() {
		defer close(ended)
		tick := time.NewTicker(every)
		defer tick.Stop()
		w.long.Store(true)
		for n := 1; ; n++ {
			if w.waitsFor.Load() == nil {
				capability := ""
				if running := w.running.Load(); running != nil {
					capability = *running
				}
				w.l.store.fair.Note(fmt.Sprintf("%d-%d %s", os.Getpid(), n, capability))
			}
			select {
			case <-tick.C:
			case <-done:
				return
			}
		}
	})
	return func() {
		close(done)
		if !timer.Stop() {
			<-ended
		}
		w.running.Store(nil)
		w.long.Store(false)
	}
}

// dataVersion returns a number that changes when another connection commits.
func (w *writer) dataVersion() (version int) {
	if err := w.session.conn.QueryRowContext(context.Background(), "PRAGMA data_version").Scan(&version); err != nil {
		return 0 // as if there was no change
	}
	return version
}

// begun returns the batch of a transaction that has begun.
func (w *writer) begun() (*batch, error) {
	b := &batch{w: w, heads: map[*stream]*head{}}
	if w.headCache.valid(w.session) {
		return b, nil
	}
	w.recent = nil
	if err := errors.Join(w.recentKeys.learn(w.session), b.countForeign()); err != nil {
		b.rollback()
		return nil, err
	}
	return b, nil
}

// rollback ends the transaction without its changes, and forgets the numbers of new capabilities.
func (b *batch) rollback() {
	// The transaction may have ended already; afterwards none is open.
	_, _ = b.w.session.exec("ROLLBACK")
	for _, name := range b.newNames {
		delete(b.w.numbers, name)
	}
}

// commit stores the counts, the tree and the heads, commits, and updates the writer's caches.
func (b *batch) commit() error {
	if b.last != nil {
		return b.replace()
	}
	if err := b.next.discard(); err != nil { // a dry run, or failed
		return err
	}
	if !b.wrote {
		b.rollback()
		return nil
	}
	if err := errors.Join(b.count(), b.growTree()); err != nil {
		return err
	}
	for s, h := range b.heads {
		if _, err := b.w.session.exec("UPDATE audit_heads SET seq = ?, hash = ?, hour = ?, indexed = ?, counted = ?, "+
			"swept = ?, tree = ? WHERE stream = ?",
			h.seq, h.hash, h.hour, h.indexed, h.counted, h.swept, h.tree, s.name); err != nil {
			return err
		}
	}
	if h := b.heads[mainStream]; h != nil {
		b.w.l.own.add(b.before, h.seq)
	}
	if _, err := b.w.session.exec("COMMIT"); err != nil {
		b.w.l.own.take(b.before)
		return err
	}
	b.w.headCache.store(b.w.session, b.heads)
	b.w.keepRecent(b)
	if b.counted {
		b.w.uncounted = rollup{}
	}
	b.w.uncounted.merge(&b.sums)
	b.w.l.keeper.committed(b.heads)
	if b.sign {
		b.w.l.signer.signal()
	}
	b.w.walStale = b.w.walStale || b.scrubbed
	if b.queued {
		select {
		case b.w.queued <- struct{}{}:
		default: // the scrubber has a signal already
		}
	}
	return nil
}

// member does one piece of work. Its own error goes to k.err; a returned error ends the transaction.
func (b *batch) member(k *work) error {
	if k.ctx != nil && (k.ctx.Err() != nil || !k.begin()) {
		k.err = k.ctx.Err()
		return nil
	}
	b.by = k.by
	switch k.kind {
	case workRecord:
		if k.entry.Token != nil && k.entry.Result.OK() {
			if _, err := b.tokenTaken(k.entry); err != nil {
				return k.own(err)
			}
		}
		return b.record(k.row, k.entry)
	case workBookkeeping:
		return k.own(k.bookkeeping(b))
	}
	b.w.running.Store(&k.entry.Invocation.Capability)
	return b.run(k)
}

// own keeps a coded error as the answer to k alone, and returns any other.
func (k *work) own(err error) error {
	if coded, ok := errors.AsType[*bus.Error](err); ok {
		k.err, err = coded, nil
	}
	return err
}

// record chains r to its stream and stores it, and the entry's result under its key. Any error ends the transaction,
// because no record may be missing.
func (b *batch) record(r *row, e *bus.Entry) error {
	if b.w.l.store.archive && r.stream == mainStream {
		return errArchive()
	}
	h, err := b.head(r.stream)
	if err != nil {
		return err
	}
	number, err := b.number(r.Capability)
	if err != nil {
		return err
	}
	for _, step := range r.steps {
		if _, err := b.number(step); err != nil {
			return err
		}
	}
	salt := make([]byte, saltSize)
	if _, err := io.ReadFull(b.w.salts, salt); err != nil {
		return fmt.Errorf("draw a salt: %w", err)
	}
	digest := chain.PayloadDigest(salt, r.body)
	r.Seq, r.PayloadDigest = h.seq+1, digest[:]
	b.buf = r.Append(b.buf[:0], r.stream.name, h.hash)
	hash := sha256.Sum256(b.buf)
	b.wrote = true
	if _, err := b.w.session.exec(r.stream.insertRecord, r.Seq, r.Time, r.Kind, r.RequestID, null(r.TraceID),
		null(r.ParentRequestID), null(r.ConversationID), null(r.CallerType), null(r.Person), number, null(r.SideEffect),
		r.Status, null(r.Code), r.Detail, r.PayloadDigest, h.hash, hash[:]); err != nil {
		return fmt.Errorf("store a record: %w", err)
	}
	if _, err := b.w.session.exec(r.stream.insertPayload, r.Seq, salt, r.body); err != nil {
		return fmt.Errorf("store a payload: %w", err)
	}
	if err := b.noteHour(r.stream, h, r.Seq, r.Time); err != nil {
		return err
	}
	if r.stream == mainStream && e != nil && b.by != nil && b.w.l.users.Load() > 1 {
		b.events = append(b.events, recordEvent{b.by, *e})
	}
	b.sums.add(r, number.Int64)
	h.seq, h.hash = r.Seq, hash[:]
	if r.stream == mainStream {
		b.hashes = append(b.hashes, hash)
		b.sign = b.sign || r.Status == string(bus.StatusSuccess) && slices.ContainsFunc(b.w.l.o.SignAfter,
			func(name string) bool { return name == r.Capability || slices.Contains(r.steps, name) })
	}
	if err := b.takeToken(e); err != nil && !errors.As(err, new(*bus.Error)) { // a refused call may have none
		return err
	}
	return b.storeResult(e, r.Seq)
}

const saltSize = 16

// head returns the stream's last record as this transaction sees it.
func (b *batch) head(s *stream) (*head, error) {
	if h := b.heads[s]; h != nil {
		return h, nil
	}
	h := &head{}
	if last, ok := b.w.headCache.heads[s]; ok {
		*h = last
	} else if err := b.w.session.scan("SELECT seq, hash, hour, indexed, counted, swept, tree FROM audit_heads "+
		"WHERE stream = ?", []any{s.name}, &h.seq, &h.hash, &h.hour, &h.indexed, &h.counted, &h.swept, &h.tree); err != nil {
		return nil, fmt.Errorf("read the head: %w", err)
	}
	if b.heads[s] = h; s == mainStream {
		b.before = h.seq
	}
	return h, nil
}

// number returns a capability's number in the dictionary, which it adds if necessary.
func (b *batch) number(name string) (sql.NullInt64, error) {
	if name == "" {
		return sql.NullInt64{}, nil
	}
	if n, ok := b.w.numbers[name]; ok {
		return sql.NullInt64{Int64: n, Valid: true}, nil
	}
	var n int64
	err := b.w.session.scan("SELECT id FROM audit_capabilities WHERE name = ?", []any{name}, &n)
	if errors.Is(err, sql.ErrNoRows) {
		err = b.w.session.scan("INSERT INTO audit_capabilities (name) VALUES (?) RETURNING id", []any{name}, &n)
	}
	if err != nil {
		return sql.NullInt64{}, fmt.Errorf("number the capability %q: %w", name, err)
	}
	if len(b.w.numbers) >= maxStatements {
		clear(b.w.numbers) // callers may send any number of unknown names
	}
	b.w.numbers[name] = n
	b.newNames = append(b.newNames, name)
	return sql.NullInt64{Int64: n, Valid: true}, nil
}

func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// noNumbers is the row of audit_series in a copy that gives no numbers.
const noNumbers = ""

// drawNumber draws the next number of a series. It continues after the number noted outside, because the file may be an
// older copy.
func (b *batch) drawNumber(series string, pinned int64) (number int64, err error) {
	last, err := seriesOf(b.w.session)
	if err != nil {
		return 0, err
	}
	number = pinned
	if _, none := last[noNumbers]; none && pinned == 0 {
		return 0, nil
	}
	if pinned == 0 {
		noted, err := b.w.l.notedSeries()
		if err != nil {
			return 0, err
		}
		number = max(last[series], noted[series]) + 1
	}
	return number, b.countTo(map[string]int64{series: number})
}

// countTo raises series to numbers that were given.
func (b *batch) countTo(series map[string]int64) error {
	for name, last := range series {
		if _, err := b.w.session.exec(`INSERT INTO audit_series (series, last) VALUES (?1, ?2)
			ON CONFLICT (series) DO UPDATE SET last = max(last, excluded.last)`, name, last); err != nil {
			return fmt.Errorf("count the series %q: %w", name, err)
		}
	}
	return nil
}

// countBack lowers series to before numbers that were given.
func (b *batch) countBack(given map[string][]int64) error {
	for name, numbers := range given {
		if _, err := b.w.session.exec(`UPDATE audit_series SET last = min(last, ?2 - 1) WHERE series = ?1`, name,
			slices.Min(numbers)); err != nil {
			return fmt.Errorf("count the series %q back: %w", name, err)
		}
	}
	return nil
}

// seriesOf reads the last number of each series.
func seriesOf(s *session) (map[string]int64, error) {
	text := "{}"
	err := s.scan(`SELECT json_group_object(series, last) FROM audit_series`, nil, &text)
	return decodeSeries(text, err)
}

func decodeSeries(text string, err error) (last map[string]int64, _ error) {
	if err == nil {
		err = json.Unmarshal([]byte(text), &last)
	}
	if err != nil {
		return nil, fmt.Errorf("audit: read the series: %w", err)
	}
	return last, nil
}

// headCache holds the heads of the streams since the writer's last commit, unless another program has written since.
type headCache struct {
	heads   map[*stream]head
	version uint32 // of the file after that commit
}

// store keeps heads that were just committed.
func (e *headCache) store(s *session, heads map[*stream]*head) {
	version, err := s.dataVersion()
	if err != nil {
		e.heads = nil // they are read next time
		return
	}
	if e.heads == nil {
		e.heads = map[*stream]head{}
	}
	for stream, h := range heads {
		e.heads[stream] = *h
	}
	e.version = version
}

// valid drops outdated heads, and reports whether some are known. Inside a transaction that may write they cannot
// become outdated.
func (e *headCache) valid(s *session) bool {
	version, err := s.dataVersion()
	if err != nil || e.heads == nil || version != e.version {
		e.heads = nil
		return false
	}
	return true
}
