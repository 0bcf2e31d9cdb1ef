package audit

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/spreadsheet"
)

// recordWriter writes an export in one format.
type recordWriter interface {
	record(*Record) error
	end(Trailer) error
}

func newRecordWriter(w io.Writer, format string) (recordWriter, error) {
	switch format {
	case FormatJSONL:
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		return lines{e}, nil
	case FormatCSV:
		if _, err := io.WriteString(w, "\ufeff"); err != nil { // by which spreadsheets recognise UTF-8
			return nil, err
		}
		x := &sheet{out: csv.NewWriter(w)}
		return x, x.out.Write(columns)
	}
	return nil, bus.Errorf(bus.Validation, bus.ReasonArguments, "%q is not a format of an export.", format).
		WithHint("Use %s or %s.", FormatJSONL, FormatCSV)
}

// lines writes JSON, one value a line.
type lines struct{ out *json.Encoder }

func (x lines) record(r *Record) error { return x.out.Encode(r) }
func (x lines) end(h Trailer) error    { return x.out.Encode(h) }

// sheet writes CSV by RFC 4180, except for the ends of its lines.
type sheet struct {
	out   *csv.Writer
	cells []string
}

// columns are the names of a record's fields; structured fields contain JSON.
var columns = []string{"seq", "segment", "time", "kind", "request_id", "trace_id", "parent_request_id",
	"conversation_id", "caller_type", "source", "door", "person", "role", "authentication", "model", "capability",
	"version", "side_effect", "status", "code", "reason", "summary", "message", "recovery_hint", "triggering_message",
	"reasoning", "decision", "arguments", "data", "facts", "effects", "events", "violations", "duration_ms", "attempts",
	"replayed", "dry_run", "redacted", "erased", "idempotency_key", "prev", "hash"}

func (x *sheet) record(r *Record) error {
	x.cells = append(x.cells[:0], strconv.FormatInt(r.Seq, 10), r.Segment, time.UnixMilli(r.Time).UTC().
		Format("2006-01-02T15:04:05.000Z"),
		string(r.Kind), r.RequestID, r.TraceID, r.ParentRequestID, r.ConversationID,
		r.Caller.Type, r.Caller.Source, r.Caller.Door, r.Caller.Person, r.Caller.Role, r.Caller.Authentication)
	for _, v := range []any{r.Model, r.Capability, r.Version, r.SideEffect, r.Status, r.Code, r.Reason, r.Summary,
		r.Message, r.RecoveryHint, r.TriggeringMessage, r.Reasoning, r.Decision, r.Arguments, r.Data, r.Facts, r.Effects,
		r.Events, r.Violations, r.DurationMS, r.Attempts, r.Replayed, r.DryRun, r.Redacted, r.Erased, r.IdempotencyKey,
		r.Prev, r.Hash} {
		text, err := cellOf(v)
		if err != nil {
			return fmt.Errorf("record %d: %w", r.Seq, err)
		}
		x.cells = append(x.cells, text)
	}
	return x.write()
}

func (x *sheet) end(h Trailer) error {
	data, err := json.Marshal(h)
	if err != nil {
		return err
	}
	x.cells = x.cells[:0]
	for _, name := range columns {
		cell := map[string]string{"seq": strconv.FormatInt(h.Seq, 10), "kind": "head", "data": string(data),
			"hash": h.Head}[name]
		x.cells = append(x.cells, cell)
	}
	if err := x.write(); err != nil {
		return err
	}
	x.out.Flush()
	return x.out.Error()
}

func (x *sheet) write() error {
	for i, cell := range x.cells {
		x.cells[i] = spreadsheet.Text(cell)
	}
	return x.out.Write(x.cells)
}

// cellOf returns a text unchanged and every other value as JSON; "" for null.
func cellOf(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case bus.Code, bus.Reason:
		return fmt.Sprint(v), nil
	case json.RawMessage:
		return string(v), nil
	}
	data, err := json.Marshal(v)
	if string(data) == "null" {
		return "", err
	}
	return string(data), err
}
