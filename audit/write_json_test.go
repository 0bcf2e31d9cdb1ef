package audit_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// TestU1ARecordIsWrittenAsJSONIs compares the hand-written writer with
// encoding/json, over entries with anything in them.
// holds: U1
func TestU1ARecordIsWrittenAsJSONIs(t *testing.T) {
	l := newLog(t)
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.StringOf(rapid.OneOf(rapid.RuneFrom([]rune(`aZ09 {}[]"\/<>&':,`+"\t\n\u2028\u00e9\u4e16")),
			rapid.Rune()))
		value := rapid.OneOf(rapid.Just[any](nil), rapid.Map(rapid.Int64(), func(n int64) any { return n }),
			rapid.Map(rapid.Float64Range(-1e30, 1e30), func(f float64) any { return f }),
			rapid.Map(text, func(s string) any { return s }),
			rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) any { return b }))
		row := rapid.MapOfN(text, value, 0, 4)
		raw := rapid.Custom(func(r *rapid.T) json.RawMessage {
			if rapid.IntRange(0, 9).Draw(r, "malformed") == 0 {
				return json.RawMessage(text.Draw(r, "malformed"))
			}
			var out bytes.Buffer
			write := json.NewEncoder(&out)
			write.SetEscapeHTML(false)
			write.SetIndent(" ", "\t")
			if err := write.Encode(row.Draw(r, "raw")); err != nil {
				r.Fatal(err)
			}
			return out.Bytes()
		})
		e := entry("r1")
		e.Invocation.Arguments, e.Result.Data, e.Response = raw.Draw(r, "arguments"), raw.Draw(r, "data"),
			raw.Draw(r, "response")
		e.Invocation.Caller.TriggeringMessage, e.Summary = text.Draw(r, "message"), text.Draw(r, "summary")
		e.Invocation.Caller.Source, e.Invocation.IdempotencyKey = text.Draw(r, "source"), text.Draw(r, "key")
		e.Attempts, e.Redacted = rapid.IntRange(0, 3).Draw(r, "attempts"), rapid.SliceOfN(text, 0, 2).Draw(r, "redacted")
		e.Result.Facts = row.Draw(r, "facts")
		e.Effects = rapid.SliceOfN(rapid.Custom(func(r *rapid.T) bus.Effect {
			return bus.Effect{Table: text.Draw(r, "table"), Op: "update", Key: row.Draw(r, "key"), Before: row.Draw(r, "before"),
				After: row.Draw(r, "after")}
		}), 0, 3).Draw(r, "effects")
		if rapid.Bool().Draw(r, "decided") {
			e.Decision = &bus.Decision{Rule: bus.RuleConfirm, By: text.Draw(r, "by"), Reason: text.Draw(r, "why"),
				Answer: "allow"}
		}
		gotDetail, wantDetail, gotBody, wantBody := audit.WrittenJSON(t, l, e)
		if !bytes.Equal(gotDetail, wantDetail) {
			r.Errorf("detail:\n got %s\nwant %s", gotDetail, wantDetail)
		}
		if !bytes.Equal(gotBody, wantBody) {
			r.Errorf("payload:\n got %s\nwant %s", gotBody, wantBody)
		}
	})
}
