package audit

import (
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/atomicfile"
)

// Purge selects the records that retention removes.
type Purge struct {
	Reads    bool      // people's reads instead of the main stream
	Before   time.Time // only segments whose every record began before
	Segments int       // limit of segments; 0 means all
}

// Purged describes the removed records.
type Purged struct {
	Segments int   `json:"segments"`
	Records  int64 `json:"records"`
	UpTo     int64 `json:"upTo"` // number of the last removed record; the log begins after it
}

// Purge removes the oldest records of a stream in whole segments, see [Options]. It is part of the transaction of ctx,
// which must belong to a handler that writes. A checkpoint replaces them: the chain continues from the hash of the last
// removed record, which the record of the request contains too, and Verify still succeeds and names the request.
// Idempotency results stay until they expire. Other writers wait during the removal: request few segments at a time.
func (l *Log) Purge(ctx context.Context, p Purge) (Purged, error) {
	var done Purged
	t := Tx(ctx)
	err := t.ownChange(ctx, func(b *batch) error {
		b.countNow = true // removed records cannot be counted later
		s := mainStream
		if p.Reads {
			s = readsStream
		}
		base, err := b.checkpoint(s)
		if err != nil {
			return err
		}
		upTo, segments, err := b.outdated(s, base.seq, p)
		if err != nil || segments == 0 {
			return err
		}
		if err := b.refuseUnpublished(s, upTo); err != nil {
			return err
		}
		done = Purged{Segments: segments, Records: upTo - base.seq, UpTo: upTo}
		last := head{seq: upTo}
		if err := b.w.session.scan("SELECT hash FROM "+s.records+" WHERE seq = ?", []any{upTo}, &last.hash); err != nil {
			return err
		}
		removal := removalEffect(s, done.Records, &last)
		if s == mainStream {
			if err := b.keepLeaves(upTo, removal); err != nil {
				return err
			}
		}
		if err := b.removeUpTo(s, upTo); err != nil {
			return err
		}
		if err := b.adoptErasures(t); err != nil {
			return err
		}
		t.ownEffects = append(t.ownEffects, removal)
		_, err = b.w.session.exec(`INSERT INTO audit_checkpoints (stream, seq, hash, time, request_id) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (stream) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, time = excluded.time,
				request_id = excluded.request_id`,
			s.name, last.seq, last.hash, l.o.Clock().UnixMilli(), t.entry.Invocation.RequestID)
		return err
	})
	if err != nil {
		return Purged{}, fmt.Errorf("audit: purge: %w", err)
	}
	return done, nil
}

// NotePublished stores the last record that an archive or its stream has, in a file next to the log with the suffix
// "-published"; the zero Head if unknown. From then on [Log.Purge] removes no later record, in any program, until the
// file is deleted.
func (l *Log) NotePublished(h Head) error {
	path := l.publishedPath()
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(path, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("audit: note what is published: %w", err)
	}
	return nil
}

func (l *Log) publishedPath() string { return l.store.path + "-published" }

// IsPublished reports whether the log has such a file.
func (l *Log) IsPublished() (bool, error) {
	_, err := os.Stat(l.publishedPath())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// refuseUnpublished refuses to remove unpublished records of a published log.
func (b *batch) refuseUnpublished(s *stream, upTo int64) error {
	if s != mainStream {
		return nil
	}
	path := b.w.l.publishedPath()
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("audit: read what is published: %w", err)
	}
	var h Head
	if json.Unmarshal(text, &h) != nil {
		h = Head{}
	}
	var hash []byte
	err = b.w.session.scan("SELECT hash FROM "+s.records+" WHERE seq = ?", []any{h.Seq}, &hash)
	switch {
	case errors.Is(err, sql.ErrNoRows) || err == nil && hex.EncodeToString(hash) != h.Hash:
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState,
			"It is not known yet how far the log is published: nothing was removed.").
			WithHint("Try again when the archive can be reached. A log that is not published any more: delete %s.", path)
	case err != nil:
		return err
	case h.Seq < upTo:
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState,
			"The records up to %d would be removed, but the log is published up to %d only: nothing was removed.", upTo, h.Seq).
			WithHint("Choose an earlier day, or try again when the archive can be reached.")
	}
	return nil
}

// outdated finds the last record of the segments that may be removed.
func (b *batch) outdated(s *stream, base int64, p Purge) (upTo int64, segments int, err error) {
	h, err := b.head(s)
	if err != nil {
		return 0, 0, err
	}
	size := int64(b.w.l.o.Segment)
	for upTo = base; p.Segments == 0 || segments < p.Segments; segments++ {
		end := (upTo/size + 1) * size
		if end > h.seq {
			break
		}
		var newest int64
		if err := b.w.session.scan("SELECT max(time) FROM "+s.records+" WHERE seq > ? AND seq <= ?", []any{upTo, end},
			&newest); err != nil {
			return 0, 0, err
		}
		if newest >= p.Before.UnixMilli() {
			break
		}
		upTo = end
	}
	return upTo, segments, nil
}

// removeUpTo deletes the beginning of a stream with its index entries. Counts stay, because statistics outlive the
// records.
func (b *batch) removeUpTo(s *stream, seq int64) error {
	if err := b.queueTextErasure(s, 0, seq); err != nil {
		return err
	}
	for _, table := range []string{s.payloads, s.records} {
		if _, err := b.w.session.exec("DELETE FROM "+table+" WHERE seq <= ?", seq); err != nil {
			return err
		}
	}
	_, err := b.w.session.exec("DELETE FROM audit_erasures WHERE stream = ? AND seq <= ?", s.name, seq)
	return err
}

// adoptErasures assigns erasures whose requests no longer have a record to the purging request, whose record will name
// them.
func (b *batch) adoptErasures(t *Txn) error {
	rows, err := b.w.session.conn.QueryContext(context.Background(), `UPDATE audit_erasures AS e SET request_id = ?
		WHERE NOT EXISTS (SELECT 1 FROM audit_records r WHERE r.request_id = e.request_id AND r.status = 'success')
		RETURNING stream, seq`, t.entry.Invocation.RequestID)
	return each(rows, err, func() error {
		var in string
		var seq int64
		err := rows.Scan(&in, &seq)
		t.noteErased(streamNamed(in), seq, nil) // its rows are not known
		return err
	})
}

type purgeInput struct {
	Before   string `json:"before" jsonschema:"format=date"`
	Segments int    `json:"segments,omitempty" jsonschema:"minimum=1"`
	Reads    bool   `json:"reads,omitempty"`
}

const namePurge = "data.purge"

// PurgeCapability returns data.purge, the retention of records, for people only. It removes whole segments of the
// oldest records and leaves a checkpoint by which the log still verifies; see [Log.Purge].
func PurgeCapability(l *Log) bus.Capability {
	return bus.Define(bus.Capability{
		Name: namePurge, Texts: texts, Changes: []string{"audit"}, SideEffect: bus.Destructive,
		Permissions: []string{"data:write"},
		Resources:   []string{"database:write"}, Facts: []string{"records"},
		Listing: bus.Listing{Category: "audit", Group: "audit"},
		Checks:  bus.Checks{Access: bus.Access{Agent: bus.RuleDeny}},
		Run:     bus.Run{Timeout: time.Hour, Concurrency: bus.Exclusive},
	}, func(ctx context.Context, call *bus.Call, in purgeInput) (Purged, error) {
		before, err := time.Parse(time.DateOnly, in.Before)
		if err != nil {
			return Purged{}, bus.Errorf(bus.Validation, bus.ReasonArguments, "%q is not a day.", in.Before).
				WithHint("Write it as 2026-03-01.")
		}
		done, err := l.Purge(ctx, Purge{Reads: in.Reads, Before: before, Segments: in.Segments})
		if err != nil {
			return Purged{}, err
		}
		call.Fact("records", done.Records)
		call.Summarize("Remove %d records from before %s", done.Records, in.Before)
		call.Announce("audit", bus.Textf("Old records were removed."))
		return done, nil
	})
}
