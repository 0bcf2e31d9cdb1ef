package bus_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// counsel is an approver that tells a status and names colleagues.
type counsel struct {
	approver
	status   string
	wrong    error
	able     []bus.Principal
	unable   error
	consults int
}

func (c *counsel) GrantStatus(context.Context, *bus.Capability, bus.Principal) (string, error) {
	return c.status, c.wrong
}

func (c *counsel) SecondApprovers(context.Context, *bus.ApprovalRequest, func(bus.Principal) bool) ([]bus.Principal,
	error) {
	c.consults++
	return c.able, c.unable
}

// holds: A3
func TestA3WhatAnAssistantMayExpectWhosePersonLacksTheRight(t *testing.T) {
	lee := []bus.Principal{{ID: "p_lee"}}
	refusal := bus.Errorf(bus.Forbidden, bus.ReasonPermission, "Lee has no PIN.")
	for name, tc := range map[string]struct {
		c          counsel
		capability string
		want       string // "": it cannot be told
		consults   int
	}{
		"a colleague could":            {counsel{status: "granted", able: lee}, "vault.open", "confirmation_required", 1},
		"no colleague could":           {counsel{status: "granted"}, "vault.open", "forbidden", 1},
		"one could with a PIN":         {counsel{status: "granted", unable: refusal}, "vault.open", "forbidden", 1},
		"colleagues are not known":     {counsel{status: "granted", unable: errPlain}, "vault.open", "", 1},
		"not all are known":            {counsel{status: "granted", able: lee, unable: errPlain}, "vault.open", "", 1},
		"a read is nothing to ask for": {counsel{status: "granted", able: lee}, "vault.look", "forbidden", 0},
		"policy forbids it":            {counsel{status: "forbidden", able: lee}, "vault.open", "forbidden", 0},
		"policy is not known":          {counsel{status: "granted", wrong: errPlain, able: lee}, "vault.open", "", 0},
		"the person has the right":     {counsel{status: "granted", able: lee}, "till.open", "granted", 0},
		"policy asks":                  {counsel{status: "confirmation_required"}, "till.open", "confirmation_required", 0},
	} {
		open, look := doing("vault.open", bus.UIOnly, ok), doing("vault.look", bus.Pure, ok)
		open.Permissions, look.Permissions = []string{"vault:write"}, []string{"vault:read"}
		b, _ := withApprover(t, &tc.c, open, look, doing("till.open", bus.UIOnly, ok))
		b.MustRegister(bus.Capabilities()[:3]...)
		tc.c.rule = bus.RuleAllow
		r := b.Invoke(t.Context(), byAgent(call("capability.describe", `{"name":"`+tc.capability+`"}`)))
		if got := strings.Contains(string(r.Data), `"grant_status":"`+tc.want+`"`); got != (tc.want != "") ||
			r.OK() != got || tc.c.consults != tc.consults {
			t.Errorf("%s: %s, %d consulted", name, wire(t, r), tc.c.consults)
		}
	}
}

// holds: C4
func TestC4AHandlerReadsTheDatabaseIfItSaysSo(t *testing.T) {
	for resources, want := range map[string]bool{"": true, "network:read": true, "database:read": false,
		"database:write": false, "database:read database:write": false} {
		var without bool
		c := doing("a.look", bus.UIOnly, func(ctx context.Context, _ *bus.Call) (json.RawMessage, error) {
			without = bus.NoDatabase(ctx)
			return nil, nil
		})
		c.Resources = strings.Fields(resources)
		b, _, _ := bustest.New(t, c)
		if wantOK(t, b.Invoke(t.Context(), call("a.look", `{}`))); without != want {
			t.Errorf("%q: %v", resources, without)
		}
	}
}

// TestC4AHandlerWithoutADatabaseAsksOthers: the states and names that it reads come from checks and look-ups of others,
// which may read.
// holds: C4
func TestC4AHandlerWithoutADatabaseAsksOthers(t *testing.T) {
	var b *bus.Bus
	var checked, check, handler bool
	lookUp := true
	look := doing("shelf.look", bus.Pure, ok)
	look.Resources = []string{"database:read"}
	look.OutputSchema = json.RawMessage(`{"type":"object","properties":{"shelves":{"type":"array",` +
		`"items":{"type":"object","properties":{"id":{"type":"string"}}}}}}`)
	look.Entities = []bus.Entity{{Type: "shelf", Title: "Shelf", List: "/shelves",
		Resolve: func(ctx context.Context, _ *bus.Call, _ []string) (map[string]string, error) {
			lookUp = bus.NoDatabase(ctx)
			return nil, nil
		}}}
	look.Checks.Available = func(ctx context.Context, _ *bus.Call) error {
		checked, check = true, bus.NoDatabase(ctx)
		return nil
	}
	b, _, _ = bustest.New(t, look, doing("model.probe", bus.Pure,
		func(ctx context.Context, c *bus.Call) (json.RawMessage, error) {
			_, err := b.Manifest(ctx, bus.View{Principal: c.Person})
			if err == nil {
				_, err = b.Names(ctx, c.Person, "shelf", "s1")
			}
			handler = bus.NoDatabase(ctx)
			return nil, err
		}))
	wantOK(t, b.Invoke(t.Context(), call("model.probe", `{}`)))
	if !checked || check || lookUp || !handler {
		t.Errorf("checked: %v, without a database: the check %v, the look-up %v, the handler %v",
			checked, check, lookUp, handler)
	}
}

type taggedDeep struct {
	Deep string `json:"deep" jsonschema:"minlen=3"`
}

// holds: C1
func TestC1AWrongTagIsNamedWithItsPlace(t *testing.T) {
	base := bus.Capability{Name: "a.b", Title: "T", Description: "D", SideEffect: bus.Pure}
	for name, tc := range map[string]struct {
		c    bus.Capability
		want string
	}{
		"embedded": {bus.Define(base, func(context.Context, *bus.Call, struct{ taggedDeep }) (struct{}, error) {
			return struct{}{}, nil
		}), "at /properties/deep:"},
		"embedded under a name": {bus.Define(base, func(context.Context, *bus.Call, struct {
			taggedDeep `json:"-"`
		}) (struct{}, error) {
			return struct{}{}, nil
		}), ""},
		"without a name": {bus.Define(base, func(context.Context, *bus.Call, struct {
			Plain string `jsonschema:"minlen=3"`
		}) (struct{}, error) {
			return struct{}{}, nil
		}), "at /properties/Plain:"},
		"not for JSON": {bus.Define(base, func(context.Context, *bus.Call, struct {
			hidden chan int
			Func   func() `json:"-"`
		}) (struct{}, error) {
			return struct{}{}, nil
		}), ""},
		"one of": {bus.Define(base, func(context.Context, *bus.Call, struct {
			A string `json:"a,omitempty" jsonschema:"oneof_required=a"`
			B string `json:"b,omitempty" jsonschema:"anyof_required=b"`
		}) (struct{}, error) {
			return struct{}{}, nil
		}), ""},
	} {
		o, _, _ := bustest.Options()
		err := bus.New(o).Register(tc.c)
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
