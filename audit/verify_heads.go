package audit

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/deskhand/deskhand/audit/chain"
	"github.com/deskhand/deskhand/bus"
)

// Head is the last record of a stream at some time. Noted outside the file, it reveals a log that was cut off, replaced
// by a copy or rewritten.
type Head struct {
	Stream string `json:"stream"`                               // "main" or "reads"
	Seq    int64  `json:"seq"`                                  // number of the record
	Hash   string `json:"hash"`                                 // its hash, hex
	Time   int64  `json:"time" jsonschema_extras:"x-time=true"` // time of the note, ms since 1970
	// Series is a JSON object with the last number of each series. [bus.Call.Next] continues after it, even if an older
	// copy of the file was restored.
	Series string `json:"series,omitempty"`
}

// Heads stores heads where a program that can write the file cannot: in a keychain, on another machine, in an exported
// file. One goroutine uses it at a time.
type Heads interface {
	// Save stores a head in place of an older one of the same stream.
	Save(Head) error
	// Load returns every known head: the last saved one for each stream, and others, such as those of exports.
	Load() ([]Head, error)
}

// A head is saved after this many new records or this time since the last save, and when the log is closed.
const (
	saveEvery = 1000
	saveAfter = time.Minute
)

// NoteHeads saves the present heads even if they do not match the saved ones, after the log was deliberately restored
// from a backup. The log also saves heads itself, but only while the saved one is still in the log, so that a log that
// was tampered with cannot hide that.
func (l *Log) NoteHeads(ctx context.Context) error {
	if l.keeper == nil {
		return nil
	}
	if err := l.writer.flush(ctx); err != nil {
		return fmt.Errorf("audit: note the heads: %w", err)
	}
	for _, s := range []*stream{mainStream, readsStream} {
		if err := l.keeper.saveHead(ctx, s); err != nil {
			return fmt.Errorf("audit: note the heads: %w", err)
		}
	}
	return nil
}

// compare returns the fault of the log if h was once its head; none if h is in the log or was removed by retention.
func (l *Log) compare(ctx context.Context, h *Head) (finding, error) {
	s := streamNamed(h.Stream)
	base, err := l.checkpoint(ctx, s)
	if err != nil || h.Seq < base.seq || h.Seq == 0 {
		return finding{}, err
	}
	hash, noted := base.hash, time.UnixMilli(h.Time).UTC().Format("2006-01-02 15:04 MST")
	if h.Seq > base.seq {
		err = l.readers.db.QueryRowContext(ctx, "SELECT hash FROM "+s.records+" WHERE seq = ?", h.Seq).Scan(&hash)
	}
	if errors.Is(err, sql.ErrNoRows) {
		var last int64
		err = l.readers.db.QueryRowContext(ctx, "SELECT coalesce(max(seq), ?) FROM "+s.records, base.seq).Scan(&last)
		return finding{min(last+1, h.Seq), fmt.Sprintf(
			"The log ends with record %d, but on %s it had a record %d: its last records were removed, or an older copy was "+
				"put in its place.", last, noted, h.Seq)}, err
	}
	if want, bad := hex.DecodeString(h.Hash); err == nil && (bad != nil || !bytes.Equal(want, hash)) {
		return finding{h.Seq, fmt.Sprintf("Record %d is not the one that was noted on %s: the log was rewritten.", h.Seq,
			noted)}, nil
	}
	return finding{}, err
}

// verifyHeads compares the log with the heads that were noted outside. Faults of the chain itself come first.
func (l *Log) verifyHeads(ctx context.Context, v *Verdict) error {
	if l.keeper == nil {
		return nil
	}
	heads, err := l.keeper.load()
	if err != nil {
		return fmt.Errorf("read the heads noted outside: %w", err)
	}
	v.Noted = len(heads)
	for i := range heads {
		f, err := l.compare(ctx, &heads[i])
		if err != nil {
			return err
		}
		v.report(streamNamed(heads[i].Stream), f)
	}
	return nil
}

// lookForHead checks that a record of the log has this hash.
func (l *Log) lookForHead(ctx context.Context, text string, v *Verdict) error {
	hash, err := hex.DecodeString(text)
	if err != nil || len(hash) != chain.Size {
		return bus.Errorf(bus.Validation, bus.ReasonArguments, "%q is not the head of a log.", text).
			WithHint("A head has %d hexadecimal digits; an export ends with it.", 2*chain.Size)
	}
	var found, removed bool
	err = l.readers.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM audit_records WHERE hash = ?1)
		OR EXISTS (SELECT 1 FROM audit_reads WHERE hash = ?1) OR EXISTS (SELECT 1 FROM audit_checkpoints WHERE hash = ?1),
		EXISTS (SELECT 1 FROM audit_checkpoints)`, hash).Scan(&found, &removed)
	switch {
	case err != nil:
		return err
	case found:
		v.Noted++
	case removed:
		v.report(mainStream, finding{v.Records + 1, fmt.Sprintf("No record has the hash %s: it was removed with an old "+
			"segment, the log was rewritten, or an older copy was put in its place.", text)})
	default:
		v.report(mainStream, finding{v.Records + 1, fmt.Sprintf("No record has the hash %s: the log was rewritten, or "+
			"an older copy was put in its place.", text)})
	}
	return nil
}

// headKeeper saves heads from time to time, on a separate goroutine, because a keychain may be slow. A nil one does
// nothing.
type headKeeper struct {
	l     *Log
	wake  chan struct{}
	ended chan struct{}

	mu       sync.Mutex // guards the fields below
	latest   map[*stream]int64
	saved    map[*stream]int64
	when     time.Time        // time of the last save
	replaced bool             // the log was replaced: the saved heads no longer count
	series   map[string]int64 // saved when the first number was drawn; nil: not read yet

	store sync.Mutex // held while Heads is used
}

// startKeeper starts the goroutine of a keeper; nil if [Options] have no Heads.
func startKeeper(l *Log) *headKeeper {
	if l.o.Heads == nil {
		return nil
	}
	k := &headKeeper{l: l, wake: make(chan struct{}, 1), ended: make(chan struct{}),
		latest: map[*stream]int64{}, saved: map[*stream]int64{}, when: l.o.Clock()}
	go func() {
		defer close(k.ended)
		for range k.wake {
			k.save()
		}
	}()
	return k
}

// committed gets the heads of every commit.
func (k *headKeeper) committed(heads map[*stream]*head) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	due := k.l.o.Clock().Sub(k.when) >= saveAfter
	for s, h := range heads {
		if _, known := k.saved[s]; !known {
			k.saved[s] = h.seq - 1
		}
		k.latest[s] = h.seq
		due = due || h.seq-k.saved[s] >= saveEvery
	}
	if due {
		k.signal()
	}
}

// signal makes the keeper save, at once or after the present save.
func (k *headKeeper) signal() {
	select {
	case k.wake <- struct{}{}:
	default: // signalled already
	}
}

// reset forgets the saved heads after the log was deliberately replaced. The keeper's goroutine saves the present
// heads.
func (k *headKeeper) reset() {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.latest, k.saved, k.replaced = map[*stream]int64{}, map[*stream]int64{}, true
	k.signal()
}

// stop saves the remaining heads.
func (k *headKeeper) stop() {
	if k == nil {
		return
	}
	close(k.wake)
	<-k.ended
	k.save()
}

// save saves the heads that have moved, unless the earlier ones do not match.
func (k *headKeeper) save() {
	k.mu.Lock()
	var moved []*stream
	for s, seq := range k.latest {
		if seq > k.saved[s] {
			moved, k.saved[s] = append(moved, s), seq
		}
	}
	k.when = k.l.o.Clock()
	note := k.saveIfPrefix
	if k.replaced {
		k.replaced, note, moved = false, k.saveHead, []*stream{mainStream, readsStream}
	}
	k.mu.Unlock()
	for _, s := range moved {
		if err := note(context.Background(), s); err != nil {
			k.l.o.Logger.Warn("audit: the head was not noted outside", "stream", s.name, "error", err)
		}
	}
}

// saveIfPrefix saves a stream's head if the head saved before is in the log.
func (k *headKeeper) saveIfPrefix(ctx context.Context, s *stream) error {
	heads, err := k.load()
	if err != nil {
		return err
	}
	for i := range heads {
		if streamNamed(heads[i].Stream) != s {
			continue
		}
		f, err := k.l.compare(ctx, &heads[i])
		if err != nil {
			return err
		}
		if f.problem != "" {
			return errors.New(f.problem)
		}
	}
	return k.saveHead(ctx, s)
}

// saveHead saves the present head of a stream without a comparison.
func (k *headKeeper) saveHead(ctx context.Context, s *stream) error {
	h, err := k.l.lastHead(ctx, s)
	if err != nil || h.seq == 0 {
		return err
	}
	noted := Head{Stream: s.name, Seq: h.seq, Hash: hex.EncodeToString(h.hash), Time: k.l.o.Clock().UnixMilli()}
	if s == mainStream {
		if noted.Series, err = k.l.series(ctx); err != nil {
			return err
		}
	}
	k.store.Lock()
	defer k.store.Unlock()
	return k.l.o.Heads.Save(noted)
}

func (k *headKeeper) load() ([]Head, error) {
	k.store.Lock()
	defer k.store.Unlock()
	return k.l.o.Heads.Load()
}

// series returns the last number of each series in the form for a head, "" without any.
func (l *Log) series(ctx context.Context) (string, error) {
	var text string
	err := l.readers.db.QueryRowContext(ctx, `SELECT json_group_object(series, last) FROM audit_series
		WHERE series <> ?`, noNumbers).Scan(&text)
	last, err := decodeSeries(text, err)
	if err != nil {
		return "", err
	}
	before, err := l.notedSeries()
	if err != nil {
		return "", err
	}
	higher(last, before)
	if len(last) == 0 {
		return "", nil
	}
	whole, err := json.Marshal(last)
	return string(whole), err
}

// notedSeries returns the last numbers that were noted outside the file before this program drew or noted any.
func (l *Log) notedSeries() (map[string]int64, error) {
	k := l.keeper
	if k == nil {
		return nil, nil
	}
	k.mu.Lock()
	noted := k.series
	k.mu.Unlock()
	if noted != nil {
		return noted, nil
	}
	heads, err := k.load()
	if err != nil {
		return nil, fmt.Errorf("audit: read the numbers noted outside: %w", err)
	}
	noted = map[string]int64{}
	for _, h := range heads {
		if h.Series != "" {
			last, err := decodeSeries(h.Series, nil)
			if err != nil {
				return nil, err
			}
			higher(noted, last)
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.series = noted
	return noted, nil
}

// higher raises numbers to those of another file.
func higher(last, other map[string]int64) {
	for series, n := range other {
		last[series] = max(last[series], n)
	}
}
