package bus

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// SchemaVersion is the version of the manifest format.
const SchemaVersion = "0.2.0"

// View says for whom a manifest is made.
type View struct {
	Caller    CallerType // an agent does not see what is hidden from it
	Principal Principal  // a person does not see what the role cannot do
	Route     string     // the page; capabilities of other pages are left out. "" keeps all
	All       bool       // everything, whoever asks: for generators and documentation
}

// Manifest describes everything the application can do, for a model, a palette
// or a code generator. Same state, same bytes, but for GeneratedAt.
type Manifest struct {
	SchemaVersion string          `json:"schema_version"`
	Application   Application     `json:"application"`
	Capabilities  []ManifestEntry `json:"capabilities"` // by name
	GeneratedAt   string          `json:"generated_at"` // RFC 3339
}

// ManifestEntry is one capability in a manifest.
type ManifestEntry struct {
	Name              string            `json:"name"`
	Title             string            `json:"title"`
	Description       string            `json:"description"`
	Version           string            `json:"version"`
	Since             string            `json:"since,omitempty"`
	Category          string            `json:"category,omitempty"`
	Group             string            `json:"group,omitempty"`
	Tags              []string          `json:"tags,omitempty"`
	Type              Type              `json:"type"`
	InputSchema       json.RawMessage   `json:"input_schema,omitempty"`  // absent: not validated
	OutputSchema      json.RawMessage   `json:"output_schema,omitempty"` // absent: not validated
	SideEffect        SideEffect        `json:"side_effect"`
	Permissions       []string          `json:"permissions,omitempty"`
	Access            *Access           `json:"access,omitempty"`
	Preconditions     []Precondition    `json:"preconditions,omitempty"`
	Requires          []string          `json:"requires,omitempty"`
	Concurrency       string            `json:"concurrency"` // "concurrent", "exclusive" or the group
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
	Current           any               `json:"current,omitempty"` // a control's present value
	Metadata
}

type manifestRate struct {
	RateLimit
	Period string `json:"period"`
}

// Manifest lists what the viewer may see, unavailable capabilities included with
// the reason. All availability is read from one snapshot.
func (b *Bus) Manifest(ctx context.Context, v View) (Manifest, error) {
	m := Manifest{SchemaVersion: SchemaVersion, Application: b.o.Application, Capabilities: []ManifestEntry{}}
	now := b.o.Clock()
	m.GeneratedAt = now.UTC().Format(time.RFC3339)
	err := b.o.Journal.View(ctx, func(ctx context.Context) error {
		for _, c := range b.Capabilities() {
			r := b.find(c.Name)
			if !v.sees(r) {
				continue
			}
			call := &Call{Capability: c, Arguments: json.RawMessage("{}"), Person: v.Principal, Now: now, seed: []byte("manifest")}
			m.Capabilities = append(m.Capabilities, b.entry(ctx, r, call))
		}
		return ctx.Err()
	})
	return m, err
}

// sees prunes by caller, permission and route. It decides what is listed, never
// what may be invoked.
func (v View) sees(c *registered) bool {
	if v.All {
		return true
	}
	if v.Caller == CallerAgent {
		if c.Metadata.AgentHidden {
			return false
		}
	} else {
		if c.Metadata.AgentOnly || (v.Principal.Person == "" && !c.Metadata.Public) {
			return false
		}
		for _, p := range c.Permissions {
			if strings.Contains(p, ":") && !v.Principal.Has(p) {
				return false
			}
		}
	}
	return v.Route == "" || len(c.Routes) == 0 || slices.Contains(c.Routes, v.Route)
}

func (b *Bus) entry(ctx context.Context, c *registered, call *Call) ManifestEntry {
	e := ManifestEntry{Name: c.Name, Title: c.Title, Description: c.Description, Version: c.Version, Since: c.Since,
		Category: c.Category, Group: c.Group, Tags: c.Tags, Type: c.Type, InputSchema: c.InputSchema, OutputSchema: c.OutputSchema,
		SideEffect: c.SideEffect, Permissions: c.Permissions, Preconditions: c.Preconditions, Requires: c.Requires,
		Concurrency: "concurrent", QueueDepth: c.Concurrency.Queue, TimeoutMS: c.Timeout.Milliseconds(), RetryPolicy: c.Retry,
		Idempotent: c.Idempotent, KeepResult: c.KeepResult, AgentVisible: !c.Metadata.AgentHidden, ExecutionContext: c.ExecutionContext,
		Location: c.Location, Resources: c.Resources, CostEstimate: c.CostEstimate, Facts: c.Facts, Reversible: c.Reversible,
		Grantable: c.Grantable, Routes: c.Routes, Shortcut: c.Shortcut, Phrases: c.Phrases, Background: c.Background,
		Available: true, Metadata: c.Metadata}
	if c.Access != (Access{}) {
		e.Access = &c.Access
	}
	if c.Concurrency.Group != "" {
		e.Concurrency = c.Concurrency.Group
	}
	if c.RateLimit != nil {
		e.RateLimit = &manifestRate{*c.RateLimit, c.RateLimit.Period.String()}
	}
	if err := b.availability(ctx, c, call); err != nil {
		e.Available, e.UnavailableReason = false, coded(err).Message
	}
	if c.Current != nil {
		if v, err := c.Current(ctx, call); err == nil {
			e.Current = v
		}
	}
	return e
}
