package mcp

import (
	"cmp"
	"context"
	_ "embed" // the page of a preview
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/jsonpointer"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A record that a capability reads by its id is a resource, deskhand://customer/cus_…: results link to their records.
// Reading a resource calls that capability, with its rules and its record in the log.

const recordScheme = "deskhand://"

// record is a kind of records that are resources.
type record struct {
	bus.Entity
	id string // the field of its Get capability
}

// recordsOf returns the kinds that a client may read, by type.
func recordsOf(m bus.Manifest) (list []record) {
	for _, e := range m.Entities {
		at := slices.IndexFunc(m.Capabilities, func(c bus.ManifestEntry) bool { return e.Get != "" && c.Name == e.Get })
		if at < 0 {
			continue
		}
		var schema struct{ Required []string }
		if json.Unmarshal(m.Capabilities[at].InputSchema, &schema) == nil && len(schema.Required) == 1 {
			list = append(list, record{e, schema.Required[0]})
		}
	}
	return list
}

// addRecords registers the kinds of records.
func (s *Server) addRecords(list []record) {
	for _, r := range list {
		s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{Name: r.Type, Title: r.Title, MIMEType: "application/json",
			URITemplate: recordScheme + r.Type + "/{id}"},
			func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
				return s.readRecord(ctx, r, req.Params.URI)
			})
	}
}

// readRecord calls the capability that reads the record.
func (s *Server) readRecord(ctx context.Context, r record, uri string) (*sdk.ReadResourceResult, error) {
	id, err := url.PathUnescape(strings.TrimPrefix(uri, recordScheme+r.Type+"/"))
	if err != nil {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	arguments, err := json.Marshal(map[string]string{r.id: id})
	if err != nil {
		return nil, err
	}
	c, _ := s.start(r.Get, arguments)
	res := s.await(ctx, &sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{}}, c, true)
	told, _ := res.StructuredContent.(map[string]any)
	if res.IsError {
		if told["code"] == string(bus.NotFound) {
			return nil, sdk.ResourceNotFoundError(uri)
		}
		return nil, fmt.Errorf("%v %v", told["message"], told["recovery_hint"])
	}
	text, err := json.Marshal(told)
	if err != nil {
		return nil, err
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: "application/json",
		Text: string(text)}}}, nil
}

// maxLinks limits the links from a result to records.
const maxLinks = 10

// links returns links to the records that a result concerns or lists. Their names come from the result itself, so a
// name is withheld together with the text that contains it.
func links(list []record, capability string, data json.RawMessage) (links []sdk.Content) {
	value, err := decode(data)
	if err != nil {
		return nil
	}
	for _, r := range list {
		var found []any
		if r.Get == capability {
			found = append(found, value)
		}
		for _, source := range r.Sources {
			if lister, pointer, _ := strings.Cut(source, "#"); lister == capability {
				listed, _ := jsonpointer.At(value, pointer)
				records, _ := listed.([]any)
				found = append(found, records...)
			}
		}
		for _, of := range found {
			fields, _ := of.(map[string]any)
			if id, is := fields["id"].(string); is && len(links) < maxLinks {
				links = append(links, &sdk.ResourceLink{URI: recordScheme + r.Type + "/" + url.PathEscape(id),
					MIMEType: "application/json", Name: cmp.Or(r.NameOf(fields), r.Title+" "+id),
					Annotations: &sdk.Annotations{Audience: []sdk.Role{"user"}}})
			}
		}
	}
	return links
}

// The extension for showing a server's pages in the client next to a result. The page shows the preview of a waiting
// call and the effects of a completed one. It has no button, because a person answers at the desk.
const (
	extensionUI = "io.modelcontextprotocol/ui"
	previewURI  = "ui://deskhand/preview"
	previewMIME = "text/html;profile=mcp-app"
	metaPreview = "deskhand/preview" // in the _meta of a waiting result, which models do not read
)

//go:embed preview.html
var previewPage string

// shown links a tool to the page of its preview.
var shown = sdk.Meta{"ui": map[string]any{"resourceUri": previewURI}}

// addPreview registers the page.
func (s *Server) addPreview() {
	s.sdk.AddResource(&sdk.Resource{URI: previewURI, Name: "preview", Title: "What it would do", MIMEType: previewMIME},
		func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: previewURI, MIMEType: previewMIME,
				Text: previewPage, Meta: sdk.Meta{"ui": map[string]any{"prefersBorder": true}}}}}, nil
		})
}

// preview is the part of a card that a person sees in the client: the effects and the records concerned, limited to the
// data in a result. Changed rows are only shown at the desk.
type preview struct {
	Title    string         `json:"title"`
	Sentence string         `json:"sentence"`
	Steps    []string       `json:"steps,omitempty"`
	Values   []previewValue `json:"values,omitempty"`
	Bills    []*bus.Bill    `json:"bills,omitempty"`
}

type previewValue struct {
	Label string `json:"label"`
	Text  string `json:"text"`
}

func previewOf(c *policy.Card) preview {
	p := preview{Title: c.Title, Sentence: c.Sentence, Steps: c.Steps, Bills: c.Bills}
	for _, a := range c.Arguments {
		p.Values = append(p.Values, previewValue{a.Label, a.Text})
	}
	return p
}
