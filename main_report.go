package main

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/deskhand/deskhand/audit"
)

type auditExport struct {
	auditFilters
	Format string `help:"${enum}." enum:"jsonl,csv" default:"jsonl"`
}

// Run writes to standard output: the shell says where that goes.
func (c auditExport) Run(t *terminal) error {
	q, err := c.query()
	if err != nil {
		return err
	}
	return t.with(deskOptions{}, func(d *desk) error {
		_, err := d.log.Export(t.ctx, t.out, q, c.Format, nil)
		return err
	})
}

type auditStats struct {
	Since string `help:"From this day on."`
	Until string `help:"Before this day."`
}

func (c auditStats) Run(t *terminal) error {
	since, err := parseTime(c.Since)
	if err != nil {
		return err
	}
	until, err := parseTime(c.Until)
	if err != nil {
		return err
	}
	return t.with(deskOptions{}, func(d *desk) error {
		s, err := d.log.Stats(t.ctx, since, until)
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
	w := tabwriter.NewWriter(t.out, 0, 4, 2, ' ', 0)
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
	_, err := fmt.Fprintf(t.out, "\nThe assistant called %d times, %d of them something that reaches out or cannot be taken back.\n"+
		"People were asked %d times: allowed %d, edited %d, declined %d, not answered in time %d, nobody there %d.\n",
		tr.Calls, tr.Risky, tr.Asked, tr.Allowed, tr.Edited, tr.Declined, tr.Expired, tr.Nobody)
	return err
}

type auditReplay struct {
	On    string `help:"Folder with a copy of the shop as it was after record --after. It is changed." required:"" type:"existingdir" placeholder:"DIR"`
	After int64  `help:"Begin after this record." required:"" placeholder:"SEQ"`
	UpTo  int64  `help:"End with this one." placeholder:"SEQ"`
}

func (c auditReplay) Run(t *terminal) error {
	return t.with(deskOptions{}, func(d *desk) error {
		copied, err := openDesk(t.ctx, deskOptions{Folder: c.On, Person: t.flags.As, Door: "cli", Allow: true})
		if err != nil {
			return err
		}
		report, err := d.log.Replay(t.ctx, audit.Replay{After: c.After, UpTo: c.UpTo, Into: copied.log, Invoke: copied.bus.Invoke})
		if err := errors.Join(err, copied.close()); err != nil {
			return err
		}
		if t.flags.JSON {
			return t.print(report)
		}
		return t.replayed(report, c.UpTo == 0)
	})
}

// replayed prints a report; whole says that the slice ends with the log, so that
// the two shops can be compared.
func (t *terminal) replayed(r audit.ReplayReport, whole bool) error {
	var skipped []string
	for why, n := range r.Skipped {
		skipped = append(skipped, fmt.Sprintf("%d %s", n, why))
	}
	fmt.Fprintf(t.out, "%d the same, %d different, skipped: %s\n", r.Same, r.Different, strings.Join(skipped, ", "))
	for _, n := range r.Notable {
		fmt.Fprintf(t.out, "  %d  %s  %s: %s\n", n.Seq, n.Capability, n.Outcome, n.Why)
	}
	if whole && r.State == r.Reached {
		fmt.Fprintln(t.out, "Both shops are in the same state.")
		return nil
	}
	if r.Different > 0 || whole {
		return errors.New("the copy did not come to the same state")
	}
	return nil
}
