package bus

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// manifestVersion is the version of the manifest format.
const manifestVersion = "0.2.0"

// View selects the viewer and the content of a manifest.
type View struct {
	Caller    CallerType // an agent does not see hidden capabilities
	Principal Principal  // a person does not see capabilities that the role cannot use
	Route     string     // the page; capabilities of other pages are omitted. "" keeps all
	All       bool       // everything, for every caller: for generators and documentation

	// Budget limits the tokens of the manifest's tool definitions, approximately (four bytes count as one). With a
	// budget there are never more capabilities than endpoints accept tools. 0 means no limit. The same view omits the
	// same capabilities in every state. Keep has priority, then discovery, then the capabilities of the route, then the
	// others, one of each domain in turn.
	Budget int
	// Keep names the most important capabilities, most important first. The route does not exclude them, and they come
	// first in the budget.
	Keep []string
}

// Manifest describes the capabilities of the application for a model, a palette or a code generator. The same state
// gives the same bytes, except for GeneratedAt.
type Manifest struct {
	SchemaVersion string `json:"schema_version"`
	Application   struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"application"`
	Entities     []Entity        `json:"entities,omitempty"` // kinds of records, by type
	Capabilities []ManifestEntry `json:"capabilities"`       // by name
	GeneratedAt  string          `json:"generated_at"`       // RFC 3339
}

// ManifestEntry is one capability in a manifest.
type ManifestEntry struct {
	Name         string          `json:"name"`
	Title        string          `json:"title"`
	Help         string          `json:"help,omitempty"` // a sentence for people
	Description  string          `json:"description"`
	Version      string          `json:"version"`
	Since        string          `json:"since,omitempty"`
	Category     string          `json:"category,omitempty"`
	Group        string          `json:"group,omitempty"`
	Tags         []string        `json:"tags,omitempty"`
	Type         Type            `json:"type"`
	InputSchema  json.RawMessage `json:"input_schema,omitempty"`  // absent: not validated
	OutputSchema json.RawMessage `json:"output_schema,omitempty"` // absent: not validated
	// Sources are the lists that contain the ids in its input, "capability#/list" by kind of record; see [Entity].
	Sources           map[string]string `json:"sources,omitempty"`
	SideEffect        SideEffect        `json:"side_effect"`
	Changes           []string          `json:"changes,omitzero"`  // domains of state that it changes; "*": any
	Provides          []string          `json:"provides,omitzero"` // domains that its output depends on
	Permissions       []string          `json:"permissions,omitempty"`
	Access            *Access           `json:"access,omitempty"`
	Preconditions     []Precondition    `json:"preconditions,omitempty"`
	Requires          []string          `json:"requires,omitempty"`
	Concurrency       Concurrency       `json:"concurrency"`
	QueueDepth        int               `json:"queue_depth,omitempty"`
	RateLimit         *manifestRate     `json:"rate_limit,omitempty"`
	TimeoutMS         int64             `json:"timeout_ms"`
	RetryPolicy       *RetryPolicy      `json:"retry_policy,omitempty"`
	Idempotent        bool              `json:"idempotent,omitempty"`
	KeepResult        bool              `json:"keep_result,omitempty"`
	AgentVisible      bool              `json:"agent_visible"`
	ExecutionContext  string            `json:"execution_context"`
	Location          string            `json:"location,omitempty"`
	Resources         []string          `json:"resources,omitempty"`
	CostEstimate      map[string]string `json:"cost_estimate,omitempty"`
	Facts             []string          `json:"facts,omitempty"`
	Reversible        bool              `json:"reversible,omitempty"`
	Grantable         []string          `json:"grantable,omitempty"`
	Routes            []string          `json:"routes,omitempty"`
	Shortcut          string            `json:"shortcut,omitempty"`
	Phrases           []string          `json:"phrases,omitempty"`
	Background        bool              `json:"background,omitempty"`
	Available         bool              `json:"available"`
	UnavailableReason string            `json:"unavailable_reason,omitempty"`
	Texts             Texts             `json:"texts,omitempty"`   // of UnavailableReason
	Current           any               `json:"current,omitempty"` // a control's current value

	Searchable             bool `json:"searchable,omitempty"`
	Sortable               bool `json:"sortable,omitempty"`
	Filterable             bool `json:"filterable,omitempty"`
	Paginated              bool `json:"paginated,omitempty"`
	Passive                bool `json:"passive,omitempty"`
	AgentOnly              bool `json:"agent_only,omitempty"`
	Composite              bool `json:"composite,omitempty"` // it calls others, which are listed separately
	RefreshIntervalSeconds int  `json:"refresh_interval_seconds,omitempty"`
	Public                 bool `json:"public,omitempty"`
}

// wireRetry is the JSON of a RetryPolicy.
type wireRetry struct {
	MaxAttempts       int      `json:"max_attempts"`
	InitialDelayMS    int64    `json:"initial_delay_ms"`
	BackoffMultiplier float64  `json:"backoff_multiplier"`
	MaxDelayMS        int64    `json:"max_delay_ms,omitempty"`
	RetryOn           []Reason `json:"retry_on,omitempty"`
}

// MarshalJSON writes the delays in milliseconds.
func (p RetryPolicy) MarshalJSON() ([]byte, error) {
	return json.Marshal(wireRetry{p.MaxAttempts, p.InitialDelay.Milliseconds(), p.BackoffMultiplier,
		p.MaxDelay.Milliseconds(), p.RetryOn})
}

// UnmarshalJSON reads the delays in milliseconds.
func (p *RetryPolicy) UnmarshalJSON(data []byte) error {
	var w wireRetry
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	*p = RetryPolicy{w.MaxAttempts, time.Duration(w.InitialDelayMS) * time.Millisecond, w.BackoffMultiplier,
		time.Duration(w.MaxDelayMS) * time.Millisecond, w.RetryOn}
	return nil
}

type manifestRate struct {
	RateLimit
	Period string `json:"period"`
}

// Manifest lists the capabilities that the viewer may see, including unavailable ones with the reason. All availability
// is from one snapshot; [Capability.Available] explains its age.
func (b *Bus) Manifest(ctx context.Context, v View) (Manifest, error) {
	l, now := b.listed.Load(), b.o.Clock()
	states, err := b.present(ctx, l, v.Principal, now)
	if err != nil {
		return Manifest{}, err
	}
	shown := l.visible(v)
	m := b.manifest(now)
	m.Entities = l.entities(v)
	m.Capabilities = make([]ManifestEntry, len(shown))
	for i, at := range shown {
		m.Capabilities[i] = *l.caps[at].entry()
		states[at].describe(&m.Capabilities[i])
	}
	return m, nil
}

// manifest returns a manifest without capabilities.
func (b *Bus) manifest(now time.Time) Manifest {
	m := Manifest{SchemaVersion: manifestVersion, Capabilities: []ManifestEntry{},
		GeneratedAt: now.UTC().Format(time.RFC3339)}
	m.Application.Name, m.Application.Version = b.o.Name, b.o.Version
	return m
}

// newEntry makes the part of a manifest entry that is independent of the state.
func (r *registered) newEntry(kinds map[string]*kind) *ManifestEntry {
	c := &r.Capability
	e := ManifestEntry{Name: c.Name, Title: c.Title, Help: c.Help, Description: c.Description,
		Version: c.Version, Since: c.Since, Category: c.Listing.Category, Group: c.Listing.Group, Tags: c.Listing.Tags,
		Type:        c.Type,
		InputSchema: c.InputSchema, OutputSchema: c.OutputSchema, SideEffect: c.SideEffect,
		Changes: c.Changes, Provides: c.Provides,
		Permissions: c.Permissions, Preconditions: slices.Clone(c.Checks.Preconditions), Requires: c.Checks.Requires,
		Concurrency: c.Run.Concurrency, QueueDepth: c.Run.QueueDepth,
		TimeoutMS: c.Run.Timeout.Milliseconds(), RetryPolicy: c.Run.Retry, Idempotent: c.Run.Idempotent,
		KeepResult:   c.Run.KeepResult,
		AgentVisible: !c.Assistant.Hidden, ExecutionContext: c.Run.ExecutionContext, Location: c.Run.Location,
		Resources: c.Resources, CostEstimate: c.Run.CostEstimate, Facts: c.Facts, Reversible: c.Reversible,
		Grantable: c.Assistant.Grantable, Routes: c.Listing.Routes, Shortcut: c.Listing.Shortcut,
		Phrases: c.Assistant.Phrases, Background: c.Run.Background,
		Available: true, Passive: c.Listing.Passive, AgentOnly: c.Assistant.Only, Composite: c.IsComposite(),
		RefreshIntervalSeconds: int(c.Listing.RefreshEvery.Seconds()), Public: c.Listing.Public}
	for i := range e.Preconditions {
		e.Preconditions[i].Check = nil
	}
	if c.Checks.Access != (Access{}) {
		e.Access = &c.Checks.Access
	}
	if c.Run.RateLimit != nil {
		e.RateLimit = &manifestRate{*c.Run.RateLimit, period(c.Run.RateLimit.Period)}
	}
	r.describeList(&e)
	e.Sources = r.sourcesOf(kinds)
	if c.Name == nameNames {
		e.Provides = domainsOf(kinds)
	}
	return &e
}

// period formats a duration without trailing units of 0: "1h", not "1h0m0s".
func period(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// describeList sets whether the capability is a list, and its means of search and filtering.
func (r *registered) describeList(e *ManifestEntry) {
	if e.Paginated = r.in.HasField("/cursor") && r.out.HasField("/nextCursor"); !e.Paginated {
		return
	}
	fields, own := r.in.FieldsAt(""), append(r.in.Required(), "cursor", "limit", "query", "text", "sort")
	e.Searchable = slices.Contains(fields, "query") || slices.Contains(fields, "text")
	e.Sortable = slices.Contains(fields, "sort")
	e.Filterable = slices.ContainsFunc(fields, func(name string) bool { return !slices.Contains(own, name) })
}
