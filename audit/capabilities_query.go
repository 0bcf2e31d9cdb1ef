package audit

import (
	"context"

	"github.com/deskhand/deskhand/bus"
)

// filters are what records are chosen by, for capabilities.
type filters struct {
	Kind           string   `json:"kind,omitempty" jsonschema:"enum=invocation,enum=capability_schema_violation"`
	Capability     string   `json:"capability,omitempty"`
	Without        []string `json:"without,omitempty" jsonschema:"maxItems=20"`
	CallerType     string   `json:"callerType,omitempty" jsonschema:"enum=ui,enum=agent,enum=test,enum=cli"`
	Person         string   `json:"person,omitempty" jsonschema_description:"Id of the person."`
	Status         string   `json:"status,omitempty" jsonschema:"enum=success,enum=error"`
	Code           string   `json:"code,omitempty" jsonschema:"enum=VALIDATION,enum=FORBIDDEN,enum=PRECONDITION_FAILED,enum=CONFLICT,enum=NOT_FOUND,enum=TRANSIENT,enum=INTERNAL"`
	SideEffect     string   `json:"sideEffect,omitempty" jsonschema:"enum=pure,enum=ui-only,enum=network,enum=destructive"`
	RequestID      string   `json:"requestId,omitempty"`
	TraceID        string   `json:"traceId,omitempty"`
	ConversationID string   `json:"conversationId,omitempty"`
	Subject        string   `json:"subject,omitempty" jsonschema:"maxLength=128"`
	Text           string   `json:"text,omitempty" jsonschema:"maxLength=500"`
	Since          int64    `json:"since,omitempty" jsonschema:"minimum=0"`
	Until          int64    `json:"until,omitempty" jsonschema:"minimum=0"`
	Reads          bool     `json:"reads,omitempty" jsonschema_description:"Also what people only looked at."`
}

func (filters) DescribeFields() map[string]string {
	return map[string]string{
		"capability": "Name of a capability, such as order.cancel.",
		"without":    "Capabilities to leave out: names, or what stands before the dot, such as navigation.",
		"subject":    "Id of a customer, an order or the like that it is about.",
		"text":       "Words that are all in it; a beginning before an asterisk; words in quotes as they stand there.",
		"since":      "Milliseconds since 1970, inclusive.",
		"until":      "Milliseconds since 1970, exclusive.",
	}
}

func (f *filters) query() Query {
	return Query{Kind: f.Kind, Capability: f.Capability, Without: f.Without, CallerType: bus.CallerType(f.CallerType), Person: f.Person, Status: f.Status,
		Code: bus.Code(f.Code), SideEffect: bus.SideEffect(f.SideEffect), RequestID: f.RequestID, TraceID: f.TraceID,
		ConversationID: f.ConversationID, Subject: f.Subject, Text: f.Text, Since: f.Since, Until: f.Until, Reads: f.Reads}
}

type searchInput struct {
	filters
	Facets bool   `json:"facets,omitempty" jsonschema_description:"Also count what is found, by each filter."`
	Limit  int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=500,default=50"`
	Cursor string `json:"cursor,omitempty" jsonschema_description:"The nextCursor of the page before."`
}

type searchOutput struct {
	Records      []Record `json:"records"`
	NextCursor   string   `json:"nextCursor,omitempty"`
	HasMore      bool     `json:"hasMore"`
	SearchedBack int64    `json:"searchedBack,omitempty"`
	Unindexed    int64    `json:"unindexed,omitempty"`
	Facets       *Facets  `json:"facets,omitempty"`
}

func (searchOutput) DescribeFields() map[string]string {
	return map[string]string{
		"searchedBack": "The page ended here for now, ms since 1970: the next one searches on.",
		"unindexed":    "How many of the newest records words and subjects are not found in yet.",
	}
}

func (l *Log) answerSearch(ctx context.Context, in *searchInput) (searchOutput, error) {
	q := in.query()
	q.Limit, q.Cursor = in.Limit, in.Cursor
	page, err := l.Search(ctx, q)
	if err != nil {
		return searchOutput{}, err
	}
	out := searchOutput{Records: page.Records, NextCursor: page.NextCursor, HasMore: page.HasMore, SearchedBack: page.SearchedBack, Unindexed: page.Unindexed}
	if out.Records == nil {
		out.Records = []Record{}
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
