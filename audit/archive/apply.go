package archive

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/internal/atomicfile"
)

// refusals is the state of a source in memory while Run runs.
type refusals struct {
	refused []byte // hash of the last refused record; nil after an accepted one
}

// apply appends records to the log of a source.
func (a *Archive) apply(ctx context.Context, in *incoming) error {
	s := a.sources[in.source]
	if s == nil {
		s = &refusals{}
		a.sources[in.source] = s
	}
	for rest := in.records; len(rest) > 0; {
		taken, err := a.appendSome(ctx, in.source, s, rest)
		if err != nil {
			return err
		}
		rest = rest[taken:]
	}
	return nil
}

// appendSome appends records up to the first that the log refuses, handles that one, and returns the number handled.
func (a *Archive) appendSome(ctx context.Context, name string, s *refusals, records []arrived) (int, error) {
	epochs, err := a.epochs(name)
	if err != nil {
		return 0, local(err)
	}
	path := a.logPath(name, len(epochs))
	if err := atomicfile.MkdirAll(filepath.Dir(path)); err != nil {
		return 0, local(fmt.Errorf("archive: %w", err))
	}
	log, release, err := a.use(ctx, path)
	if err != nil {
		return 0, localUnless(ctx, err)
	}
	defer release()
	list := make([]audit.Chained, len(records))
	for i := range records {
		list[i] = records[i].Chained
	}
	err = log.AppendAfter(ctx, records[0].removed, list)
	bad, is := errors.AsType[*audit.Mismatch](err)
	if err != nil && !is {
		return 0, localUnless(ctx, err)
	}
	at := 0
	for ; at < len(list); at++ {
		if is && list[at].Seq == bad.Seq && bytes.Equal(list[at].Hash, bad.Hash) {
			return at + 1, a.refuse(ctx, name, s, epochs, log, &records[at], bad)
		}
		if err := a.eraseInEpochs(ctx, name, len(epochs)-1, log, &list[at]); err != nil {
			return 0, localUnless(ctx, err)
		}
	}
	s.refused = nil
	return at, nil
}

// eraseInEpochs repeats the erasure of a record in the earlier epochs. It may run again for a repeated record, because
// a program may have died before it finished.
func (a *Archive) eraseInEpochs(ctx context.Context, name string, first int, log *audit.Log, by *audit.Chained) error {
	if len(by.Erased()) == 0 {
		return nil
	}
	for number := first; number > 0; number-- {
		earlier, release, err := a.use(ctx, a.logPath(name, number))
		if err != nil {
			return err
		}
		err = earlier.EraseAs(ctx, by, log)
		release()
		if err != nil {
			return err
		}
	}
	return nil
}

func localUnless(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return local(err)
}

// refuse handles a record that the log does not accept: an earlier epoch may have it, or it may begin a new epoch.
// Otherwise refuse raises an alarm.
func (a *Archive) refuse(ctx context.Context, name string, s *refusals, epochs []Epoch, log *audit.Log, r *arrived,
	bad *audit.Mismatch) error {
	alarm := mismatchAlarm(bad)
	if bad.Kind != audit.MismatchAltered {
		known, err := a.epochWith(ctx, name, epochs, r.Seq, r.Hash)
		if err != nil || known > 0 {
			return err
		}
		if before, after, restored := r.Restored(); restored {
			problem, err := a.beginEpoch(ctx, name, epochs, log, r, before, after)
			if problem == "" || err != nil {
				s.refused = nil
				return err
			}
			alarm.Kind, alarm.Problem = AlarmRestore, problem
		}
	}
	follows := s.refused != nil && bytes.Equal(r.Prev, s.refused)
	if s.refused = r.Hash; follows {
		return nil
	}
	head, err := log.LastHead(ctx)
	if err != nil {
		return localUnless(ctx, err)
	}
	alarm.Source, alarm.Head, alarm.HeadHash = name, head.Seq, head.Hash
	alarm.Stream, alarm.StreamSeq = a.o.Stream, r.at
	return local(a.alarms.raise(alarm))
}

// epochWith returns the latest epoch that has a record; 0 for none.
func (a *Archive) epochWith(ctx context.Context, name string, epochs []Epoch, seq int64, hash []byte) (int, error) {
	for number := len(epochs); number > 0; number-- {
		log, release, err := a.use(ctx, a.logPath(name, number))
		if err != nil {
			return 0, localUnless(ctx, err)
		}
		have, err := log.HashOf(ctx, seq)
		release()
		if err != nil {
			return 0, localUnless(ctx, err)
		}
		if bytes.Equal(have, hash) {
			return number, nil
		}
	}
	return 0, nil
}

// beginEpoch makes the log of a new epoch: the records of the restored copy, and the record of the restore. The problem
// is the reason why that is impossible, "" for none.
func (a *Archive) beginEpoch(ctx context.Context, name string, epochs []Epoch, log *audit.Log, r *arrived,
	before, after audit.Head) (problem string, err error) {
	head, err := log.LastHead(ctx)
	if err != nil {
		return "", localUnless(ctx, err)
	}
	if head.Seq > before.Seq || head.Seq == before.Seq && head.Hash != before.Hash {
		return fmt.Sprintf("Record %d is that of a restore in place of record %d, but the archive has another record %d.",
			r.Seq, before.Seq, head.Seq), nil
	}
	base := 0
	if hash, bad := hex.DecodeString(after.Hash); bad == nil {
		if base, err = a.epochWith(ctx, name, epochs, after.Seq, hash); err != nil {
			return "", err
		}
	}
	if base == 0 {
		return fmt.Sprintf("Record %d is that of a restore to record %d, which the archive does not have.", r.Seq,
			after.Seq), nil
	}
	epoch := Epoch{Number: len(epochs) + 1, Request: r.RequestID, Before: before, After: after, Of: base, Known: head.Seq}
	path := a.logPath(name, epoch.Number)
	if err := a.copyLog(ctx, a.logPath(name, base), path, &r.Chained, after.Seq); err != nil {
		return "", localUnless(ctx, fmt.Errorf("archive: begin epoch %d of %s: %w", epoch.Number, name, err))
	}
	if err := writeFile(filepath.Join(a.folder, name, "epochs.json"), append(epochs, epoch)); err != nil {
		return "", local(fmt.Errorf("archive: note epoch %d of %s: %w", epoch.Number, name, err))
	}
	return "", nil
}

// copyLog writes a log with the records of another log up to a number, and the next record. It first removes the files
// of an attempt that was cut off.
func (a *Archive) copyLog(ctx context.Context, from, to string, next *audit.Chained, upTo int64) (err error) {
	left, err := filepath.Glob(to + "*")
	if err != nil {
		return err
	}
	for _, path := range left {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	source, release, err := a.use(ctx, from)
	if err != nil {
		return err
	}
	defer release()
	log, err := audit.OpenArchive(ctx, to, audit.Options{Clock: a.o.Clock, Logger: a.o.Logger})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	removed, err := source.Removal(ctx)
	for after := removed.UpTo; err == nil && after < upTo; {
		var some []audit.Chained
		some, err = source.Chained(ctx, after, int(min(batchRecords, upTo-after)), takeBytes)
		if err == nil && len(some) == 0 {
			err = fmt.Errorf("record %d is missing", after+1)
		}
		if err == nil {
			err = log.AppendAfter(ctx, removed, some)
			after = some[len(some)-1].Seq
		}
	}
	// Payloads that were erased after the backup are missing in the source.
	for after := upTo; err == nil; {
		var some []audit.Chained
		some, err = source.Chained(ctx, after, batchRecords, takeBytes)
		for i := 0; err == nil && i < len(some); i++ {
			if len(some[i].Erased()) > 0 {
				err = log.EraseAs(ctx, &some[i], source)
			}
			after = some[i].Seq
		}
		if len(some) == 0 {
			break
		}
	}
	if err == nil {
		err = log.Append(ctx, []audit.Chained{*next})
	}
	return err
}
