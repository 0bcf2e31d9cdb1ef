//go:build host

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/archive"
)

// archiveCommand stores the logs of many shops.
type archiveCommand struct {
	Folder string `help:"Where the logs are." required:"" placeholder:"DIR"`

	Run    archiveRun    `cmd:"" help:"Keep the logs of all shops that publish theirs, until it is interrupted."`
	List   archiveList   `cmd:"" help:"List the shops, and the parts of their logs."`
	Report archiveReport `cmd:"" help:"Check every log: is it whole, when is its last record from, what was refused?"`
	Alarms archiveAlarms `cmd:"" help:"What was refused, and why."`
	Verify archiveVerify `cmd:"" help:"Check that the chain of every log is whole."`
	Audit  archiveAudit  `cmd:"" help:"Look at the log of one shop: the commands of deskhand audit."`
}

// servers holds the credentials for NATS servers.
type servers struct {
	Creds string `help:"File with the credentials for it." type:"existingfile" placeholder:"FILE"`
	CA    string `help:"File with the certificate that signs its own." type:"existingfile" placeholder:"FILE" name:"ca"`
}

// options returns the options of a connection to the servers.
func (s servers) options() (o []nats.Option) {
	if s.Creds != "" {
		o = append(o, nats.UserCredentials(s.Creds))
	}
	if s.CA != "" {
		o = append(o, nats.RootCAs(s.CA))
	}
	return o
}

// cluster identifies the servers and the stream of an archive.
type cluster struct {
	servers
	Stream string `help:"Name of the stream." default:"AUDIT"`
}

// connect refuses a scheme that the NATS client does not know, because it would connect without encryption.
func (c cluster) connect(url string) (jetstream.JetStream, error) {
	for one := range strings.SplitSeq(url, ",") {
		scheme, _, named := strings.Cut(strings.TrimSpace(one), "://")
		if named && !slices.Contains([]string{"nats", "tls", "ws", "wss"}, strings.ToLower(scheme)) {
			return nil, fmt.Errorf("servers are not reached by %s: use tls://, wss://, or nats:// without encryption", scheme)
		}
	}
	o := []nats.Option{nats.Name("deskhand"), nats.MaxReconnects(-1), nats.RetryOnFailedConnect(true)}
	nc, err := nats.Connect(url, append(o, c.options()...)...)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", url, err)
	}
	return jetstream.New(nc)
}

// publisher creates the publisher of a host's log. end waits until it has ended.
func (c hostCommand) publisher(t *terminal) (publish func(context.Context, *audit.Log) (end func()), err error) {
	if c.Publish == "" {
		return func(context.Context, *audit.Log) func() { return func() {} }, nil
	}
	p, err := archive.NewPublisher(c.Shop, archive.Options{Stream: c.At.Stream, Logger: slog.Default(),
		Alarm: func(one archive.Alarm) { fmt.Fprintln(t.ErrOut, alarmLine(one)) }})
	if err != nil {
		return nil, fmt.Errorf("--shop: %w", err)
	}
	js, err := c.At.connect(c.Publish)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, log *audit.Log) func() {
		ctx, cancel := context.WithCancel(ctx)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = p.Run(ctx, js, log) // it ends only with ctx
		}()
		return func() {
			cancel()
			<-ended
			js.Conn().Close()
		}
	}, nil
}

type archiveRun struct {
	cluster
	NATS   string `help:"Where the servers are." name:"nats" required:"" placeholder:"URL"`
	Create int    `help:"Make the stream if it is not there, kept on so many servers." placeholder:"N"`
}

// Run runs until it is interrupted. Alarms go to standard error.
func (c archiveRun) Run(t *terminal) error {
	js, err := c.connect(c.NATS)
	if err != nil {
		return err
	}
	defer js.Conn().Close()
	o := archive.Options{Stream: c.Stream, Logger: slog.Default(), Alarm: func(one archive.Alarm) {
		fmt.Fprintln(t.ErrOut, alarmLine(one))
	}}
	if c.Create > 0 {
		_, err := js.CreateStream(t.ctx, o.StreamConfig(c.Create))
		if err != nil && !errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			return fmt.Errorf("make the stream %s: %w", c.Stream, err)
		}
	}
	return t.withArchive(o, func(a *archive.Archive) error {
		if err := a.Run(t.ctx, js); t.ctx.Err() == nil {
			return err
		}
		return nil // interrupted by the person
	})
}

func (t *terminal) withArchive(o archive.Options, run func(*archive.Archive) error) error {
	a, err := archive.Open(t.flags.Hosting.Archive.Folder, o)
	if err != nil {
		return err
	}
	return errors.Join(run(a), a.Close())
}

type archiveList struct{}

// Run prints a line for each part of each log.
func (archiveList) Run(t *terminal) error {
	return t.withArchive(archive.Options{}, func(a *archive.Archive) error {
		all, err := a.Sources()
		if err != nil {
			return err
		}
		if t.flags.JSON {
			return t.print(map[string]any{"shops": all})
		}
		reports, err := a.Reports(t.ctx, false, nil)
		for i, r := range reports {
			state := "goes on"
			if !r.Last {
				next := reports[i+1].Epoch
				state = fmt.Sprintf("abandoned after record %d: %s restored a copy", next.After.Seq, next.Request)
			}
			if r.Problem != "" {
				fmt.Fprintf(t.Out, "%s %d: %s\n", r.Source, r.Epoch.Number, r.Problem)
				continue
			}
			fmt.Fprintf(t.Out, "%s %d: %d records, head %s, %s\n", r.Source, r.Epoch.Number, r.Records, r.Head, state)
		}
		return err
	})
}

type archiveReport struct{}

// Run prints a line for each part of each log, and fails if one is damaged.
func (archiveReport) Run(t *terminal) error {
	return t.checked(func(list []archive.Report) error {
		if t.flags.JSON {
			return t.print(map[string]any{"logs": list})
		}
		w := tabwriter.NewWriter(t.Out, 0, 4, 2, ' ', 0)
		fmt.Fprintln(w, "SHOP\tPART\tRECORDS\tLAST RECORD\tREFUSED\tSTATE\tHEAD")
		for _, r := range list {
			last, state := "none", "whole"
			if r.Time > 0 {
				last = clock(r.Time)
			}
			switch {
			case r.Problem != "":
				state = "cannot be read"
			case !isWhole(&r):
				state = "changed"
			}
			fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%d\t%s\t%s\n", r.Source, r.Epoch.Number, r.Records, last, r.Alarms, state, r.Head)
		}
		return w.Flush()
	})
}

func isWhole(r *archive.Report) bool { return r.Problem == "" && (r.Verdict == nil || r.Verdict.OK) }

// checked verifies every log, passes the reports to print, and fails if a log is damaged.
func (t *terminal) checked(print func([]archive.Report) error) error {
	return t.withArchive(archive.Options{}, func(a *archive.Archive) error {
		list, err := a.Reports(t.ctx, true, nil)
		if err == nil {
			err = print(list)
		}
		if err == nil && slices.ContainsFunc(list, func(r archive.Report) bool { return !isWhole(&r) }) {
			err = errQuiet
		}
		return err
	})
}

type archiveAlarms struct{}

// Run prints the alarms, oldest first.
func (archiveAlarms) Run(t *terminal) error {
	return t.withArchive(archive.Options{}, func(a *archive.Archive) error {
		if t.flags.JSON {
			return t.print(map[string]any{"alarms": a.Alarms()})
		}
		for _, one := range a.Alarms() {
			fmt.Fprintln(t.Out, alarmLine(one))
		}
		return nil
	})
}

func alarmLine(one archive.Alarm) string {
	return fmt.Sprintf("%s  %s: %s", clock(one.Time), one.Source, one.Problem)
}

type archiveVerify struct{}

// Run verifies every log, and fails if one is damaged.
func (archiveVerify) Run(t *terminal) error {
	return t.checked(func(list []archive.Report) error {
		for _, r := range list {
			switch v := r.Verdict; {
			case r.Problem != "":
				fmt.Fprintf(t.ErrOut, "%s %d: %s\n", r.Source, r.Epoch.Number, r.Problem)
			case v == nil: // nothing has been stored so far
			case t.flags.JSON:
				if err := json.NewEncoder(t.Out).Encode(map[string]any{"shop": r.Source, "epoch": r.Epoch.Number,
					"verdict": v}); err != nil {
					return err
				}
			case v.OK:
				fmt.Fprintf(t.Out, "%s %d: whole: %d records, head %s\n", r.Source, r.Epoch.Number, v.Records, v.Head)
			default:
				fmt.Fprintf(t.Out, "%s %d: %s\n", r.Source, r.Epoch.Number, v.Problem)
			}
		}
		return nil
	})
}

type archiveAudit struct {
	Shop  string `help:"Name of the shop." required:"" placeholder:"NAME"`
	Epoch int    `help:"The part of its log; default: the one that goes on." placeholder:"N"`

	Tail   auditTail   `cmd:"" help:"The newest records."`
	Query  auditQuery  `cmd:"" help:"Records that match."`
	Trace  auditTrace  `cmd:"" help:"Everything that belongs to one request, from sentence to effect."`
	Verify auditVerify `cmd:"" help:"Check that the chain is whole."`
	Export auditExport `cmd:"" help:"Write the records that match to standard output."`
	Stats  auditStats  `cmd:"" help:"Calls, failures and durations, and how the assistant and people got on."`
}

// withArchived runs with the log in the command line of deskhand archive audit. It returns false for other command
// lines.
func (c hostCommands) withArchived(ctx context.Context, run func(*audit.Log) error) (bool, error) {
	if c.Archive.Audit.Shop == "" {
		return false, nil
	}
	a, err := archive.Open(c.Archive.Folder, archive.Options{})
	if err != nil {
		return true, err
	}
	log, release, err := a.Log(ctx, c.Archive.Audit.Shop, c.Archive.Audit.Epoch)
	if err == nil {
		err = run(log)
		release()
	}
	return true, errors.Join(err, a.Close())
}
