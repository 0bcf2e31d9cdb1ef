package main

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	auditlog "github.com/deskhand/deskhand/audit/capabilities"
	"github.com/deskhand/deskhand/bus"
)

type supplier struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// suppliers are one more kind of record: its declaration at the capability that lists them, and a capability that is
// about one.
func suppliers() []bus.Capability {
	of := func(name, phrase string, class bus.SideEffect) bus.Capability {
		return bus.Capability{Name: name, Title: name, Description: name, SideEffect: class,
			Resources: []string{"database:read"}, Assistant: bus.Assistant{Phrases: []string{phrase}}}
	}
	list := of("supplier.list", "show the suppliers", bus.Pure)
	list.Entities = []bus.Entity{{Type: "supplier", Title: "Supplier", List: "/suppliers", Link: "suppliers/{id}"}}
	return []bus.Capability{
		bus.Define(list, func(context.Context, *bus.Call, struct{}) (out struct {
			Suppliers []supplier `json:"suppliers"`
		}, err error) {
			out.Suppliers = []supplier{{"sup_1", "Acme Printers"}, {"sup_2", "Beta Cables"}}
			return out, nil
		}),
		bus.Define(of("supplier.call", "call {supplierId}", bus.Destructive), func(_ context.Context, _ *bus.Call, in struct {
			SupplierID string `json:"supplierId" x:"entity=supplier"`
		}) (supplier, error) {
			return supplier{ID: in.SupplierID}, nil
		}),
	}
}

// TestOneDeclarationAddsAKindOfRecord: what is declared of a supplier is enough for the palette, the conversation, the
// card, links and the search of the log.
func TestOneDeclarationAddsAKindOfRecord(t *testing.T) {
	ctx := t.Context()
	log, err := audit.Open(ctx, filepath.Join(t.TempDir(), "tickets.db"),
		audit.Options{Migrations: files, Modules: agent.Modules()})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	var card policy.Card
	rules := policy.New(policy.Options{Log: log, Ask: func(_ context.Context, c policy.Card) (policy.Answer, error) {
		card = c
		return policy.Answer{Answer: bus.AnswerAllow}, nil
	}})
	b := bus.New(bus.Options{Journal: log, Approver: rules})
	b.MustRegister(append(capabilities(), suppliers()...)...)
	b.MustRegister(bus.Capabilities()...)
	b.MustRegister(auditlog.New(log, auditlog.Options{})...)
	bridge := agent.New(agent.Options{Bus: b, Policy: rules,
		Model: func() model.Model { return builtin.New(nil, nil, nil) }})
	defer bridge.Close()

	// The palette finds the field's values, and a page finds names and links, by the manifest.
	m, err := b.Manifest(ctx, bus.View{Principal: you})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range m.Capabilities {
		if e.Name == "supplier.call" && e.Sources["supplier"] != "supplier.list#/suppliers" {
			t.Errorf("the palette looks in %v", e.Sources)
		}
	}
	links := map[string]string{}
	for _, e := range m.Entities {
		links[e.Type] = e.Link
	}
	if links["supplier"] != "suppliers/{id}" {
		t.Errorf("links: %v", links)
	}
	inv := bus.Invocation{Capability: "entity.names", Caller: bus.Caller{Type: bus.CallerUI}, Principal: you}
	named, err := bus.Invoke[struct{ Records []supplier }](ctx, b, inv,
		map[string]any{"records": []map[string]string{{"entity": "supplier", "id": "sup_2"}}})
	if err != nil || len(named.Records) != 1 || named.Records[0].Name != "Beta Cables" {
		t.Errorf("names: %+v, %v", named, err)
	}

	// The conversation finds one by its name, and the card shows the name.
	said := agent.Turn{ConversationID: "c1", Text: "call Acme Printers", Principal: you}
	if err := bridge.Send(ctx, said, func(agent.Update) {}); err != nil {
		t.Fatal(err)
	}
	if len(card.Arguments) != 1 || card.Arguments[0].Value != "sup_1" || card.Arguments[0].Text != "Acme Printers" {
		t.Fatalf("the card has %+v", card.Arguments)
	}

	// The log is searched for what was done about it.
	page, err := log.Search(ctx, audit.Query{Subject: "sup_1"})
	if err != nil || len(page.Records) != 1 || page.Records[0].Capability != "supplier.call" {
		t.Errorf("found %+v, %v", page.Records, err)
	}
}
