package audit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// holds: U7
func TestU7EveryFilterIsAnsweredWithoutSortingOrReadingTheWholeLog(t *testing.T) {
	l := newLog(t)
	mixed(t, l, 50)
	audit.Execute(t, l, "ANALYZE") // the plans must stay the same with statistics
	for name, q := range map[string]audit.Query{
		"newest":         {},
		"kind":           {Kind: bus.KindSchemaViolation},
		"common kind":    {Kind: bus.KindInvocation},
		"capability":     {Capability: "item.add"},
		"caller":         {CallerType: bus.CallerAgent},
		"common caller":  {CallerType: bus.CallerUI},
		"person":         {Person: "u1"},
		"failures":       {Status: "error"},
		"successes":      {Status: "success"},
		"code":           {Code: bus.Conflict},
		"side effect":    {SideEffect: bus.Destructive},
		"common effect":  {SideEffect: bus.UIOnly},
		"request":        {RequestID: "m1"},
		"trace":          {TraceID: "t"},
		"conversation":   {ConversationID: "chat1"},
		"subject":        {Subject: "cus_1"},
		"text":           {Text: "lamp"},
		"beginning":      {Text: "lam*"},
		"phrase":         {Text: `"green lamp"`},
		"since":          {Since: epoch.UnixMilli()},
		"until":          {Until: epoch.Add(time.Hour).UnixMilli()},
		"without":        {Exclude: []string{"item"}},
		"text and time":  {Text: "lamp", Since: epoch.UnixMilli(), Until: epoch.Add(time.Hour).UnixMilli()},
		"several":        {Capability: "item.add", Person: "u1", CallerType: bus.CallerAgent, Code: bus.Conflict},
		"words and some": {Text: "lamp", Subject: "cus_1", Capability: "item.add"},
	} {
		plans := audit.Plans(t, l, q)
		if len(plans) == 0 {
			t.Errorf("%s: no plan", name)
		}
		for _, line := range plans {
			sorts := strings.Contains(line, "TEMP B-TREE")
			scans := strings.HasPrefix(line, "SCAN") && !strings.Contains(line, "VIRTUAL TABLE INDEX")
			if sorts || scans {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
}

// worded returns an entry with words and ids in every field.
func worded(request string, minute int, arguments, data, message string) *bus.Entry {
	e := at(request, minute)
	e.Invocation.Arguments, e.Result.Data = json.RawMessage(arguments), json.RawMessage(data)
	e.Invocation.Caller.TriggeringMessage = message
	return e
}

// holds: U7
func TestU7RecordsAreFoundByTheirWords(t *testing.T) {
	l := newLog(t)
	for i, e := range []*bus.Entry{
		worded("r0", 0, `{"name":"Green lamp","quantity":2}`, `{"ok":true}`, ""),
		worded("r1", 1, `{"name":"Lamp, green"}`, `{"lines":[{"note":"for José Ångström"}]}`, ""),
		worded("r2", 2, `{"id":"a"}`, `{}`, "please pack a lampshade"),
		worded("r3", 3, `{"email":"ana@example.com"}`, `{"total":4783}`, ""),
		failed("r4", bus.Conflict, bus.ReasonBusy),
	} {
		e.Started = epoch.Add(time.Duration(i) * time.Minute)
		if i == 2 {
			e.Summary = "packed in green paper"
		}
		must(t, l.Record(context.Background(), e))
	}
	for typed, want := range map[string][]string{
		"lamp":             {"r1", "r0"},
		"lamp*":            {"r2", "r1", "r0"},
		"LAMP* green":      {"r2", "r1", "r0"},
		"lamp *":           {"r1", "r0"},
		`"green lamp`:      {"r0"},
		`"green lamp"`:     {"r0"},
		"jose angstrom":    {"r1"},
		"JOSÉ":             {"r1"},
		"ana@example.com":  {"r3"},
		"4783":             {"r3"},
		"quantity":         {}, // a field's name is not its words
		"work":             {"r4"},
		"paper":            {"r2"},
		"lamp NOT green":   {},
		`lam* OR ("-`:      {},
		"!?":               {},
		`"`:                {},
		"a\x00b":           {},
		"green AND (lamp)": {},
	} {
		page, err := l.Search(context.Background(), audit.Query{Text: typed})
		if err != nil {
			t.Errorf("%q: %v", typed, err)
			continue
		}
		if diff := cmp.Diff(want, ids(page.Records)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", typed, diff)
		}
	}
}

// holds: U7
func TestU7RecordsAreFoundByWhatTheyAreAbout(t *testing.T) {
	l := newLog(t)
	e := worded("r0", 0, `{"orderId":"ord_1","note":"cus_9"}`, `{"refundId":"ref_1"}`, "")
	e.Result.Facts = map[string]any{"customerId": "cus_1", "amount": 5, "name": "cus_8"}
	must(t, l.Record(context.Background(), e))
	e = worded("r1", 1, `{"customerId":"cus_1"}`, `{}`, "")
	e.Read = true
	must(t, l.Record(context.Background(), e))
	for subject, want := range map[string][]string{
		"cus_1": {"r1", "r0"}, "ord_1": {"r0"}, "ref_1": {"r0"}, "cus_8": {}, "cus_9": {}, "cus_": {},
	} {
		page, err := l.Search(context.Background(), audit.Query{Subject: subject, Reads: true})
		must(t, err)
		if diff := cmp.Diff(want, ids(page.Records)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", subject, diff)
		}
	}
}

// TestU7EveryQueryFindsWhatAPlainLookFinds compares all pages of a query with a scan of every record.
// holds: U7
func TestU7EveryQueryFindsWhatAPlainLookFinds(t *testing.T) {
	l := newLog(t)
	mixed(t, l, 400)
	all, err := l.Tail(context.Background(), 0, 1000)
	must(t, err)
	from := epoch.Add(30 * time.Hour).UnixMilli()
	to := epoch.Add(12_510 * time.Minute).UnixMilli() // between a late record and its neighbours
	for name, tt := range map[string]struct {
		query audit.Query
		fits  func(r *audit.Record) bool
	}{
		"caller and code": {audit.Query{CallerType: bus.CallerAgent, Code: bus.Conflict},
			func(r *audit.Record) bool { return r.Caller.Type == "agent" && r.Code == bus.Conflict }},
		"risk and person": {audit.Query{SideEffect: bus.Destructive, Person: "u2"},
			func(r *audit.Record) bool { return r.SideEffect == "destructive" && r.Caller.Person == "u2" }},
		"time, with late ones": {audit.Query{Since: from, Until: to},
			func(r *audit.Record) bool { return r.Time >= from && r.Time < to }},
		"until": {audit.Query{Until: to}, func(r *audit.Record) bool { return r.Time < to }},
		"time and capability": {audit.Query{Since: from, Until: to, Capability: "item.remove"},
			func(r *audit.Record) bool { return r.Time >= from && r.Time < to && r.Capability == "item.remove" }},
		"text and time": {audit.Query{Text: "work", Until: to},
			func(r *audit.Record) bool { return r.Time < to && strings.Contains(r.Message, "work") }},
		"success of people": {audit.Query{Status: "success", CallerType: bus.CallerUI, Kind: bus.KindInvocation},
			func(r *audit.Record) bool { return r.Status == "success" && r.Caller.Type == "ui" }},
	} {
		var want []int64
		for i := range all {
			if r := &all[len(all)-1-i]; tt.fits(r) {
				want = append(want, r.Seq)
			}
		}
		for _, budget := range []int64{1000, 3} {
			audit.LimitSearch(l, budget)
			var got []int64
			q := tt.query
			for q.Limit = 7; ; {
				page, err := l.Search(context.Background(), q)
				must(t, err)
				for _, r := range page.Records {
					got = append(got, r.Seq)
				}
				if !page.HasMore {
					break
				}
				q.Cursor = page.NextCursor
			}
			if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
				t.Errorf("%s, %d at a time: %d wanted (-want +got):\n%s", name, budget, len(want), diff)
			}
		}
	}
}

// holds: U7
func TestU7ASearchThatFindsLittleSaysHowFarBackItLooked(t *testing.T) {
	l := newLog(t)
	audit.LimitSearch(l, 5)
	for i := range 45 {
		e := at(fmt.Sprint("r", i), i)
		e.Invocation.Principal.ID = "u2"
		if i == 3 || i == 41 {
			e.Invocation.Principal.ID = "u1"
		}
		if i%2 == 1 {
			e.Invocation.Capability = "item.remove"
		}
		if i%4 == 2 {
			e.Invocation.Caller.Type, e.Invocation.Principal.ID = bus.CallerAgent, "u3"
		}
		e.Read = i%5 == 0
		must(t, l.Record(context.Background(), e))
	}
	never := []string{}
	for name, tt := range map[string]struct {
		audit.Query
		want  []string
		pages int // at least; 1 is exactly
	}{
		"two indexes": {audit.Query{Person: "u1", Capability: "item.remove"}, []string{"r41", "r3"}, 1},
		"no index":    {audit.Query{Person: "u1", Status: "success"}, []string{"r41", "r3"}, 1},
		"with reads":  {audit.Query{Person: "u1", Status: "success", Reads: true}, []string{"r41", "r3"}, 1},
		"by a few":    {audit.Query{Text: "a", Person: "u1"}, []string{"r41", "r3"}, 1},
		"by words": {audit.Query{Text: "a", Person: "u2", Capability: "item.add", Limit: 2},
			[]string{"r44", "r36", "r32", "r28", "r24", "r16", "r12", "r8", "r4"}, 5},
		"by failures":         {audit.Query{Text: "a", Person: "u2", CallerType: bus.CallerUI, Status: "error"}, never, 1},
		"what never happened": {audit.Query{Person: "u2", CallerType: bus.CallerAgent}, never, 1},
	} {
		q := tt.Query
		got, pages, back := []string{}, 0, int64(1<<62)
		for {
			page, err := l.Search(context.Background(), q)
			must(t, err)
			got, pages = append(got, ids(page.Records)...), pages+1
			if page.HasMore != (page.NextCursor != "") || page.SearchedBack > 0 && (!page.HasMore || page.SearchedBack >= back) {
				t.Errorf("%s, page %d: more %v, cursor %q, back %d after %d", name, pages, page.HasMore, page.NextCursor,
					page.SearchedBack, back)
			}
			if page.SearchedBack > 0 {
				back = page.SearchedBack
			}
			if !page.HasMore {
				break
			}
			q.Cursor = page.NextCursor
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if pages < tt.pages || tt.pages == 1 && pages > 1 {
			t.Errorf("%s: %d pages", name, pages)
		}
	}
}

func TestManyReadsThatDoNotMatchHideNothing(t *testing.T) {
	l := newLog(t)
	audit.LimitSearch(l, 5)
	for i := range 40 {
		e := at(fmt.Sprint("r", i), i)
		e.Read = i%10 != 0
		if i%10 == 0 || i == 17 {
			e.Invocation.Caller.Type = bus.CallerTest
		}
		must(t, l.Record(context.Background(), e))
	}
	got := []string{}
	q := audit.Query{CallerType: bus.CallerTest, Status: "success", Reads: true}
	for more := true; more; {
		page, err := l.Search(context.Background(), q)
		must(t, err)
		got, more, q.Cursor = append(got, ids(page.Records)...), page.HasMore, page.NextCursor
	}
	if diff := cmp.Diff([]string{"r30", "r20", "r17", "r10", "r0"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAForgottenRecordIsNotFoundByItsWordsAndTheyAreGone(t *testing.T) {
	l := newLog(t)
	for i := range 600 { // more than one commit of the index
		message := ""
		if i == 123 {
			message = "for Erasmus"
		}
		must(t, l.Record(context.Background(), worded(fmt.Sprint("r", i), 0,
			fmt.Sprintf(`{"note":"common zqx%04d","customerId":"xyq%04d"}`, i, i), `{}`, message)))
	}
	found := func(q audit.Query) int {
		page, err := l.Search(context.Background(), q)
		must(t, err)
		return len(page.Records)
	}
	if found(audit.Query{Text: "zqx0123"}) != 1 || found(audit.Query{Subject: "xyq0123"}) != 1 {
		t.Fatal("not found at first")
	}
	const inIndex = `SELECT count(*) FROM audit_texts_data WHERE instr(block, CAST('erasmus' AS BLOB)) > 0`
	if left := dump(t, audit.DSN(l), inIndex); !strings.HasSuffix(left[0], " 1") {
		t.Fatalf("not in the index at first: %v", left)
	}
	audit.ForgetText(t, l, 124)
	audit.ForgetText(t, l, 124) // twice is as good
	if found(audit.Query{Text: "zqx0123"}) != 0 || found(audit.Query{Subject: "xyq0123"}) != 0 {
		t.Error("still found")
	}
	if found(audit.Query{Text: "common", Limit: 500}) != 500 || found(audit.Query{Text: "zqx0124"}) != 1 {
		t.Error("others are not found any more")
	}
	left := dump(t, audit.DSN(l), `SELECT count(*) FROM audit_texts('"zqx0123"*')`,
		`SELECT count(*) FROM audit_subjects WHERE seq = 124`, inIndex)
	for _, line := range left {
		if !strings.HasSuffix(line, " 0") {
			t.Errorf("left: %s", line)
		}
	}
	must(t, l.Record(context.Background(), entry("later")))
	audit.ForgetText(t, l, 601) // before it was indexed
	if n := found(audit.Query{Text: "a"}); n != 0 {
		t.Errorf("a record that was erased before it was indexed is found %d times", n)
	}
}

func TestWordsAreIndexedWhileNobodyWrites(t *testing.T) {
	o := options()
	o.IndexAfter = time.Millisecond
	l := open(t, t.TempDir()+"/log.db", o)
	for i := range 700 {
		e := entry(fmt.Sprint("r", i))
		e.Read = i%2 == 0
		must(t, l.Record(context.Background(), e))
	}
	for audit.Unindexed(t, l) > 0 {
		time.Sleep(time.Millisecond)
	}
}

func TestAHandlerSearchesWhatIsIndexedAlready(t *testing.T) {
	l := newLog(t)
	must(t, l.Record(context.Background(), entry("r1")))
	must(t, l.Do(context.Background(), entry("r"), func(ctx context.Context, _ bus.Exec) error {
		page, err := l.Search(ctx, audit.Query{Subject: "a"})
		if page.Unindexed != 1 {
			t.Errorf("not indexed yet: %d", page.Unindexed)
		}
		return err
	}))
}

func FuzzWordsAsTyped(f *testing.F) {
	l := newLog(f)
	must(f, l.Record(context.Background(), worded("r", 0, `{"note":"green lamp"}`, `{}`, "")))
	for _, typed := range []string{"", `"`, `""`, `a"b`, "NEAR(a b)", "text:a", "-a", "^a", "a*b*", "*", "\x00", "\xff",
		"ﷺ", "a\u0301", "½", "´`'", "NOT"} {
		f.Add(typed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		if _, err := l.Search(context.Background(), audit.Query{Text: typed}); err != nil {
			t.Errorf("%q: %v", typed, err)
		}
	})
}
