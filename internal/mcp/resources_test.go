package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/mcp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// linked are the records that a result links to, by address.
func (c *client) linked(name, arguments string) map[string]*sdk.ResourceLink {
	c.t.Helper()
	res, err := c.CallTool(c.t.Context(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		c.t.Fatal(err)
	}
	found := map[string]*sdk.ResourceLink{}
	for _, content := range res.Content {
		if link, is := content.(*sdk.ResourceLink); is {
			found[link.URI] = link
		}
	}
	return found
}

// TestO1ResultsLinkToRecords: a record that a result lists can be read at its address, by the same rules and with a
// record in the log; there is none for what is not there.
//
// holds: O1 M4
func TestO1ResultsLinkToRecords(t *testing.T) {
	eachRevision(t, func(t *testing.T, c *client) {
		templates, err := c.ListResourceTemplates(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var at []string
		for _, of := range templates.ResourceTemplates {
			at = append(at, of.URITemplate)
		}
		slices.Sort(at)
		if got := strings.Join(at, " "); got !=
			"deskhand://customer/{id} deskhand://order/{id} deskhand://product/{id}" {
			t.Error(got)
		}
		for _, of := range []struct{ lists, arguments, kind, get string }{
			{"customer_search", `{"query":"Ana"}`, "customer", "customer.get"},
			{"catalog_search", `{"query":"Guji"}`, "product", "catalog.getProduct"},
			{"order_search", `{"limit":20}`, "order", "order.get"},
		} {
			links := c.linked(of.lists, of.arguments)
			if len(links) == 0 || len(links) > 10 {
				t.Errorf("%s: %d links", of.lists, len(links))
			}
			for uri, link := range links {
				if !strings.HasPrefix(uri, "deskhand://"+of.kind+"/") || link.Name == "" || strings.Contains(link.Name, "{") {
					t.Errorf("%+v", link)
				}
				read, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
				if err != nil || len(read.Contents) != 1 {
					t.Fatal(uri, err)
				}
				var told answered
				if err := json.Unmarshal([]byte(read.Contents[0].Text), &told); err != nil || told.Status != "success" {
					t.Errorf("%v %s", err, read.Contents[0].Text)
				}
				if r := c.records(audit.Query{RequestID: told.RequestID, Reads: true}); len(r) != 1 || r[0].Capability != of.get ||
					r[0].Caller.Door != mcp.Door {
					t.Errorf("%+v", r)
				}
			}
		}
		for _, uri := range []string{"deskhand://order/ord_none", "deskhand://sheep/1"} {
			_, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
			var wire *jsonrpc.Error
			if !errors.As(err, &wire) || !strings.Contains(wire.Message, "not found") {
				t.Errorf("%s: %v", uri, err)
			}
		}
	})
}

// TestO1ARecordIsReadByTheSameRules: one without the right finds no kind of record and reads none.
//
// holds: O1 O2
func TestO1ARecordIsReadByTheSameRules(t *testing.T) {
	may := []string{"catalog:read", "customer:read"}
	c := connect(t, "", func(o *mcp.Options, d *desk.Desk) {
		o.Who = func(ctx context.Context) (bus.Principal, error) {
			who := d.SignedIn(ctx)
			who.Scopes = may
			return who, nil
		}
	})
	var address string
	for uri := range c.linked("customer_search", `{"query":"Ana"}`) {
		address = uri
	}
	if _, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: address}); err != nil {
		t.Fatal(address, err)
	}
	may = []string{"catalog:read"}
	if _, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: address}); err == nil ||
		!strings.Contains(err.Error(), "customer:read") {
		t.Errorf("%v", err)
	}
}

// TestO2TheClientShowsWhatACallWouldDo: on a page that is a resource, from what no model reads; the page loads nothing
// and has nothing to press.
//
// holds: O2 R3
func TestO2TheClientShowsWhatACallWouldDo(t *testing.T) {
	eachRevision(t, func(t *testing.T, c *client) {
		tools := c.tools()
		for name, has := range map[string]bool{"order_cancel": true, "capability_call": true, "approval_wait": true,
			"order_search": false} {
			ui, _ := tools[name].Meta["ui"].(map[string]any)
			if (ui["resourceUri"] == "ui://deskhand/preview") != has {
				t.Errorf("%s: %+v", name, tools[name].Meta)
			}
		}
		page, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "ui://deskhand/preview"})
		if err != nil || len(page.Contents) != 1 || page.Contents[0].MIMEType != "text/html;profile=mcp-app" {
			t.Fatal(err, page)
		}
		for _, never := range []string{"<button", "<a ", "<form", "<input", "src=", "href=", "http:", "https:", "fetch(",
			"innerHTML", "tools/call"} {
			if strings.Contains(page.Contents[0].Text, never) {
				t.Errorf("the page has %s", never)
			}
		}
		first := c.start(t.Context(), "order_cancel", c.pending())
		card := c.card(0)
		c.patience()
		res := <-first
		raw, _ := json.Marshal(res.Meta["deskhand/preview"])
		var told struct{ Title, Sentence string }
		if err := json.Unmarshal(raw, &told); err != nil || told.Title != card.Title || told.Sentence != card.Sentence {
			t.Errorf("%s, want %s", raw, card.Sentence)
		}
		res.Meta = nil
		if seen, _ := json.Marshal(res); strings.Contains(string(seen), card.Sentence) ||
			strings.Contains(string(raw), card.ApprovalID) {
			t.Errorf("%s", seen)
		}
		c.decide(card, bus.AnswerDeny, "")
	})
}
