package e2e

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// TestM2EachToolOfTheShopCanBeFound: what is not among the first tools of an agent is listed and described, and nothing
// that is kept from agents is.
//
// holds: M2 M3
func TestM2EachToolOfTheShopCanBeFound(t *testing.T) {
	d := desktest.Sample(t, desk.Options{})
	listed := map[string]bool{}
	for cursor := ""; ; {
		var page struct {
			Capabilities []struct{ Name string }
			NextCursor   string `json:"next_cursor"`
		}
		args, err := json.Marshal(map[string]any{"limit": 50, "cursor": cursor})
		if err != nil {
			t.Fatal(err)
		}
		desktest.Must(t, d, bus.CallerAgent, "capability.list", string(args), &page)
		for _, c := range page.Capabilities {
			listed[c.Name] = true
		}
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	for _, c := range d.Bus.Capabilities() {
		if hidden := c.Assistant.Hidden || c.Listing.Passive; !hidden && !listed[c.Name] {
			t.Errorf("%s is not found", c.Name)
		} else if hidden && c.Assistant.Hidden && listed[c.Name] {
			t.Errorf("%s is shown to agents", c.Name)
		}
	}
	if len(listed) < 100 {
		t.Errorf("%d are found", len(listed))
	}
}

// TestM4NoToolOfTheShopHasABoundThatAGrammarRefuses: llama.cpp refuses every request with a length above 2000.
//
// holds: M4
func TestM4NoToolOfTheShopHasABoundThatAGrammarRefuses(t *testing.T) {
	d := desktest.Sample(t, desk.Options{})
	m, err := d.Bus.Manifest(t.Context(), bus.View{Caller: bus.CallerAgent, Principal: d.Person})
	if err != nil {
		t.Fatal(err)
	}
	tools, err := m.Tools()
	if err != nil || len(tools) < 50 {
		t.Fatalf("%d tools, %v", len(tools), err)
	}
	bounds := strings.Fields("minLength maxLength minItems maxItems uniqueItems minProperties maxProperties pattern")
	for _, tool := range tools {
		var schema any
		if err := json.Unmarshal(tool.Parameters, &schema); err != nil {
			t.Fatal(err)
		}
		for keyword := range keywordsOf(schema) {
			if slices.Contains(bounds, keyword) {
				t.Errorf("%s is sent with %s", tool.Name, keyword)
			}
		}
	}
}

// keywordsOf are the keywords of a schema and of those in it, without the names of properties.
func keywordsOf(v any) map[string]bool {
	found := map[string]bool{}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			maps.Copy(found, keywordsOf(item))
		}
	case map[string]any:
		for k, sub := range v {
			found[k] = true
			if properties, is := sub.(map[string]any); is && k == "properties" {
				for _, property := range properties {
					maps.Copy(found, keywordsOf(property))
				}
				continue
			}
			maps.Copy(found, keywordsOf(sub))
		}
	}
	return found
}
