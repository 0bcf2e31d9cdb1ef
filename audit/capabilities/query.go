package capabilities

import (
	"context"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/period"
)

type searchInput struct {
	asked
	Facets bool   `json:"facets,omitempty" jsonschema_description:"Also count what is found, by each filter."`
	Limit  int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=500,default=50"`
	Cursor string `json:"cursor,omitempty" jsonschema_description:"The nextCursor of the page before."`
}

// asked is a query with days in people's words.
type asked struct {
	audit.Query
	period.Days
}

// within narrows the query to its days, which begin and end in the application's zone.
func (a asked) within(ctx context.Context, now time.Time, own zonePort) (audit.Query, error) {
	if a.Days == (period.Days{}) {
		return a.Query, nil
	}
	zone, err := zoneOf(ctx, "", own)
	if err != nil {
		return a.Query, err
	}
	from, until, problem := a.Moments(now.In(zone))
	if problem != "" {
		return a.Query, bus.Errorf(bus.Validation, bus.ReasonArguments, "%s", problem)
	}
	a.Since = max(a.Since, from)
	if until > 0 && (a.Until == 0 || until < a.Until) {
		a.Until = until
	}
	return a.Query, nil
}

type searchOutput struct {
	Records      []audit.Record `json:"records"`
	NextCursor   string         `json:"nextCursor,omitempty"`
	HasMore      bool           `json:"hasMore"`
	SearchedBack int64          `json:"searchedBack,omitempty" jsonschema_extras:"x-time=true"`
	Unindexed    int64          `json:"unindexed,omitempty"`
	Facets       *audit.Facets  `json:"facets,omitempty"`
}

func answerSearch(ctx context.Context, records Records, now time.Time, own zonePort, in *searchInput) (searchOutput,
	error) {
	q, err := in.within(ctx, now, own)
	if err != nil {
		return searchOutput{}, err
	}
	q.Limit, q.Cursor = in.Limit, in.Cursor
	l, counts := records.(*audit.Log)
	if in.Facets && !counts {
		return searchOutput{}, bus.Errorf(bus.Validation, bus.ReasonArguments, "This log does not count what is found.").
			WithHint("Leave out facets.")
	}
	page, err := records.Search(ctx, q)
	if err != nil {
		return searchOutput{}, err
	}
	out := searchOutput{Records: page.Records, NextCursor: page.NextCursor, HasMore: page.HasMore,
		SearchedBack: page.SearchedBack, Unindexed: page.Unindexed}
	if out.Records == nil {
		out.Records = []audit.Record{}
	}
	if in.Facets {
		f, err := l.Facets(ctx, q)
		if err != nil {
			return searchOutput{}, err
		}
		out.Facets = &f
	}
	return out, nil
}
