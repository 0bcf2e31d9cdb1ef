package audit

import (
	"context"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// scopeRead is what a person needs to look into the log.
const scopeRead = "audit:read"

// Names of the log's own capabilities.
const (
	nameSearch = "audit.search"
	nameTrace  = "audit.trace"
	nameVerify = "audit.verify"
)

// quotesLog reports whether a capability's output is a part of the log. Such
// output is not recorded: whoever read the log twice would have it in there
// twice, and then four times.
func quotesLog(name string) bool { return name == nameSearch || name == nameTrace }

type searchInput struct {
	Kind           string `json:"kind,omitempty" jsonschema:"enum=invocation,enum=capability_schema_violation"`
	Capability     string `json:"capability,omitempty" jsonschema_description:"Name of a capability, such as order.cancel."`
	CallerType     string `json:"callerType,omitempty" jsonschema:"enum=ui,enum=agent,enum=test,enum=cli"`
	Person         string `json:"person,omitempty" jsonschema_description:"Id of the person."`
	Status         string `json:"status,omitempty" jsonschema:"enum=success,enum=error"`
	Code           string `json:"code,omitempty" jsonschema:"enum=VALIDATION,enum=FORBIDDEN,enum=PRECONDITION_FAILED,enum=CONFLICT,enum=NOT_FOUND,enum=TRANSIENT,enum=INTERNAL"`
	RequestID      string `json:"requestId,omitempty"`
	TraceID        string `json:"traceId,omitempty"`
	ConversationID string `json:"conversationId,omitempty"`
	Since          int64  `json:"since,omitempty" jsonschema:"minimum=0" jsonschema_description:"Milliseconds since 1970, inclusive."`
	Until          int64  `json:"until,omitempty" jsonschema:"minimum=0" jsonschema_description:"Milliseconds since 1970, exclusive."`
	Reads          bool   `json:"reads,omitempty" jsonschema_description:"Also what people only looked at."`
	Limit          int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=500,default=50"`
	Cursor         string `json:"cursor,omitempty" jsonschema_description:"The nextCursor of the page before."`
}

type searchOutput struct {
	Records    []Record `json:"records"`
	NextCursor string   `json:"nextCursor,omitempty"`
	HasMore    bool     `json:"hasMore"`
}

type traceInput struct {
	RequestID string `json:"requestId" jsonschema:"minLength=1" jsonschema_description:"Id of any request of the trace."`
}

// Capabilities are the log's own: audit.search, audit.trace and audit.verify.
func Capabilities(l *Log) []bus.Capability {
	base := bus.Capability{SideEffect: bus.Pure, Category: "audit", Group: "audit", Permissions: []string{scopeRead},
		Resources: []string{"database:read"}, Routes: []string{"audit"}, Idempotent: true}

	search := base
	search.Name, search.Title, search.Type = nameSearch, "Search the audit log", bus.TypeData
	search.Description = "Finds records of what was asked and done, newest first, by who asked, what, when and how it ended. " +
		"Use it to answer what happened; not to find orders or customers."
	search.Metadata = bus.Metadata{Searchable: true, Filterable: true, Paginated: true}
	search.Phrases = []string{"show the audit log", "what did {person} do"}

	trace := base
	trace.Name, trace.Title, trace.Type = nameTrace, "Trace a request", bus.TypeData
	trace.Description = "Shows everything that belongs to one request in order, from the sentence to the changed rows. " +
		"Use it when one request is known; not to search."

	verify := base
	verify.Name, verify.Title, verify.Type = nameVerify, "Verify the audit log", bus.TypeStatus
	verify.Description = "Checks that no record of the log was changed, added, removed or moved, and names the first that was. " +
		"Use it before relying on the log; it does not repair anything."
	verify.Timeout = time.Hour
	verify.Phrases = []string{"verify the audit log"}

	return []bus.Capability{
		bus.Define(search, func(ctx context.Context, _ *bus.Call, in searchInput) (searchOutput, error) {
			page, err := l.Search(ctx, Query{Kind: in.Kind, Capability: in.Capability, CallerType: bus.CallerType(in.CallerType),
				Person: in.Person, Status: in.Status, Code: bus.Code(in.Code), RequestID: in.RequestID, TraceID: in.TraceID,
				ConversationID: in.ConversationID, Since: in.Since, Until: in.Until, Reads: in.Reads, Limit: in.Limit, Cursor: in.Cursor})
			if page.Records == nil {
				page.Records = []Record{}
			}
			return searchOutput(page), err
		}),
		bus.Define(trace, func(ctx context.Context, _ *bus.Call, in traceInput) (Trace, error) {
			t, err := l.Trace(ctx, in.RequestID)
			if err == nil && len(t.Records) == 0 {
				err = bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no request %s in the log.", in.RequestID).
					WithHint("audit.search finds requests.")
			}
			return t, err
		}),
		bus.Define(verify, func(ctx context.Context, call *bus.Call, _ struct{}) (Verdict, error) {
			return l.Verify(ctx, func(done, total int64) {
				call.Progress(int(done*100/max(total, 1)), "Checking the log")
			})
		}),
	}
}
