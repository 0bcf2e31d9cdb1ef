package capabilities

import (
	"context"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

type searchInput struct {
	audit.Query
	Facets bool   `json:"facets,omitempty" jsonschema_description:"Also count what is found, by each filter."`
	Limit  int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=500,default=50"`
	Cursor string `json:"cursor,omitempty" jsonschema_description:"The nextCursor of the page before."`
}

type searchOutput struct {
	Records      []audit.Record `json:"records"`
	NextCursor   string         `json:"nextCursor,omitempty"`
	HasMore      bool           `json:"hasMore"`
	SearchedBack int64          `json:"searchedBack,omitempty"`
	Unindexed    int64          `json:"unindexed,omitempty"`
	Facets       *audit.Facets  `json:"facets,omitempty"`
}

func answerSearch(ctx context.Context, records Records, in *searchInput) (searchOutput, error) {
	q := in.Query
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
