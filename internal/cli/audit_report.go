package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/internal/desk"
)

type auditExport struct {
	auditFilters
	Format string `help:"Form of the file: ${enum}." enum:"jsonl,csv" default:"jsonl"`
}

// Run writes to standard output.
func (c auditExport) Run(t *terminal) error {
	q, err := c.query()
	if err != nil {
		return err
	}
	return t.withLog(func(l *audit.Log) error {
		_, err := l.Export(t.ctx, t.Out, q, c.Format, nil)
		return err
	})
}

type auditStats struct {
	Since string `help:"From this day on."`
	Until string `help:"Before this day."`
}

func (c auditStats) Run(t *terminal) error {
	q, err := auditFilters{Since: c.Since, Until: c.Until}.query()
	if err != nil {
		return err
	}
	return t.withLog(func(l *audit.Log) error {
		s, err := l.Stats(t.ctx, q.Since, q.Until)
		if err != nil {
			return err
		}
		if t.flags.JSON {
			return t.print(s)
		}
		return t.stats(s)
	})
}

func (t *terminal) stats(s audit.Stats) error {
	w := tabwriter.NewWriter(t.Out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "CAPABILITY\tCALLER\tCALLS\tFAILED\tP50 MS\tP95 MS")
	for _, c := range s.Capabilities {
		var failed int64
		for _, n := range c.Failures {
			failed += n
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\n", c.Capability, c.Caller, c.Calls, failed, c.P50, c.P95)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	tr := s.Trust
	_, err := fmt.Fprintf(t.Out, "\nThe assistant called %d times, "+
		"%d of them something that reaches out or cannot be taken back.\n"+
		"People were asked %d times: allowed %d, edited %d, declined %d, not answered in time %d, nobody there %d.\n",
		tr.Calls, tr.Risky, tr.Asked, tr.Allowed, tr.Edited, tr.Declined, tr.Expired, tr.Nobody)
	return err
}

type auditReplay struct {
	From int64 `help:"First record." required:"" placeholder:"SEQ"`
	To   int64 `help:"Last one." placeholder:"SEQ"`
}

// Run invokes audit.replay, which works on a temporary copy of the shop.
func (c auditReplay) Run(t *terminal) error {
	args := map[string]int64{"from": c.From}
	if c.To > 0 {
		args["to"] = c.To
	}
	return t.with(desk.Options{}, func(d *desk.Desk) error {
		r, err := t.invoke(d, "audit.replay", args, "audit replay")
		if err != nil {
			return err
		}
		var report audit.ReplayReport
		if err := json.Unmarshal(r.Data, &report); err != nil {
			return err
		}
		if t.flags.JSON {
			return t.print(report)
		}
		return t.replayed(report)
	})
}

// replayed prints the report of a replay.
func (t *terminal) replayed(r audit.ReplayReport) error {
	var skipped []string
	for _, why := range slices.Sorted(maps.Keys(r.Skipped)) {
		skipped = append(skipped, fmt.Sprintf("%d %s", r.Skipped[why], why))
	}
	if len(skipped) == 0 {
		skipped = []string{"none"}
	}
	fmt.Fprintf(t.Out, "%d the same, %d different, skipped: %s\n", r.Same, r.Different, strings.Join(skipped, ", "))
	for _, n := range r.Notable {
		fmt.Fprintf(t.Out, "  %d  %s  %s: %s\n", n.Seq, n.Capability, n.Outcome, n.Why)
	}
	if r.Different > 0 || r.State != r.Reached {
		return errors.New("the copy did not come to the same state")
	}
	_, err := fmt.Fprintln(t.Out, "The copy came to the same state.")
	return err
}
