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

// A record that can be read by its id is a resource, deskhand://customer/cus_…: results link to the records in them. To
// read one is the call of the capability that reads it, with its rules and its record in the log.

const recordScheme = "deskhand://"

// record is a kind of records that are resources.
type record struct {
	bus.Entity
	id string // the field of its Get
}

// recordsOf are the kinds that a client may read, by type.
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

// addRecords lists the kinds of records there are.
func (s *Server) addRecords(list []record) {
	for _, r := range list {
		s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{Name: r.Type, Title: r.Title, MIMEType: "application/json",
			URITemplate: recordScheme + r.Type + "/{id}"},
			func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
				return s.readRecord(ctx, r, req.Params.URI)
			})
	}
}

// readRecord calls the capability that reads it.
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

// maxLinks is how many records a result links to.
const maxLinks = 10

// links are to the records that a result is about or lists. Their names are of the result itself: where a text of it is
// kept back, so is the name.
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

// The extension by which a client shows pages of a server beside a result. Ours shows what a call that waits would do,
// and what one has done. It has no button: a person answers at the desk.
const (
	extensionUI = "io.modelcontextprotocol/ui"
	previewURI  = "ui://deskhand/preview"
	previewMIME = "text/html;profile=mcp-app"
	metaPreview = "deskhand/preview" // in the _meta of a result that waits, where no model reads it
)

//go:embed preview.html
var previewPage string

// shown links a tool to the page of its preview.
var shown = sdk.Meta{"ui": map[string]any{"resourceUri": previewURI}}

// addPreview lists the page.
func (s *Server) addPreview() {
	s.sdk.AddResource(&sdk.Resource{URI: previewURI, Name: "preview", Title: "What it would do", MIMEType: previewMIME},
		func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: previewURI, MIMEType: previewMIME,
				Text: previewPage, Meta: sdk.Meta{"ui": map[string]any{"prefersBorder": true}}}}}, nil
		})
}

// preview is what a person reads of a card in the client: what would happen and to what, no more than a result of it
// says. Rows are shown at the desk.
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
