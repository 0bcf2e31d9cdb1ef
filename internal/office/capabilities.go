package office

import (
	"context"
	_ "embed"
	"encoding/json"
	"slices"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/archive"
	"github.com/deskhand/deskhand/audit/capabilities"
	"github.com/deskhand/deskhand/bus"
)

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// shownAlarms limits the alarms in a response.
const shownAlarms = 500

type logOutput struct {
	Shop       string `json:"shop"`
	Epoch      int    `json:"epoch"`
	Last       bool   `json:"last"`
	RestoredBy string `json:"restoredBy,omitempty"`
	Records    int64  `json:"records"`
	Head       string `json:"head,omitempty"`
	Time       int64  `json:"time,omitempty" x:"time=true"`
	Alarms     int    `json:"alarms"`
	Unreadable string `json:"unreadable,omitempty"`
}

func logOf(r *archive.Report) logOutput {
	return logOutput{Shop: r.Source, Epoch: r.Epoch.Number, Last: r.Last, RestoredBy: r.Epoch.Request, Records: r.Records,
		Head: r.Head, Time: r.Time, Alarms: r.Alarms, Unreadable: r.Problem}
}

type openInput struct {
	Shop  string `json:"shop" jsonschema:"minLength=1,maxLength=64"`
	Epoch int    `json:"epoch,omitempty" jsonschema:"minimum=1"`
}

type listOutput struct {
	Logs   []logOutput `json:"logs"`
	Opened *openInput  `json:"opened,omitempty" jsonschema_description:"The log that this window shows."`
}

type alarmsOutput struct {
	Alarms []archive.Alarm `json:"alarms"`
	More   int             `json:"more,omitempty"`
}

type checkedOutput struct {
	logOutput
	Whole   bool   `json:"whole"`
	Problem string `json:"problem,omitempty"`
}

type verifyOutput struct {
	Logs []checkedOutput `json:"logs"`
}

// scope is the permission for capabilities of the archive itself.
const scope = "archive:read"

// absent is the group of capabilities that are only listed.
const absent = "absent"

// capabilities returns those of the archive itself. They are pure, because only look-ups may be recorded in the log of
// an archive.
func (o *Office) capabilities() []bus.Capability {
	base := bus.Capability{Texts: texts, Since: "0.1.0", SideEffect: bus.Pure, Permissions: []string{scope},
		Resources: []string{"database:read", "filesystem:read"},
		Listing:   bus.Listing{Category: "archive", Group: "archive", Routes: []string{"audit"}},
		Run:       bus.Run{Idempotent: true, Timeout: time.Minute, ExecutionContext: "client"},
		Assistant: bus.Assistant{Hidden: true}}
	list, alarms, open, verify := base, base, base, base
	list.Name, list.Type = "archive.list", bus.TypeData
	alarms.Name, alarms.Type, alarms.Run.Unrecorded = "archive.alarms", bus.TypeData, true
	open.Name = "archive.open"
	verify.Name, verify.Type, verify.Run.Timeout = "archive.verify", bus.TypeStatus, 6*time.Hour
	return []bus.Capability{
		bus.Define(list, func(ctx context.Context, _ *bus.Call, _ struct{}) (listOutput, error) {
			all, err := o.archive.Reports(ctx, false, nil)
			out := listOutput{Logs: []logOutput{}, Opened: o.opened()}
			for i := range all {
				out.Logs = append(out.Logs, logOf(&all[i]))
			}
			return out, err
		}),
		bus.Define(alarms, func(context.Context, *bus.Call, struct{}) (alarmsOutput, error) {
			all := o.archive.Alarms()
			slices.Reverse(all)
			out := alarmsOutput{Alarms: all[:min(len(all), shownAlarms)]}
			out.More = len(all) - len(out.Alarms)
			return out, nil
		}),
		bus.Define(open, func(ctx context.Context, call *bus.Call, in openInput) (struct{}, error) {
			call.Summarize("Show the log of %s", in.Shop)
			return struct{}{}, o.choose(ctx, in)
		}),
		bus.Define(verify, func(ctx context.Context, call *bus.Call, _ struct{}) (verifyOutput, error) {
			all, err := o.archive.Reports(ctx, true, func(done, total int) {
				call.Progress(done*100/max(total, 1), "Checking the logs")
			})
			out := verifyOutput{Logs: []checkedOutput{}}
			for i := range all {
				one := checkedOutput{logOutput: logOf(&all[i]), Whole: all[i].Problem == "", Problem: all[i].Problem}
				if v := all[i].Verdict; v != nil {
					one.Whole, one.Problem = v.OK, v.Problem
				}
				out.Logs = append(out.Logs, one)
			}
			return out, err
		}),
	}
}

// ofLog returns the capabilities of a log that only read it, because nothing else may be recorded there.
func ofLog(log *audit.Log) []bus.Capability {
	all := capabilities.New(log, capabilities.Options{
		Zone: func(context.Context) (*time.Location, error) { return time.Local, nil }})
	return slices.DeleteFunc(all, func(c bus.Capability) bool {
		return c.SideEffect != bus.Pure || c.Name == "audit.listFilters"
	})
}

// notListed lists capabilities that the page would offer or call if they were listed.
var notListed = []string{"assistant.usage", "audit.rebuildRollups", "audit.replay", "data.purge"}

// elsewhere describes the capabilities of the shops' programs that this one lacks, so that the page has their titles.
func elsewhere(m bus.Manifest, here []bus.Capability) (all []bus.Capability) {
	for _, e := range m.Capabilities {
		if slices.Contains(notListed, e.Name) ||
			slices.ContainsFunc(here, func(c bus.Capability) bool { return c.Name == e.Name }) {
			continue
		}
		all = append(all, bus.Capability{Name: e.Name, Title: e.Title, Description: e.Description, SideEffect: bus.Pure,
			Listing: bus.Listing{Group: absent, Passive: true}, Assistant: bus.Assistant{Hidden: true},
			Checks:  bus.Checks{Available: func(context.Context, *bus.Call) error { return errElsewhere() }},
			Handler: func(context.Context, *bus.Call) (json.RawMessage, error) { return nil, errElsewhere() }})
	}
	return all
}

func errElsewhere() error {
	return bus.Errorf(bus.NotFound, bus.ReasonCapability, "An archive is only looked at.")
}
