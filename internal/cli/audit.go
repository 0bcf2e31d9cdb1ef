package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/mcp"
)

type auditCommand struct {
	Tail   auditTail   `cmd:"" help:"The newest records."`
	Query  auditQuery  `cmd:"" help:"Records that match."`
	Trace  auditTrace  `cmd:"" help:"Everything that belongs to one request, from sentence to effect."`
	Verify auditVerify `cmd:"" help:"Check that the chain is whole."`
	Export auditExport `cmd:"" help:"Write the records that match to standard output."`
	Stats  auditStats  `cmd:"" help:"Calls, failures and durations, and how the assistant and people got on."`
	Replay auditReplay `cmd:"" help:"Run recorded actions again on a copy and compare."`
	Keep   auditKeep   `cmd:"" help:"Keep a sentence to the assistant as a case for deskhand try."`
	Key    auditKey    `cmd:"" help:"Print the public key that others check proofs with; the first time, make the key."`
	Prove  auditProve  `cmd:"" help:"Print a proof of one record, for others."`

	CheckProof auditCheckProof `cmd:"" help:"Check a proof with the public key of its log. It needs no shop."`
}

type auditTail struct {
	N      int  `short:"n" help:"How many." default:"20"`
	Reads  bool `help:"People's look-ups too." xor:"follow"`
	Follow bool `short:"f" help:"Go on with what is written from now on, by any program." xor:"follow"`
}

func (c auditTail) Run(t *terminal) error {
	if c.N < 1 {
		return fmt.Errorf("-n %d: ask for at least one record", c.N)
	}
	return t.withLog(func(l *audit.Log) error {
		page, err := l.Search(t.ctx, audit.Query{Limit: c.N, Reads: c.Reads})
		if err != nil {
			return err
		}
		slices.Reverse(page.Records)
		if err := t.records(page.Records); err != nil || !c.Follow {
			return err
		}
		after := int64(0)
		if n := len(page.Records); n > 0 {
			after = page.Records[n-1].Seq
		}
		err = l.Follow(t.ctx, after, t.records)
		if t.ctx.Err() != nil {
			return nil // interrupted by the person
		}
		return err
	})
}

// auditFilters holds the flags that several commands share.
type auditFilters struct {
	Kind         string   `help:"Kind of record, e.g. capability_schema_violation." placeholder:"KIND"`
	Capability   string   `help:"Capability name, e.g. cart.addItem." placeholder:"NAME"`
	Without      []string `help:"Capabilities to leave out: names, or what stands before the dot, such as navigation."`
	Caller       string   `help:"Caller kind: ${enum}." enum:"ui,agent,test,cli,schedule," default:"" placeholder:"KIND"`
	Person       string   `help:"Id of the person." placeholder:"ID"`
	Status       string   `help:"Outcome: ${enum}." enum:"success,error," default:"" placeholder:"OUTCOME"`
	Code         string   `help:"Error code, e.g. VALIDATION or FORBIDDEN." placeholder:"CODE"`
	Risk         string   `help:"Effect: ${enum}." placeholder:"KIND" enum:"pure,ui-only,network,destructive," default:""`
	Subject      string   `help:"Id of a customer, an order or the like that it is about." placeholder:"ID"`
	Text         string   `help:"Words that are all in it." placeholder:"WORDS"`
	Request      string   `help:"Request id." placeholder:"ID"`
	Trace        string   `help:"Trace id." placeholder:"ID"`
	Conversation string   `help:"Conversation id." placeholder:"ID"`
	Since        string   `help:"From this day or time on (2026-03-01 or 2026-03-01T09:00:00Z)." placeholder:"DAY"`
	Until        string   `help:"Before this day or time." placeholder:"DAY"`
	Reads        bool     `help:"People's look-ups too."`
}

func (c auditFilters) query() (audit.Query, error) {
	since, err := parseTime(c.Since)
	if err != nil {
		return audit.Query{}, err
	}
	until, err := parseTime(c.Until)
	if err != nil {
		return audit.Query{}, err
	}
	return audit.Query{Kind: bus.Kind(c.Kind), Capability: c.Capability, Exclude: c.Without, Person: c.Person,
		CallerType: bus.CallerType(c.Caller), Status: bus.Status(c.Status), Code: bus.Code(c.Code),
		SideEffect: bus.SideEffect(c.Risk), Subject: c.Subject, Text: c.Text, RequestID: c.Request, TraceID: c.Trace,
		ConversationID: c.Conversation, Since: since, Until: until, Reads: c.Reads}, nil
}

type auditQuery struct {
	auditFilters
	Limit  int    `help:"How many, newest first." default:"100"`
	Cursor string `help:"Where the last page ended, as it says." placeholder:"CURSOR"`
}

func (c auditQuery) Run(t *terminal) error {
	q, err := c.query()
	if err != nil {
		return err
	}
	q.Limit, q.Cursor = c.Limit, c.Cursor
	return t.withLog(func(l *audit.Log) error {
		page, err := l.Search(t.ctx, q)
		if err != nil {
			return err
		}
		if err := t.records(page.Records); err != nil {
			return err
		}
		if page.SearchedBack > 0 && !t.flags.JSON {
			fmt.Fprintf(t.Out, "searched back to %s\n", clock(page.SearchedBack))
		}
		if page.HasMore && !t.flags.JSON {
			_, err = fmt.Fprintf(t.Out, "more: --cursor %s\n", page.NextCursor)
		}
		return err
	})
}

// parseTime converts a day or a time to Unix milliseconds; "" is 0.
func parseTime(s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.ParseInLocation(layout, s, time.Local); err == nil {
			return t.UnixMilli(), nil
		}
	}
	return 0, fmt.Errorf("%q is not a time: write 2026-03-01 or 2026-03-01T09:00:00Z", s)
}

type auditTrace struct {
	RequestID string `arg:"" help:"Request id of any record in it."`
}

func (c auditTrace) Run(t *terminal) error {
	return t.withLog(func(l *audit.Log) error {
		trace, err := l.Trace(t.ctx, c.RequestID)
		if err != nil {
			return err
		}
		if t.flags.JSON {
			return t.print(trace)
		}
		if len(trace.Records) == 0 {
			return fmt.Errorf("there is no record of request %s", c.RequestID)
		}
		said := ""
		for _, r := range trace.Records {
			if r.TriggeringMessage != "" && r.TriggeringMessage != said {
				said = r.TriggeringMessage
				fmt.Fprintf(t.Out, "“%s”\n", said)
			}
			t.traced(r)
		}
		return nil
	})
}

// traced prints one record of a trace with its decision, outcome and effects.
func (t *terminal) traced(r audit.Record) {
	fmt.Fprintf(t.Out, "  %s  %s  %s\n      by  %s\n", clock(r.Time), r.Capability, r.Arguments, who(&r))
	if d := r.Decision; d != nil {
		by := d.By
		if d.Answer != "" {
			by = string(d.Answer) + " by " + by
		}
		fmt.Fprintf(t.Out, "      decision  %s (%s)\n", d.Rule, by)
	}
	outcome := outcomeOf(r)
	if r.Code != "" {
		outcome = fmt.Sprintf("%s/%s: %s", r.Code, r.Reason, r.Message)
	}
	if r.Summary != "" {
		outcome += " · " + r.Summary
	}
	fmt.Fprintf(t.Out, "      %s   (request %s)\n", outcome, r.RequestID)
	for _, e := range r.Effects {
		fmt.Fprintf(t.Out, "      %s\n", effectLine(e))
	}
	for _, e := range r.Events {
		fmt.Fprintf(t.Out, "      event  %s\n", eventLine(e))
	}
}

// who names the kind of caller, the person, the assistant or client that acted for the person, and the till.
func who(r *audit.Record) string {
	parts := []string{r.Caller.Type, r.Caller.Person}
	if r.Model != nil && r.Caller.Type == string(bus.CallerAgent) {
		kind := "model"
		if r.Caller.Door == mcp.Door {
			kind = "client"
		}
		parts = append(parts, kind+" "+quoted(r.Model.Name))
	}
	if _, till, remote := strings.Cut(r.Caller.Door, ":"); remote {
		parts = append(parts, "till "+quoted(till))
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// outcomeOf returns the outcome of a call in words. A call that was tried out changed nothing.
func outcomeOf(r audit.Record) string {
	if r.DryRun && r.Status == bus.StatusSuccess {
		return "tried out"
	}
	return string(r.Status)
}

// eventLine describes one event of a handler.
func eventLine(e bus.Event) string {
	parts := []string{string(e.Type), cmp.Or(e.Domain, string(e.Level)), cmp.Or(e.Summary, e.Message),
		strings.Join(e.IDs, " ")}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

// effectLine describes a changed row. It omits columns ending in _fold, which only serve searches.
func effectLine(e bus.Effect) string {
	key := make([]string, 0, len(e.Key))
	for _, k := range sortedNames(e.Key) {
		key = append(key, cell(k, e.Key[k]))
	}
	var parts []string
	for _, column := range sortedNames(e.After, e.Before) {
		before, after := e.Before[column], e.After[column]
		switch {
		case strings.HasSuffix(column, "_fold"):
		case e.Op == "update":
			parts = append(parts, fmt.Sprintf("%s %s → %s", column, cell(column, before), cell(column, after)))
		case e.Op == "delete":
			parts = append(parts, fmt.Sprintf("%s %s", column, cell(column, before)))
		case !isBlank(after) && e.Key[column] == nil:
			parts = append(parts, fmt.Sprintf("%s %s", column, cell(column, after)))
		}
	}
	return fmt.Sprintf("%s %s %s: %s", e.Op, e.Table, strings.Join(key, "/"), strings.Join(parts, ", "))
}

// isBlank reports whether a value of a new row is omitted. The texts "0" and "null" are not blank.
func isBlank(v any) bool {
	raw, err := json.Marshal(v)
	return err == nil && slices.Contains([]string{`""`, "0", "null"}, string(raw))
}

// cell formats a value. A column named at or ending in _at has milliseconds, except compare_at, which is a price.
func cell(column string, v any) string {
	if text, is := v.(string); is {
		return quoted(text)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	if ms, err := strconv.ParseInt(string(raw), 10, 64); err == nil && ms > 1e11 && (column == "at" ||
		strings.HasSuffix(column, "_at")) {
		return time.UnixMilli(ms).Format(time.DateTime)
	}
	return string(raw)
}

// sortedNames returns the keys of all maps.
func sortedNames(rows ...map[string]any) []string {
	all := map[string]any{}
	for _, m := range rows {
		maps.Copy(all, m)
	}
	return slices.Sorted(maps.Keys(all))
}

type auditVerify struct {
	Head  []string `help:"A hash that a record must have, as an export or a copy ends with it." placeholder:"HEX"`
	State bool     `help:"Compare the shop's rows with what the log says of them, too."`
}

func (c auditVerify) Run(t *terminal) error {
	return t.withLog(func(l *audit.Log) error {
		var v struct {
			audit.Verdict
			State *audit.StateVerdict `json:"state,omitempty"`
		}
		var err error
		if v.Verdict, err = l.Verify(t.ctx, nil, c.Head...); err != nil {
			return err
		}
		if c.State && v.OK {
			state, err := l.VerifyState(t.ctx, nil)
			if err != nil {
				return err
			}
			v.State, v.OK = &state, state.OK
		}
		switch {
		case t.flags.JSON:
			return t.outcome(v, v.OK)
		case v.Remedy != "":
			return fmt.Errorf("%s %s", v.Problem, v.Remedy)
		case v.Problem != "":
			return fmt.Errorf("the log was changed: %s", v.Problem)
		}
		fmt.Fprintf(t.Out, "The log is whole: %d records, head %s\n", v.Records, v.Head)
		if v.State == nil {
			return nil
		}
		return t.state(v.State)
	})
}

// state prints the comparison of the shop's rows with the log.
func (t *terminal) state(v *audit.StateVerdict) error {
	if v.From > 0 {
		fmt.Fprintf(t.Out, "Not every row is compared by itself. %s\n", v.Why)
	}
	for _, says := range v.Unexplained {
		fmt.Fprintln(t.Out, says)
	}
	switch {
	case !v.OK && v.Derived == len(v.Unexplained):
		return errors.New("sums or indexes were changed by another program. " + v.Remedy)
	case !v.OK:
		return errors.New("the log does not explain these rows: they were changed by another program. " + v.Remedy)
	}
	_, err := fmt.Fprintf(t.Out, "The rows are what the log says: %d compared, %d of them by the digest of their table; "+
		"%d not compared\n", v.Rows+v.Together, v.Together, v.Uncovered)
	return err
}

// records prints one record on each line as JSON, or a table.
func (t *terminal) records(list []audit.Record) error {
	if t.flags.JSON {
		for _, r := range list {
			if err := t.print(r); err != nil {
				return err
			}
		}
		return nil
	}
	w := tabwriter.NewWriter(t.Out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "SEQ\tTIME\tBY\tCAPABILITY\tOUTCOME\tWHAT\tREQUEST")
	for _, r := range list {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Seq, clock(r.Time), who(&r), r.Capability,
			cmp.Or(string(r.Code), outcomeOf(r)), shorten(cmp.Or(r.Summary, r.Message), 60), r.RequestID)
	}
	return w.Flush()
}

func clock(ms int64) string { return time.UnixMilli(ms).Format("2006-01-02 15:04:05") }

func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
