package capabilities

import (
	"context"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/period"
)

type statsInput struct {
	period.Days
	TimeZone string `json:"timeZone,omitempty" jsonschema:"maxLength=64"`
}

// zonePort is the type of [Options].Zone.
type zonePort = func(context.Context) (*time.Location, error)

func statsCapability(l *audit.Log, c bus.Capability, own zonePort) bus.Capability {
	c.Name, c.Type = "audit.stats", bus.TypeData
	return bus.Define(c, func(ctx context.Context, call *bus.Call, in statsInput) (audit.Stats, error) {
		zone, err := zoneOf(ctx, in.TimeZone, own)
		if err != nil {
			return audit.Stats{}, err
		}
		from, to, problem := in.Moments(call.Now.In(zone))
		if problem != "" {
			return audit.Stats{}, bus.Errorf(bus.Validation, bus.ReasonArguments, "%s", problem)
		}
		return l.Stats(ctx, from, to)
	})
}

// zoneOf returns the zone with a name; without a name the program's zone, or UTC.
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
