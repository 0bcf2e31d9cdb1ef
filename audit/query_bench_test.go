package audit_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

var (
	logRecords = flag.Int("records", 20_000, "how many records the log of BenchmarkSearch has")
	logFile    = flag.String("log", "",
		"file of the log of BenchmarkSearch, made if it is not there; default: a new one each time")
	logCold = flag.Bool("cold", false, "ask a log that was just opened and of which the system has nothing in memory")
)

// together is the number of records of a generated log with the same time and commit.
const together = 256

// generated returns a log of one year: mostly calls of people, some of an agent, some failures, and for each filter a
// common and a rare value.
func generated(b *testing.B, path string, n int) *audit.Log {
	b.Helper()
	l := open(b, path, generatedOptions())
	if last, err := l.Tail(context.Background(), 0, 1); err != nil || len(last) > 0 && last[0].Seq != int64(n) {
		b.Fatalf("%s has another log: %v", path, err)
	} else if len(last) > 0 {
		return l
	}
	gap := 365 * 24 * time.Hour / time.Duration(n)
	for first := 0; first < n; first += together {
		var group sync.WaitGroup
		for i := first; i < min(first+together, n); i++ {
			group.Go(func() {
				if err := l.Record(context.Background(), generatedEntry(i, gap)); err != nil {
					b.Error(err)
				}
			})
		}
		group.Wait()
	}
	for behind := int64(1); behind > 0; {
		page, err := l.Search(context.Background(), audit.Query{Text: "word", Limit: 1})
		if err != nil {
			b.Fatal(err)
		}
		behind = page.Unindexed
	}
	return l
}

func generatedOptions() audit.Options {
	o := options()
	o.IndexAfter = time.Hour
	return o
}

func generatedEntry(i int, gap time.Duration) *bus.Entry {
	e := entry(fmt.Sprintf("0190e5a0-0000-7000-8000-%012d", i))
	e.Started = epoch.Add(time.Duration(i/together*together) * gap)
	e.Invocation.Capability = fmt.Sprintf("domain%d.verb%d", i%5, i%40)
	e.Invocation.Principal.ID = fmt.Sprintf("u%d", i%40%3)
	e.Invocation.Arguments = json.RawMessage(
		fmt.Sprintf(`{"customerId":"cus_%05d","note":"word%d and words of order %d to be packed","quantity":%d}`, i%5000,
			i%100, i, i%10))
	e.Result.ExecutionTime = time.Duration(i%40*7+i%3) * time.Millisecond
	switch {
	case i%10_000 == 17:
		e.Kind, e.Result = bus.KindSchemaViolation, failed("", bus.Validation, bus.ReasonArguments).Result
		e.Summary = "rare"
	case i%10_000 == 18:
		e.Invocation.Caller.Type, e.Invocation.Principal.ID, e.SideEffect = bus.CallerTest, "u-rare", bus.Destructive
		e.Invocation.Capability = "rare.verb"
	case i%11 == 0:
		e.Result = failed("", bus.Conflict, bus.ReasonBusy).Result
	case i%4 == 0:
		e.Invocation.Caller.Type = bus.CallerAgent
		e.Invocation.Principal.ConversationID = fmt.Sprint("chat_", i/50)
		e.Decision = &bus.Decision{Rule: bus.RuleConfirm, Answer: "allow", Asked: time.Duration(i%9000) * time.Millisecond}
	}
	return e
}

// asked is the log of a benchmark. Without -cold every question uses the same log. With -cold every question opens the
// log again, after the system dropped its cache of the file. So a cold time includes a new connection, reading the
// schema, and reading every page of the answer from the disk or its cache.
type asked struct {
	path string
	warm *audit.Log
}

func (a *asked) ask(b *testing.B, question func(*audit.Log) error) {
	var took []float64
	for b.Loop() {
		l := a.warm
		if l == nil {
			var err error
			if l, err = audit.Open(context.Background(), a.path, generatedOptions()); err == nil {
				err = evict(a.path)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
		began := time.Now()
		if err := question(l); err != nil {
			b.Fatal(err)
		}
		took = append(took, float64(time.Since(began).Microseconds())/1000)
		if a.warm == nil {
			if err := l.Close(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(median(took), "ms") // the mean would include other load on the machine
	b.ReportMetric(0, "ns/op")
}

// BenchmarkSearch asks the log in every way there is. It is run with
// -records 1000000 and 10000000 to see that nothing grows with the log.
func BenchmarkSearch(b *testing.B) {
	path := *logFile
	if path == "" {
		path = filepath.Join(b.TempDir(), "log.db")
	}
	a := asked{path, generated(b, path, *logRecords)}
	if *logCold {
		if err := a.warm.Close(); err != nil {
			b.Fatal(err)
		}
		a.warm = nil
	}
	middle := epoch.Add(180 * 24 * time.Hour)
	for _, q := range []struct {
		name string
		audit.Query
	}{
		{"newest", audit.Query{}},
		{"from-the-middle", audit.Query{Cursor: fmt.Sprintf("%d.1", *logRecords/2)}},
		{"request", audit.Query{RequestID: fmt.Sprintf("0190e5a0-0000-7000-8000-%012d", *logRecords/3)}},
		{"conversation", audit.Query{ConversationID: fmt.Sprint("chat_", *logRecords/200)}},
		{"capability", audit.Query{Capability: "domain3.verb8"}},
		{"capability-rare", audit.Query{Capability: "rare.verb"}},
		{"without", audit.Query{Exclude: []string{"domain3", "domain4", "rare.verb"}}},
		{"without-most", audit.Query{Exclude: []string{"domain0", "domain1", "domain2", "domain3", "domain4"}}},
		{"caller", audit.Query{CallerType: bus.CallerAgent}},
		{"caller-common", audit.Query{CallerType: bus.CallerUI}},
		{"caller-rare", audit.Query{CallerType: bus.CallerTest}},
		{"person", audit.Query{Person: "u2"}},
		{"person-rare", audit.Query{Person: "u-rare"}},
		{"status", audit.Query{Status: "error"}},
		{"code", audit.Query{Code: bus.Conflict}},
		{"code-rare", audit.Query{Code: bus.Validation}},
		{"side-effect-rare", audit.Query{SideEffect: bus.Destructive}},
		{"kind-rare", audit.Query{Kind: bus.KindSchemaViolation}},
		{"subject", audit.Query{Subject: "cus_00123"}},
		{"until", audit.Query{Until: middle.UnixMilli()}},
		{"a-day", audit.Query{Since: middle.UnixMilli(), Until: middle.Add(24 * time.Hour).UnixMilli()}},
		{"text-common", audit.Query{Text: "words"}},
		{"text-two", audit.Query{Text: "word17 packed"}},
		{"text-rare", audit.Query{Text: "rare"}},
		{"text-none", audit.Query{Text: "words nowhere"}},
		{"combined", audit.Query{Capability: "domain3.verb8", CallerType: bus.CallerAgent, Person: "u2"}},
		{"combined-none", audit.Query{Person: "u2", Capability: "rare.verb", Status: "success"}},
		{"combined-walk", audit.Query{CallerType: bus.CallerUI, Status: "success", Text: "word17",
			Since: middle.UnixMilli()}},
		{"combined-nothing-common", audit.Query{Person: "u2", CallerType: bus.CallerTest}},
		{"combined-budget", audit.Query{Text: "word17", Capability: "domain3.verb8"}},
	} {
		b.Run(q.name, func(b *testing.B) {
			var found int
			a.ask(b, func(l *audit.Log) error {
				page, err := l.Search(context.Background(), q.Query)
				found = len(page.Records)
				return err
			})
			b.ReportMetric(float64(found), "records")
		})
	}
	for name, q := range map[string]audit.Query{
		"facets":          {},
		"facets-filtered": {Capability: "domain3.verb8", CallerType: bus.CallerAgent},
		"facets-without":  {Exclude: []string{"domain3"}},
		"facets-month-there": {Since: middle.Truncate(24 * time.Hour).Add(7 * time.Hour).UnixMilli(),
			Until: middle.Truncate(24 * time.Hour).Add(30*24*time.Hour + 7*time.Hour).UnixMilli()},
		"facets-month": {Since: middle.Truncate(24 * time.Hour).UnixMilli(), Until: middle.Truncate(24 * time.Hour).
			Add(30 * 24 * time.Hour).UnixMilli()},
		"facets-counted-text": {Text: "words"},
		"facets-counted-day":  {Since: middle.UnixMilli(), Until: middle.Add(24 * time.Hour).UnixMilli()},
	} {
		b.Run(name, func(b *testing.B) {
			a.ask(b, func(l *audit.Log) error {
				_, err := l.Facets(context.Background(), q)
				return err
			})
		})
	}
	for name, from := range map[string]time.Time{"stats": {}, "stats-month": middle} {
		b.Run(name, func(b *testing.B) {
			var since, until int64
			if !from.IsZero() {
				since, until = from.UnixMilli(), from.Add(30*24*time.Hour).UnixMilli()
			}
			a.ask(b, func(l *audit.Log) error {
				_, err := l.Stats(context.Background(), since, until)
				return err
			})
		})
	}
}
