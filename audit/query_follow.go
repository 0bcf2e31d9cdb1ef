package audit

import (
	"context"
	"time"

	"github.com/deskhand/deskhand/internal/filewatch"
)

const (
	// followStep is the number of records in one call of f.
	followStep = 200

	// Readers see a commit slightly after the file was written, when the disk has it. Changes checks again after these
	// pauses, which double.
	settleFirst = time.Millisecond
	settleLast  = 4 * time.Second
)

// Follow calls f with the records after a number, existing and new ones, of this program and of others, in the order of
// the log. It returns when ctx ends, with its error, or with f's first error. It waits by [Log.Changes].
func (l *Log) Follow(ctx context.Context, after int64, f func([]Record) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	changes := l.Changes(ctx)
	for {
		var err error
		if after, err = l.deliver(ctx, after, f); err != nil {
			return err
		}
		select {
		case <-changes:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Changes returns a channel that receives a value, until ctx ends, when this program or another may have changed the
// file. One value may cover several commits, and one commit may cause several values. Without writes it costs nothing
// on systems that report changes (Linux); on others it polls twice a second.
func (l *Log) Changes(ctx context.Context) <-chan struct{} {
	file := filewatch.Start(l.store.path + "-wal")
	changes := make(chan struct{}, 1)
	go func() {
		defer file.Close()
		for pause := settleFirst; ; {
			var settle <-chan time.Time
			if pause <= settleLast {
				settle = time.After(pause)
			}
			select {
			case <-file.Changed:
				pause = settleFirst
			case <-settle:
				pause *= 2
			case <-ctx.Done():
				return
			}
			select {
			case changes <- struct{}{}:
			default: // a value is waiting already
			}
		}
	}()
	return changes
}

// deliver calls f with the records after a number and returns the last one.
func (l *Log) deliver(ctx context.Context, after int64, f func([]Record) error) (int64, error) {
	for {
		records, err := l.list(ctx, mainStream.selectRecords()+"WHERE r.seq > ? ORDER BY r.seq LIMIT ?", after, followStep)
		switch {
		case ctx.Err() != nil:
			return after, ctx.Err()
		case err != nil:
			return after, err
		case len(records) == 0:
			return l.resumeAfter(ctx, after)
		}
		if err := f(records); err != nil {
			return after, err
		}
		after = records[len(records)-1].Seq
	}
}

// resumeAfter returns after; if an older copy replaced the log, the number before its last record.
func (l *Log) resumeAfter(ctx context.Context, after int64) (int64, error) {
	last, err := l.lastHead(ctx, mainStream)
	if err == nil && last.seq < after {
		return last.seq - 1, nil
	}
	return after, err
}
