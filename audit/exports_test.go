package audit_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/capabilities"
	"github.com/deskhand/deskhand/bus"
)

// holds: U9
func TestU9AnExportHoldsTheRecordsAndTheHead(t *testing.T) {
	l := newLog(t)
	mixed(t, l, 700) // several steps
	for name, tt := range map[string]struct {
		query audit.Query
		want  func(r *audit.Record) bool
	}{
		"everything": {audit.Query{}, func(*audit.Record) bool { return true }},
		"of an agent": {audit.Query{CallerType: bus.CallerAgent},
			func(r *audit.Record) bool { return r.Caller.Type == "agent" }},
		"of people who succeeded": {audit.Query{CallerType: bus.CallerUI, Status: "success"},
			func(r *audit.Record) bool { return r.Caller.Type == "ui" && r.Status == "success" }},
		"by words": {audit.Query{Text: "work", Person: "u1"},
			func(r *audit.Record) bool { return r.Message != "" && r.Caller.Person == "u1" }},
		"without a name": {audit.Query{Exclude: []string{"item.add", "order.can", "unheard.of"}},
			func(r *audit.Record) bool { return r.Capability != "item.add" }},
		"without a domain": {audit.Query{Exclude: []string{"item"}, CallerType: bus.CallerUI},
			func(r *audit.Record) bool { return r.Capability == "order.cancel" && r.Caller.Type == "ui" }},
		"of one trace": {audit.Query{TraceID: "m7"}, func(r *audit.Record) bool { return r.TraceID == "m7" }},
	} {
		audit.LimitSearch(l, 7)
		all, err := l.Tail(context.Background(), 0, 1000)
		must(t, err)
		var want []audit.Record
		for _, r := range all {
			if tt.want(&r) {
				want = append(want, r)
			}
		}
		var out bytes.Buffer
		var done, total int64
		head, err := l.Export(context.Background(), &out, tt.query, audit.FormatJSONL, func(d, n int64) {
			if d < done || d > n {
				t.Errorf("%s: progress from %d to %d of %d", name, done, d, n)
			}
			done, total = d, n
		})
		must(t, err)
		last := all[len(all)-1]
		if head != (audit.Trailer{Head: last.Hash, Seq: last.Seq, Records: int64(len(want))}) || done != total ||
			total != last.Seq {
			t.Errorf("%s: head %+v, progress %d of %d", name, head, done, total)
		}
		var got []audit.Record
		lines := bufio.NewScanner(&out)
		lines.Buffer(nil, 1<<20)
		for n := 0; lines.Scan(); n++ {
			if n == len(want) {
				if line := lines.Text(); line != fmt.Sprintf(`{"head":%q,"seq":%d,"records":%d}`, last.Hash, last.Seq, len(want)) {
					t.Errorf("%s: last line %s", name, line)
				}
				continue
			}
			var r audit.Record
			must(t, json.Unmarshal(lines.Bytes(), &r))
			got = append(got, r)
		}
		if diff := cmp.Diff(ids(want), ids(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// holds: U9
func TestU9AnExportOfReadsFollowsTheRest(t *testing.T) {
	l := newLog(t)
	for i := range 4 {
		e := at(fmt.Sprint("r", i), i)
		e.Read = i%2 == 0
		must(t, l.Record(context.Background(), e))
	}
	var out bytes.Buffer
	head, err := l.Export(context.Background(), &out, audit.Query{Reads: true}, audit.FormatJSONL, nil)
	must(t, err)
	if head.Records != 4 || head.Seq != 2 || head.ReadsSeq != 2 || head.ReadsHead == "" {
		t.Errorf("head: %+v", head)
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		var r audit.Record
		must(t, json.Unmarshal([]byte(line), &r))
		got = append(got, r.RequestID+r.Segment)
	}
	if diff := cmp.Diff([]string{"r1", "r3", "r0reads", "r2reads", ""}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// holds: U9
func TestU9ACellIsNeverAFormula(t *testing.T) {
	l := newLog(t)
	for i, typed := range []string{`=cmd|' /C calc'!A0`, "+1", "-1", "@SUM(1)", "\tx", "\rx", "plain", "", "a=b", "＝1",
		"＋1", "－1", "＠SUM(1)", "１"} {
		e := at(fmt.Sprint("r", i), i)
		e.Summary = typed
		e.Invocation.Principal.Role = typed
		must(t, l.Record(context.Background(), e))
	}
	var out bytes.Buffer
	head, err := l.Export(context.Background(), &out, audit.Query{}, audit.FormatCSV, nil)
	must(t, err)
	if mark := string(out.Next(3)); mark != "\ufeff" {
		t.Errorf("it begins with %q, so that spreadsheets take it for another encoding", mark)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	must(t, err)
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	var got []string
	for _, row := range rows[1 : len(rows)-1] {
		got = append(got, row[column["summary"]])
		if row[column["role"]] != row[column["summary"]] || row[column["time"]][:14] != "2026-03-01T12:" ||
			row[column["arguments"]] != `{"id":"a"}` {
			t.Errorf("row: %q", row)
		}
	}
	want := []string{`'=cmd|' /C calc'!A0`, "'+1", "'-1", "'@SUM(1)", "'\tx", "'\rx", "plain", "", "a=b", "'＝1",
		"'＋1", "'－1", "'＠SUM(1)", "１"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	end := rows[len(rows)-1]
	if end[column["kind"]] != "head" || end[column["hash"]] != head.Head || end[column["seq"]] != "14" ||
		!strings.Contains(end[column["data"]], `"records":14`) {
		t.Errorf("last row: %q", end)
	}
}

func TestAnExportIsRefusedOrEndsEarly(t *testing.T) {
	l := newLog(t)
	mixed(t, l, 900)
	var coded *bus.Error
	if _, err := l.Export(context.Background(), io.Discard, audit.Query{}, "xml", nil); !errors.As(err, &coded) ||
		coded.Code != bus.Validation {
		t.Errorf("a foreign format: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	steps := 0
	_, err := l.Export(ctx, io.Discard, audit.Query{}, audit.FormatCSV, func(int64, int64) { steps++; cancel() })
	if !errors.Is(err, context.Canceled) || steps != 1 {
		t.Errorf("cancelled: %v after %d steps", err, steps)
	}
	full := errors.New("disk full")
	for _, format := range []string{audit.FormatCSV, audit.FormatJSONL} {
		if _, err := l.Export(context.Background(), failing{full}, audit.Query{}, format, nil); !errors.Is(err, full) {
			t.Errorf("%s to a full disk: %v", format, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// desk is the target of the exports of a test.
type desk struct {
	bytes.Buffer
	name              string
	created           int
	closed, discarded bool
	fail              error
}

func (d *desk) Create(_ context.Context, name string) (io.WriteCloser, string, error) {
	d.name, d.created = name, d.created+1
	return d, "/exports/" + name, nil
}

func (d *desk) Write(p []byte) (int, error) {
	if d.fail != nil {
		return 0, d.fail
	}
	return d.Buffer.Write(p)
}
func (d *desk) Close() error   { d.closed = true; return nil }
func (d *desk) Discard() error { d.discarded = true; return nil }

func TestTheLogIsExportedThroughTheBus(t *testing.T) {
	l := newLog(t)
	must(t, l.Record(context.Background(), entry("r1")))
	files := &desk{}
	b := bus.New(bus.Options{Journal: l})
	b.MustRegister(capabilities.New(l, capabilities.Options{Files: files})...)
	r := invoke(t, b, "audit:read", "audit.export", `{"format":"csv","capability":"item.add"}`)
	if !r.OK() || !strings.Contains(string(r.Data), `"records":1`) ||
		!strings.Contains(string(r.Data), "/exports/audit-2") {
		t.Fatalf("%v %s", r.Err, r.Data)
	}
	if !files.closed || files.discarded || !strings.HasSuffix(files.name, ".csv") ||
		!strings.Contains(files.String(), "item.add") {
		t.Errorf("file: %+v", files)
	}
	if n := len(recorded(t, l, "ask-audit.export")); n != 1 {
		t.Errorf("records of the export: %d", n)
	}
	for _, r := range []bus.Result{
		invoke(t, b, "order:read", "audit.export", `{"format":"csv"}`),
		invoke(t, b, "audit:read", "audit.export", `{"format":"xml"}`),
		invoke(t, b, "audit:read", "audit.export", `{"format":"csv","file":"/etc/passwd"}`),
	} {
		if r.OK() || files.created != 1 {
			t.Errorf("%+v, %d files", r, files.created)
		}
	}
	files.fail, files.closed = errors.New("disk full"), false
	if r := invoke(t, b, "audit:read", "audit.export", `{"format":"jsonl"}`); r.OK() || !files.discarded || files.closed {
		t.Errorf("a file that could not be written: %+v, %+v", r, files)
	}
}

// holds: A8
func TestAPreviewOfAnExportWritesNothing(t *testing.T) {
	l := newLog(t)
	files := &desk{}
	b := bus.New(bus.Options{Journal: l})
	b.MustRegister(capabilities.New(l, capabilities.Options{Files: files})...)
	r := b.Invoke(context.Background(), bus.Invocation{Capability: "audit.export",
		Arguments: json.RawMessage(`{"format":"csv"}`), DryRun: true,
		Caller: bus.Caller{Type: bus.CallerUI}, Principal: bus.Principal{Scopes: []string{"audit:read"}}})
	if !r.OK() || files.created != 0 {
		t.Errorf("%+v, %d files", r, files.created)
	}
}
