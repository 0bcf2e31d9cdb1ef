package peer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/internal/schema"
	"github.com/deskhand/deskhand/bus/token"
	"github.com/deskhand/deskhand/internal/jsondepth"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// maxFile is the size limit of capabilities.yaml, in bytes.
const maxFile = 1 << 20

// The kinds of transports.
const (
	Memory = "memory" // in this process
	Stdio  = "stdio"  // a child process, on its standard streams
)

// File is the content of capabilities.yaml.
type File struct {
	Agent      string // "agent://label-printer"
	Transports []Transport
	Topics     map[string]string // only copied, for transports with topics
	Offers     []Offer           // in the order of the file
}

// Transport is a way to reach a peer.
type Transport struct {
	Kind    string   // Memory or Stdio
	Command []string // for Stdio: an absolute path and its arguments; there is no shell
}

// Offer is an action that a peer offers, in the peer's own words.
type Offer struct {
	Name         string // the peer's name for it: letters and digits with "-", "_" or "." between
	Description  string
	TimeoutMS    int64           // 0: the default of a bus
	Idempotent   bool            // may be repeated
	Since        string          // version
	DryRun       bool            // the peer supports dry runs
	Location     string          // place of execution; "" for a transport of the file
	InputSchema  json.RawMessage // nil: not validated
	OutputSchema json.RawMessage

	line int
}

// Name returns the peer's name: "label-printer" for "agent://label-printer".
func (f *File) Name() string { return strings.TrimPrefix(f.Agent, scheme) }

const scheme = "agent://"

// Read reads a file and compiles every schema in it. The error contains the file and the line, and the keyword of a
// schema that cannot be enforced. name is the file's name in errors.
func Read(r io.Reader, name string) (*File, error) { return read(r, name, true) }

// Inspect reads a file without compiling its schemas. A bus may refuse its result, unless Read accepted the file.
func Inspect(r io.Reader, name string) (*File, error) { return read(r, name, false) }

// reading is the state of reading a file.
type reading struct {
	name    string
	compile bool
	finding *Finding // collects mistakes and unknown fields; nil: the first one ends reading
	path    string   // of the object that is read, for finding
}

// mistake is an error at a line of the file.
type mistake struct {
	file string
	Remark
}

// Error implements error.
func (m *mistake) Error() string { return fmt.Sprintf("%s:%d: %s", m.file, m.Line, m.Text) }

// wrong returns an error at a line of the file.
func (r reading) wrong(n *yaml.Node, format string, args ...any) error {
	return &mistake{r.name, Remark{Line: n.Line, Text: fmt.Sprintf(format, args...)}}
}

func read(from io.Reader, name string, compile bool) (*File, error) {
	r := reading{name: name, compile: compile}
	text, err := io.ReadAll(io.LimitReader(from, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	doc, err := r.document(text)
	if err != nil {
		return nil, err
	}
	f, location := &File{}, ""
	err = r.object(doc, "the file", map[string]field{
		"version": {true, func(n *yaml.Node) error {
			if n.Value != "1" {
				return r.wrong(n, "version %q is not 1, the only one there is", n.Value)
			}
			return nil
		}},
		"agent": {true, func(n *yaml.Node) error {
			if f.Agent = n.Value; !agentForm.MatchString(f.Agent) {
				return r.wrong(n, `agent %q is not agent://name, of small letters, digits and "-"`, f.Agent)
			}
			return nil
		}},
		"default_location": {false, r.location(&location)},
		"transports":       {false, r.each(func(n *yaml.Node) error { return r.transport(n, f) })},
		"topics":           {false, func(n *yaml.Node) error { return r.into(n, &f.Topics) }},
		"capabilities":     {true, r.each(func(n *yaml.Node) error { return r.offer(n, f) })},
	})
	for i := range f.Offers {
		f.Offers[i].Location = cmp.Or(f.Offers[i].Location, location)
	}
	if err != nil || !compile {
		return f, err
	}
	for i, c := range f.Capabilities(nil) { // reports errors that a bus would report, with the line
		if err := bus.New(bus.Options{Journal: unused{}}).Register(c); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, f.Offers[i].line, err)
		}
	}
	return f, nil
}

// document parses the text of a file.
func (r reading) document(text []byte) (*yaml.Node, error) {
	if len(text) > maxFile {
		return nil, fmt.Errorf("%s is larger than %d bytes", r.name, maxFile)
	}
	var doc, more yaml.Node
	from := yaml.NewDecoder(bytes.NewReader(twoEscapes.ReplaceAllFunc(text, oneCharacter)))
	switch err := from.Decode(&doc); {
	case errors.Is(err, io.EOF) || err == nil && len(doc.Content) != 1:
		return nil, fmt.Errorf("%s is empty", r.name)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	switch err := from.Decode(&more); {
	case err == nil:
		return nil, fmt.Errorf("%s has more than one document", r.name)
	case !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	return doc.Content[0], r.checkDepth(doc.Content[0], jsondepth.Limit)
}

// twoEscapes matches an escape. JSON writes a character beyond U+FFFF as two, which YAML refuses.
var twoEscapes = regexp.MustCompile(`\\(u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|.)`)

// oneCharacter replaces two escapes by their character, and no other one.
func oneCharacter(escape []byte) []byte {
	var text string
	if len(escape) < 12 || json.Unmarshal([]byte(`"`+string(escape)+`"`), &text) != nil {
		return escape
	}
	return []byte(text)
}

// checkDepth refuses objects and lists that are nested too deep.
func (r reading) checkDepth(n *yaml.Node, levels int) error {
	if len(n.Content) > 0 && levels == 0 {
		return r.wrong(n, "this is nested deeper than %d levels", jsondepth.Limit)
	}
	for _, child := range n.Content {
		if err := r.checkDepth(child, levels-1); err != nil {
			return err
		}
	}
	return nil
}

// Manifest returns the offers as a bus lists them, for generating a typed client.
func (f *File) Manifest(ctx context.Context) (bus.Manifest, error) {
	b := bus.New(bus.Options{Journal: unused{}, Name: f.Name(), Version: "1"})
	if err := b.Register(f.Capabilities(nil)...); err != nil {
		return bus.Manifest{}, err
	}
	return b.Manifest(ctx, bus.View{All: true})
}

// unused is the journal of a bus without invocations.
type unused struct{ bus.Journal }

func (unused) View(ctx context.Context, read func(context.Context) error) error { return read(ctx) }

var (
	agentForm = regexp.MustCompile(`^agent://[a-z0-9]+(-[a-z0-9]+)*$`)
	nameForm  = regexp.MustCompile(`^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$`)
)

func (r reading) transport(n *yaml.Node, f *File) error {
	var t Transport
	err := r.object(n, "a transport", map[string]field{
		"kind":    {true, func(n *yaml.Node) error { return r.into(n, &t.Kind) }},
		"command": {false, func(n *yaml.Node) error { return r.into(n, &t.Command) }},
	})
	switch {
	case err != nil:
		return err
	case t.Kind != Memory && t.Kind != Stdio:
		return r.wrong(n, "there is no transport %q: write memory or stdio", t.Kind)
	case (t.Kind == Stdio) != (len(t.Command) > 0):
		return r.wrong(n, "a transport stdio has a command, and no other has one")
	}
	f.Transports = append(f.Transports, t)
	return nil
}

// location reads the address of another program.
func (r reading) location(to *string) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		if err := token.CheckLocation(n.Value); err != nil {
			return r.wrong(n, "%v", err)
		}
		*to = n.Value
		return nil
	}
}

func (r reading) offer(n *yaml.Node, f *File) error {
	o := Offer{line: n.Line}
	if err := r.object(n, "a capability", r.offerFields(&o)); err != nil {
		return err
	}
	for _, other := range f.Offers {
		if localName(f, other) == localName(f, o) {
			return r.wrong(n, "%q has the name that %q in line %d has here: %s", o.Name, other.Name, other.line, localName(f, o))
		}
	}
	f.Offers = append(f.Offers, o)
	return nil
}

// offerFields returns the fields of a capability, which fill o.
func (r reading) offerFields(o *Offer) map[string]field {
	into := func(to any) field { return field{false, func(n *yaml.Node) error { return r.into(n, to) }} }
	side := func(to *json.RawMessage, what string) field {
		return field{false, func(n *yaml.Node) (err error) {
			if *to != nil {
				return r.wrong(n, "%s is the second schema of this side", what)
			}
			*to, err = r.schema(n, what)
			return err
		}}
	}
	var ignored string
	return map[string]field{
		"name": {true, func(n *yaml.Node) error {
			if o.Name = n.Value; !nameForm.MatchString(o.Name) {
				return r.wrong(n, `the name %q is not letters and digits with "-", "_" or "." between`, o.Name)
			}
			return nil
		}},
		"description": {true, func(n *yaml.Node) error { return r.into(n, &o.Description) }},
		"timeoutMs":   into(&o.TimeoutMS), "idempotent": into(&o.Idempotent), "since": into(&o.Since),
		"dryRun": into(&o.DryRun), "location": {false, r.location(&o.Location)},
		"inputSchema": side(&o.InputSchema, "inputSchema"), "outputSchema": side(&o.OutputSchema, "outputSchema"),
		// The notation of the page about capabilities and grants. This file, not the peer, decides about access.
		"input": side(&o.InputSchema, "input"), "output": side(&o.OutputSchema, "output"), "grant_status": into(&ignored),
	}
}

// schema reads the schema of an input or output, and compiles it. Its error contains the line of the keyword.
func (r reading) schema(n *yaml.Node, what string) (json.RawMessage, error) {
	v, err := r.value(n)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(v)
	if err != nil || !r.compile {
		return raw, err
	}
	if _, err := schema.Compile(raw); err != nil {
		return nil, r.wrong(nodeOf(n, err), "%s: %v", what, err)
	}
	return raw, nil
}

var placeForm = regexp.MustCompile(`^at (/[^\s:]*)`)

// nodeOf returns the node that an error about a schema refers to, by the JSON Pointer at the error's beginning.
func nodeOf(n *yaml.Node, err error) *yaml.Node {
	place := placeForm.FindStringSubmatch(err.Error())
	if place == nil {
		return n
	}
	for _, step := range strings.Split(place[1], "/")[1:] {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		at := slices.IndexFunc(n.Content, func(key *yaml.Node) bool { return key.Value == step })
		switch index, notIndex := strconv.Atoi(step); {
		case n.Kind == yaml.MappingNode && at >= 0 && at+1 < len(n.Content):
			n = n.Content[at+1]
		case n.Kind == yaml.SequenceNode && notIndex == nil && index < len(n.Content):
			n = n.Content[index]
		default:
			return n
		}
	}
	return n
}

// field reads a field of an object.
type field struct {
	required bool
	read     func(*yaml.Node) error
}

// object reads an object that has only these fields.
func (r reading) object(n *yaml.Node, what string, fields map[string]field) error {
	if n.Kind != yaml.MappingNode {
		return r.fail(r.wrong(n, "%s is no object of fields", what))
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		f, known := fields[key.Value]
		var err error
		switch {
		case seen[key.Value]:
			err = r.wrong(key, "%s has the field %q twice", what, key.Value)
		case known:
			err = f.read(value)
		case r.finding != nil:
			r.ignore(key)
		default:
			err = r.wrong(key, "%s has no field %q", what, key.Value)
		}
		seen[key.Value] = true
		if err := r.fail(err); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if fields[name].required && !seen[name] {
			if err := r.fail(r.wrong(n, "%s lacks the field %q", what, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// fail returns err, or adds it to the finding.
func (r reading) fail(err error) error {
	m, is := errors.AsType[*mistake](err)
	if r.finding == nil || !is {
		return err
	}
	r.finding.Mistakes = append(r.finding.Mistakes, m.Remark)
	return nil
}

// ignore adds a field to the finding.
func (r reading) ignore(key *yaml.Node) {
	at := Remark{key.Line, r.path + "/" + jsonpointer.Escape(key.Value)}
	r.finding.Ignored = append(r.finding.Ignored, at)
}

// each reads a list, item by item.
func (r reading) each(read func(*yaml.Node) error) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		if n.Kind != yaml.SequenceNode {
			return r.wrong(n, "this is no list")
		}
		for _, item := range n.Content {
			if err := read(item); err != nil {
				return err
			}
		}
		return nil
	}
}

// into reads a plain value.
func (r reading) into(n *yaml.Node, to any) error {
	v, err := r.value(n)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(raw, to)
	}
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return r.wrong(n, "this is a %s where a %s belongs", wrong.Value, wrong.Type)
	}
	return err
}

// value converts a node to JSON. It refuses aliases, because they could make a small file large.
func (r reading) value(n *yaml.Node) (any, error) {
	switch n.Kind {
	case yaml.ScalarNode:
		if n.Tag == "!!str" {
			return n.Value, nil
		}
		var v any
		if err := n.Decode(&v); err != nil {
			return nil, r.wrong(n, "%v", err)
		}
		switch t := v.(type) {
		case float64:
			if math.IsNaN(t) || math.IsInf(t, 0) {
				return nil, r.wrong(n, "%s is no number of JSON", n.Value)
			}
			return v, nil
		case nil, bool, int, int64, uint64:
			return v, nil
		}
		return n.Value, nil // a date is text
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			var err error
			if list[i], err = r.value(item); err != nil {
				return nil, err
			}
		}
		return list, nil
	case yaml.MappingNode:
		object := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if _, twice := object[key.Value]; twice || key.Kind != yaml.ScalarNode {
				return nil, r.wrong(key, "the key %q stands twice, or is none", key.Value)
			}
			var err error
			if object[key.Value], err = r.value(n.Content[i+1]); err != nil {
				return nil, err
			}
		}
		return object, nil
	}
	return nil, r.wrong(n, "aliases are not read: write it out")
}
