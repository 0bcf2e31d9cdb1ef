package peer

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/deskhand/deskhand/bus"
)

// Remark is a mistake, or the JSON Pointer of a field, with its line in the document.
type Remark struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

// Finding reports whether one capability of a document can be used.
type Finding struct {
	Name     string   `json:"name"`
	Version  string   `json:"version,omitempty"`
	Line     int      `json:"line"`
	Usable   bool     `json:"usable"`
	Mistakes []Remark `json:"mistakes"` // the reasons why it cannot be used
	Ignored  []Remark `json:"ignored"`  // JSON Pointers of fields without an effect here
}

// Survey lists the capabilities of a document and their usability.
type Survey struct {
	Capabilities []Finding `json:"capabilities"` // in the order of the document
	Ignored      []Remark  `json:"ignored"`      // fields beside the capabilities
	Usable       int       `json:"usable"`       // the number of usable capabilities
	Refusal      string    `json:"refusal"`      // the error of Read for the document as it is, or ""
}

const (
	maxCapabilities = 1000 // in a document
	maxRemarks      = 100  // of a kind, for one capability
)

// Examine reads a document that declares capabilities, and finds out which of them a bus accepts. It knows the
// notations of capabilities.yaml, of manifests, and of two papers: the capabilities layer ("input_schema") and the
// capability model ("type" and "schema"). The document is YAML or JSON: a list, an object with "capabilities", or one
// capability.
func Examine(from io.Reader, name string) (Survey, error) {
	text, err := io.ReadAll(io.LimitReader(from, maxFile+1))
	if err != nil {
		return Survey{}, fmt.Errorf("read %s: %w", name, err)
	}
	var around Finding
	r := reading{name: name, compile: true, finding: &around}
	doc, err := r.document(text)
	if err != nil {
		return Survey{}, err
	}
	s := Survey{Capabilities: []Finding{}, Ignored: []Remark{}}
	list, path := []*yaml.Node{doc}, ""
	switch {
	case doc.Kind == yaml.SequenceNode:
		list, path = doc.Content, "/%d"
	case valueOf(doc, "capabilities") != nil:
		of := valueOf(doc, "capabilities")
		if of.Kind != yaml.SequenceNode {
			return s, r.wrong(of, "\"capabilities\" must be a list")
		}
		list, path = of.Content, "/capabilities/%d"
		fields := map[string]field{"capabilities": {false, accept}}
		if valueOf(doc, "agent") != nil { // the fields of capabilities.yaml, which Read judges
			for _, own := range []string{"version", "agent", "transports", "topics", "default_location"} {
				fields[own] = field{false, accept}
			}
		}
		if err := r.object(doc, "the document", fields); err != nil {
			return s, err
		}
		if len(around.Mistakes) > 0 {
			return s, &mistake{name, around.Mistakes[0]}
		}
		s.Ignored = append(s.Ignored, around.Ignored[:min(len(around.Ignored), maxRemarks)]...)
	case valueOf(doc, "name") == nil && valueOf(doc, "id") == nil:
		return s, r.wrong(doc, "there is no capability here: neither \"capabilities\" nor \"name\" nor \"id\"")
	}
	if len(list) > maxCapabilities {
		return s, fmt.Errorf("%s has more than %d capabilities", name, maxCapabilities)
	}
	taken := map[string]int{}
	for i, n := range list {
		at := ""
		if path != "" {
			at = fmt.Sprintf(path, i)
		}
		f := r.examine(n, at, taken)
		if f.Usable {
			s.Usable++
		}
		s.Capabilities = append(s.Capabilities, f)
	}
	if _, err := Read(bytes.NewReader(text), name); err != nil {
		s.Refusal = err.Error()
	}
	return s, nil
}

// accept reads a field that needs no check.
func accept(*yaml.Node) error { return nil }

// valueOf returns the value of an object's field, or nil.
func valueOf(n *yaml.Node, name string) *yaml.Node {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

// examine reads one capability. taken maps the names of earlier ones to their lines.
func (r reading) examine(n *yaml.Node, path string, taken map[string]int) Finding {
	found := Finding{Line: n.Line, Mistakes: []Remark{}, Ignored: []Remark{}}
	r.finding, r.path = &found, path
	o := Offer{line: n.Line}
	fields := r.offerFields(&o)
	r.otherNotations(n, fields, &o)
	err := r.object(n, "a capability", fields)
	f := &File{Agent: scheme + "document", Offers: []Offer{o}}
	local := localName(f, o)
	if earlier := taken[local]; err == nil && earlier > 0 && o.Name != "" {
		err = r.fail(r.wrong(n, "line %d already has a capability of this name", earlier))
	}
	if err == nil && len(found.Mistakes) == 0 {
		if refused := bus.New(bus.Options{Journal: unused{}}).Register(f.Capabilities(nil)...); refused != nil {
			err = r.wrong(n, "%v", refused)
		}
	}
	if err := r.fail(err); err != nil { // it names no line
		found.Mistakes = append(found.Mistakes, Remark{n.Line, err.Error()})
	}
	taken[local] = n.Line
	found.Name, found.Version, found.Usable = o.Name, o.Since, len(found.Mistakes) == 0
	found.Mistakes = found.Mistakes[:min(len(found.Mistakes), maxRemarks)]
	found.Ignored = found.Ignored[:min(len(found.Ignored), maxRemarks)]
	return found
}

// otherNotations adds the fields of the other notations to those of capabilities.yaml.
func (r reading) otherNotations(n *yaml.Node, fields map[string]field, o *Offer) {
	fields["input_schema"], fields["output_schema"] = fields["inputSchema"], fields["outputSchema"]
	fields["timeout_ms"] = fields["timeoutMs"]
	if valueOf(n, "since") == nil {
		fields["version"] = fields["since"]
	}
	delete(fields, "grant_status") // it has no effect
	fields["agent_visible"] = field{false, r.visible}
	fields["available"] = field{false, func(value *yaml.Node) error {
		var available bool
		if err := r.into(value, &available); err != nil || available {
			return err
		}
		reason := "it gives no reason"
		if why := valueOf(n, "unavailable_reason"); why != nil && why.Value != "" {
			reason = why.Value
		}
		return r.wrong(value, "its program offers it only at other times: %s", reason)
	}}
	fields["unavailable_reason"] = field{false, accept}
	fields["access"] = field{false, r.access("access")}
	if p := valueOf(n, "permissions"); p != nil && p.Kind == yaml.MappingNode {
		fields["permissions"] = field{false, r.access("permissions")}
	}
	fields["metadata"] = field{false, func(value *yaml.Node) error {
		in := r
		in.path += "/metadata"
		return in.object(value, "the metadata", map[string]field{"agent_visible": {false, r.visible}})
	}}
	kind := valueOf(n, "type")
	if valueOf(n, "id") == nil || kind == nil && valueOf(n, "schema") == nil && valueOf(n, "endpoint") == nil {
		return
	}
	// The capability model: "id" is the name, and "name" is the only text for people.
	fields["id"], fields["name"] = fields["name"], field{false, fields["description"].read}
	if valueOf(n, "description") != nil {
		fields["name"] = field{false, accept}
	}
	fields["description"] = field{false, fields["description"].read}
	if valueOf(n, "description") == nil && valueOf(n, "name") == nil {
		fields["description"] = field{true, fields["description"].read}
	}
	fields["type"] = field{true, func(value *yaml.Node) error {
		types := []string{"action", "control", "data", "state", "status"}
		if !slices.Contains(types, value.Value) {
			return r.wrong(value, "there is no type %q: it is one of %s", value.Value, types)
		}
		return nil
	}}
	fields["schema"] = field{false, func(value *yaml.Node) error {
		switch {
		case kind != nil && kind.Value == "action":
			in := r
			in.path += "/schema"
			return in.object(value, "the schema of an action",
				map[string]field{"input": fields["input"], "output": fields["output"]})
		case kind != nil && kind.Value == "control":
			return fields["input"].read(value)
		}
		return fields["output"].read(value)
	}}
}

// visible refuses a capability that is hidden from agents.
func (r reading) visible(n *yaml.Node) error {
	var visible bool
	if err := r.into(n, &visible); err != nil || visible {
		return err
	}
	return r.wrong(n, "it is hidden from agents, and a bus cannot hide it")
}

// access refuses a capability that is forbidden to a kind of caller, which a bus cannot keep to. Any other rule is
// kept: a bus asks before each call of an agent.
func (r reading) access(what string) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		in := r
		in.path += "/" + what
		rule := func(who string) field {
			return field{false, func(n *yaml.Node) error {
				if bus.Rule(n.Value) == bus.RuleDeny {
					return r.wrong(n, "it is forbidden to %s, and a bus cannot forbid it", who)
				}
				return nil
			}}
		}
		return in.object(n, what, map[string]field{"user": rule("people"), "agent": rule("agents")})
	}
}
