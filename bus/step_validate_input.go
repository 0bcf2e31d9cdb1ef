package bus

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/deskhand/deskhand/bus/internal/schema"
	"github.com/deskhand/deskhand/bus/internal/version"
	"github.com/deskhand/deskhand/internal/jsondepth"
)

// validateInput is B2: version, schema and defaults. It makes the arguments canonical. An agent gets the error that a
// capability is forbidden instead of violations, because corrected arguments would not help.
func (r *run) validateInput(ctx context.Context) error {
	if err := r.checkVersion(); err != nil {
		return err
	}
	err := r.setArguments(r.inv.Arguments)
	if err == nil || r.inv.Caller.Type != CallerAgent {
		return err
	}
	kind, rule := r.entry.Kind, r.cap.Checks.Access.of(CallerAgent)
	decide := func(ctx context.Context) error { return r.decide(ctx, true, rule) }
	if rule == RuleDeny {
		decide = r.authorize
	}
	r.entry.Kind = KindInvocation
	if forbidden := decide(ctx); forbidden != nil && coded(forbidden).Code == Forbidden {
		return forbidden
	}
	r.entry.Kind, r.entry.Decision = kind, nil
	return err
}

// checkVersion refuses a caller with an incompatible contract.
func (r *run) checkVersion() error {
	if v := r.inv.MinVersion; v != "" {
		e := Errorf(Validation, ReasonVersion, "%s is at version %s, and %s was asked for.", r.cap.Name, r.cap.Version, v)
		switch {
		case version.Older(r.cap.Version, v):
			return e.WithHint("Update the application, or ask for an older version.")
		case version.Raised(r.cap.Version, v):
			return e.WithHint("What was asked for is incompatible with it: make the caller again from the manifest of now.")
		}
	}
	return nil
}

func (r *run) setArguments(raw json.RawMessage) error {
	r.kept = true
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	args, why := r.b.decode(raw)
	if why != "" {
		r.entry.Invocation.Arguments = r.b.recordable(r.cap, raw)
		return r.violated("request", []Violation{{Message: why}})
	}
	r.cap.in.Fill(args)
	if v := r.cap.in.validate(args); v != nil {
		r.keepArguments(args, true)
		return r.violated("request", v)
	}
	var err error
	if r.body, err = schema.AppendCanonical(make([]byte, 0, len(raw)), args); err != nil {
		return err
	}
	r.args, r.inv.Arguments = args, r.body
	if r.cap.plan {
		r.fileSteps()
	}
	r.keepArguments(args, false)
	return nil
}

// WithDefaults returns the arguments of a capability with the defaults of its schema, as its handler gets them.
// Malformed arguments, and those of an unknown capability, are returned unchanged.
func (b *Bus) WithDefaults(capability string, arguments json.RawMessage) json.RawMessage {
	c := b.find(capability)
	args, why := b.decode(arguments)
	if c != nil && why == "" {
		c.in.Fill(args)
		if filled, err := schema.AppendCanonical(nil, args); err == nil {
			return filled
		}
	}
	return arguments
}

// decode returns decoded arguments, or the reason why they are not a single unambiguous JSON object that a record can
// contain.
func (b *Bus) decode(raw []byte) (args any, why string) {
	if jsondepth.Exceeds(raw, jsondepth.Limit) {
		return nil, fmt.Sprintf("nested more than %d levels deep", jsondepth.Limit)
	}
	args, err := b.decoders.Decode(raw)
	if err != nil {
		return nil, "not JSON: " + err.Error()
	}
	if _, isObject := args.(map[string]any); !isObject {
		return nil, "the arguments must be a JSON object"
	}
	return args, schema.Ambiguity(raw, args)
}

// keepArguments stores the arguments in the entry, without their secrets.
func (r *run) keepArguments(args any, invalid bool) {
	raw := r.body
	if invalid {
		raw = r.inv.Arguments
	}
	safe, where := r.b.redact(r.cap, args, raw, invalid)
	if where == nil && !r.cap.in.HasSecrets() {
		if r.body != nil {
			r.entry.Invocation.Arguments = r.body
		}
		return
	}
	r.entry.Invocation.Arguments, _ = json.Marshal(safe) // it was decoded from JSON
	for _, pointer := range where {
		r.redacted = append(r.redacted, "/arguments"+pointer)
	}
	r.entry.Redacted = r.redacted
}

// keepUnread stores unread arguments in the entry. If the capability has secrets, they may be among them.
func (r *run) keepUnread() {
	if c := r.b.find(r.inv.Capability); c != nil {
		r.entry.Invocation.Arguments = r.b.recordable(c, r.inv.Arguments)
	} else if len(r.inv.Arguments) > 0 {
		r.entry.Invocation.Arguments, r.entry.Redacted = r.b.onlyNames(r.inv.Arguments)
	}
}

// violated returns the schema error and sets the record's kind.
func (r *run) violated(side string, v []Violation) error {
	r.entry.Kind = KindSchemaViolation
	e := Errorf(Validation, ReasonArguments, "The arguments do not fit %s: %s.", r.cap.Name, firstOf(v)).
		WithHint("Correct the arguments by the input schema and try again.")
	if side == "response" {
		e = Errorf(Internal, ReasonResponse, "%s gave an answer that breaks its own contract; nothing was changed.",
			r.cap.TitleText()).WithHint("Report it with the request id.")
	}
	e.Violations, e.SchemaSide = v, side
	return e
}

func firstOf(v []Violation) string {
	s := v[0].Message
	if v[0].Path != "" {
		s = v[0].Path + ": " + s
	}
	if n := len(v) - 1; n > 0 {
		s += fmt.Sprintf(" (and %d more)", n)
	}
	return s
}

// side is the schema of the input or output of a capability, or none.
type side struct{ *schema.Schema }

// validate returns every violation by path, or nil if value fits.
func (s side) validate(value any) []Violation {
	found := s.Validate(value)
	if found == nil {
		return nil
	}
	out := make([]Violation, len(found))
	for i, v := range found {
		if names, ok := v.Params["properties"].([]string); ok && v.Keyword == "additionalProperties" {
			for _, name := range names {
				v.Message += didYouMean(name, s.FieldsAt(v.Path))
			}
		}
		out[i] = Violation{Path: v.Path, Message: v.Message, Keyword: v.Keyword, Params: v.Params}
	}
	return out
}

// recordable returns raw if it is JSON that every reader of the record can read, or else as a JSON string.
func recordable(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || !jsondepth.Exceeds(raw, jsondepth.Limit) && json.Valid(raw) && utf8.Valid(raw) {
		return raw
	}
	quoted, _ := json.Marshal(string(raw))
	return quoted
}
