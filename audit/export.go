package audit

import (
	"bufio"
	"context"
	"encoding/hex"
	"fmt"
	"io"
)

// exportStep is the number of records read at a time. It limits the memory of an export, and the time for which it
// prevents a checkpoint of the write-ahead log.
const exportStep = 200

// Formats of an export.
const (
	// FormatJSONL has one line for each record, in the JSON form of [Record], and a last line with the export's
	// [Trailer].
	FormatJSONL = "jsonl"
	// FormatCSV has a header line, a line for each record, and a last line with the kind "head", the number and hash of
	// the last record of the log, and the export's [Trailer] as data. A cell that a spreadsheet would read as a formula
	// begins with an apostrophe.
	FormatCSV = "csv"
)

// Trailer ends an export. With an export kept elsewhere, it reveals whether the log was rewritten or cut off later.
type Trailer struct {
	Head      string `json:"head"`                 // hash of the last record of the log, hex
	Seq       int64  `json:"seq"`                  // its number
	ReadsHead string `json:"reads_head,omitempty"` // the same for the reads segment, if it was requested
	ReadsSeq  int64  `json:"reads_seq,omitempty"`
	Records   int64  `json:"records"` // number of exported records
}

// Export writes the records that q finds, oldest first, then people's reads if q includes them; it ignores Limit and
// Cursor. It covers the log at its beginning, needs little memory for a log of any size, and stops when ctx ends. It
// calls progress, if not nil, with the number of records read.
func (l *Log) Export(ctx context.Context, w io.Writer, q Query, format string,
	progress func(done, total int64)) (_ Trailer, err error) {
	defer func() { err = l.explain(err) }()
	buffered := bufio.NewWriterSize(w, 64<<10)
	out, err := newRecordWriter(buffered, format)
	if err != nil {
		return Trailer{}, err
	}
	if err := l.writer.flush(ctx); err != nil {
		return Trailer{}, err
	}
	for behind := int64(1); behind > 0; {
		if behind, err = l.indexPending(ctx, &q); err != nil {
			return Trailer{}, err
		}
		if err := ctx.Err(); err != nil {
			return Trailer{}, err
		}
	}
	streams := q.streams()
	x := export{l: l, out: out, query: q, progress: progress}
	x.query.Limit = exportStep
	err = x.heads(ctx, streams)
	for _, s := range streams {
		if err == nil {
			err = x.stream(ctx, s)
		}
	}
	if err == nil {
		err = out.end(x.head)
	}
	if err == nil {
		err = buffered.Flush()
	}
	if err != nil {
		return Trailer{}, fmt.Errorf("audit: export: %w", err)
	}
	l.signer.signal()
	return x.head, nil
}

// export is the state of one export.
type export struct {
	l           *Log
	out         recordWriter
	query       Query
	progress    func(done, total int64)
	head        Trailer
	done, total int64
}

// heads reads the last records of the export: later records are not in it.
func (x *export) heads(ctx context.Context, streams []*stream) error {
	for _, s := range streams {
		h, err := x.l.lastHead(ctx, s)
		if err != nil {
			return err
		}
		x.total += h.seq
		if s == mainStream {
			x.head.Seq, x.head.Head = h.seq, hex.EncodeToString(h.hash)
		} else if h.seq > 0 {
			x.head.ReadsSeq, x.head.ReadsHead = h.seq, hex.EncodeToString(h.hash)
		}
	}
	return nil
}

// stream writes the records of one stream, up to the last record at the beginning of the export.
func (x *export) stream(ctx context.Context, s *stream) error {
	last := x.head.Seq
	if s == readsStream {
		last = x.head.ReadsSeq
	}
	before := x.done
	for next := int64(1); next <= last; {
		found, err := x.l.searchStream(ctx, s, &x.query, span{next, last + 1}, oldestFirst)
		if err != nil {
			return err
		}
		next = last + 1
		if found.stoppedAt > 0 {
			next = found.stoppedAt + 1
		}
		if len(found.records) > exportStep {
			next = found.records[exportStep].Seq
			found.records = found.records[:exportStep]
		}
		for i := range found.records {
			if err := x.out.record(&found.records[i]); err != nil {
				return err
			}
		}
		x.head.Records += int64(len(found.records))
		x.done = before + next - 1
		if x.progress != nil {
			x.progress(x.done, x.total)
		}
	}
	return ctx.Err()
}
