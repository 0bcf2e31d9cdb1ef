package capabilities

import (
	"context"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

type statsInput struct {
	From     string `json:"from,omitempty" jsonschema:"format=date" jsonschema_description:"First day."`
	To       string `json:"to,omitempty" jsonschema:"format=date" jsonschema_description:"Last day."`
	TimeZone string `json:"timeZone,omitempty" jsonschema:"maxLength=64"`
}

// zonePort is [Options].Zone.
type zonePort = func(context.Context) (*time.Location, error)

func statsCapability(l *audit.Log, c bus.Capability, own zonePort) bus.Capability {
	c.Name, c.Type = "audit.stats", bus.TypeData
	return bus.Define(c, func(ctx context.Context, _ *bus.Call, in statsInput) (audit.Stats, error) {
		zone, err := zoneOf(ctx, in.TimeZone, own)
		if err != nil {
			return audit.Stats{}, err
		}
		from, err := dayStart(in.From, 0, zone)
		if err != nil {
			return audit.Stats{}, err
		}
		to, err := dayStart(in.To, 1, zone)
		if err != nil {
			return audit.Stats{}, err
		}
		if to > 0 && to <= from {
			return audit.Stats{}, bus.Errorf(bus.Validation, bus.ReasonArguments, "The last day is before the first.").
				WithHint("Exchange them.")
		}
		return l.Stats(ctx, from, to)
	})
}

// zoneOf returns the zone of a name; without a name the program's own, or UTC.
func zoneOf(ctx context.Context, name string, own zonePort) (*time.Location, error) {
	switch {
	case name == "" && own != nil:
		return own(ctx)
	case name == "":
		return time.UTC, nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return nil, bus.Errorf(bus.Validation, bus.ReasonArguments, "There is no time zone %q.", name).
			WithHint("Write it as Europe/Berlin.")
	}
	return zone, nil
}

// dayStart returns the beginning of the day some days after a date, ms since 1970; 0 for no date.
func dayStart(date string, after int, zone *time.Location) (int64, error) {
	if date == "" {
		return 0, nil
	}
	day, err := time.ParseInLocation(time.DateOnly, date, zone)
	if err != nil {
		return 0, bus.Errorf(bus.Validation, bus.ReasonArguments, "%q is not a day.", date).
			WithHint("Write it as 2026-03-01.")
	}
	return day.AddDate(0, 0, after).UnixMilli(), nil
}
