package shop_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
	"github.com/deskhand/deskhand/shop/staff"
)

func (d *desk) signIn(who string) (p bus.Principal, err error) {
	_ = d.log.View(context.Background(), func(ctx context.Context) error {
		p, err = staff.SignIn(ctx, who)
		return nil
	})
	return p, err
}

func TestSignInFindsPeople(t *testing.T) {
	d := openSample(t, "")
	for who, want := range map[string]string{
		"":                "mara_lindqvist",
		"owner":           "mara_lindqvist",
		"manager":         "tomas_okafor",
		"clerk":           "idris_bello",
		"Clerk":           "idris_bello",
		"auditor":         "wen_castellano",
		"june_park":       "june_park",
		"June Park":       "june_park",
		"tomas okafor":    "tomas_okafor",
		" Tomás Okafor  ": "tomas_okafor",
	} {
		if p, err := d.signIn(who); err != nil || p.ID != want || p.Authentication != "none" {
			t.Errorf("%q: %+v %v, want %s", who, p, err, want)
		}
	}
	_, err := d.signIn("the boss")
	if e, ok := err.(*bus.Error); !ok || e.Code != bus.NotFound {
		t.Errorf("unknown person: %v", err)
	}
	empty := openEmpty(t)
	if p, err := empty.signIn("owner"); err != nil || !p.Has("shop:write") {
		t.Errorf("owner to be: %+v %v", p, err)
	}
	if _, err := empty.signIn("clerk"); err == nil {
		t.Error("a clerk signed in where there is no shop")
	}
}

func TestRolesReachWhatTheyShould(t *testing.T) {
	d := openSample(t, "")
	calls := []struct {
		name, args                     string
		clerk, manager, owner, auditor bool
	}{
		{"catalog.search", `{}`, true, true, true, true},
		{"order.search", `{}`, true, true, true, true},
		{"settings.get", `{}`, true, true, true, true},
		{"navigation.go", `{"page":"audit"}`, true, true, true, true},
		{"theme.set", `{"theme":"dark"}`, true, true, true, true},
		{"language.set", `{"language":"de"}`, true, true, true, true},
		{"density.set", `{"density":"touch"}`, true, true, true, true},
		{"textSize.set", `{"size":150}`, true, true, true, true},
		{"notifications.set", `{"notifications":"off"}`, true, true, true, true},
		{"view.save", `{"list":"order.search","name":"Late","values":{}}`, true, true, true, true},
		{"customer.create", `{"name":"Somebody"}`, true, true, true, false},
		{"cart.addItem", `{"productId":"prd_guji_natural","quantity":1}`, true, true, true, false},
		{"cart.applyDiscount", `{"percent":20}`, false, true, true, false},
		{"cart.clear", `{}`, true, true, true, false},
		{"shop.importCSV", `{"file":"x","kind":"products"}`, false, false, true, false},
	}
	for _, who := range []string{"clerk", "manager", "owner", "auditor"} {
		d.as(who)
		for _, c := range calls {
			may := map[string]bool{"clerk": c.clerk, "manager": c.manager, "owner": c.owner, "auditor": c.auditor}[who]
			res := d.invoke(c.name, c.args)
			if refused := res.Err != nil && res.Err.Code == bus.Forbidden; refused == may {
				t.Errorf("%s may %s: %v, got %v", who, c.name, may, res.Err)
			}
		}
	}
}

func TestSessionShowsWhoIsSignedIn(t *testing.T) {
	d := openSample(t, "manager")
	var out struct {
		Staff *struct {
			ID, Name, Role string
			Scopes         []string
		}
		Locked bool
		Shop   struct{ Name string }
	}
	d.must("session.get", `{}`, &out)
	if out.Locked || out.Staff.ID != "tomas_okafor" || len(out.Staff.Scopes) == 0 || out.Shop.Name != "Northlight Coffee" {
		t.Errorf("session: %+v", out)
	}
	d.person = bus.Principal{}
	out.Staff = nil
	d.must("session.get", `{}`, &out)
	if !out.Locked || out.Staff != nil {
		t.Errorf("nobody: %+v", out)
	}
}

func TestThemeAndLanguageAreEverybodysOwn(t *testing.T) {
	d := openSample(t, "june_park")
	held := func(name string) any {
		m, err := d.bus.Manifest(context.Background(), bus.View{Caller: bus.CallerUI, Principal: d.person})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range m.Capabilities {
			if c.Name == name {
				return c.Current
			}
		}
		return nil
	}
	current := func() any { return held("theme.set") }
	if current() != "system" {
		t.Errorf("at first: %v", current())
	}
	d.must("theme.toggle", `{}`, nil)
	d.must("theme.toggle", `{}`, nil)
	if current() != "light" {
		t.Errorf("toggled twice: %v", current())
	}
	d.must("theme.set", `{"theme":"contrast"}`, nil)
	d.must("language.set", `{"language":"de"}`, nil)
	if got := held("language.set"); got != "de" {
		t.Errorf("the language is %v", got)
	}
	if current() != "contrast" {
		t.Errorf("set: %v", current())
	}
	d.as("idris_bello")
	if current() != "system" {
		t.Errorf("somebody else's: %v", current())
	}
}

func TestWindowFollowsEventsAndNoRowChanges(t *testing.T) {
	d := openSample(t, "clerk")
	for name, tc := range map[string]struct{ args, domain, id string }{
		"navigation.go": {`{"page":"orders","id":"#W1234567"}`, "navigation", "orders"},
		"modal.open":    {`{"dialog":"customerPicker","context":{"query":"Ana"}}`, "modal", "customerPicker"},
	} {
		res := d.must(name, tc.args, nil)
		if len(res.Events) != 1 || res.Events[0].Domain != tc.domain || res.Events[0].IDs[0] != tc.id {
			t.Errorf("%s: %+v", name, res.Events)
		}
		last, err := d.log.Tail(context.Background(), 0, 1)
		if err != nil || len(last[0].Effects) != 0 {
			t.Errorf("%s changed rows: %v %v", name, last, err)
		}
	}
	d.refused("navigation.go", `{"page":"nowhere"}`, bus.Validation, bus.ReasonArguments)
}

func TestContextIsSmallAndFresh(t *testing.T) {
	d := openSample(t, "clerk")
	state := func() (c struct {
		Shop string
		Cart *struct {
			Customer, Total string
			ItemCount       int
		}
		Checkout *struct {
			Ready   bool
			Missing string
		}
		Possible []string
	}) {
		t.Helper()
		raw := d.context()
		if len(raw) > 1024 {
			t.Errorf("the context has %d bytes", len(raw))
		}
		if err := json.Unmarshal(raw, &c); err != nil {
			t.Fatal(err)
		}
		return c
	}
	if c := state(); c.Shop != "Northlight Coffee" || c.Cart != nil {
		t.Errorf("at first: %+v", c)
	}
	d.must("cart.addItem", `{"productId":"prd_guji_natural","quantity":1}`, nil)
	if c := state(); !c.Checkout.Ready || c.Cart.Customer != "" {
		t.Errorf("a walk-in: %+v", c)
	}
	d.must("cart.setShipping", `{"fulfilment":"deliver"}`, nil)
	if c := state(); c.Checkout.Ready || c.Checkout.Missing != "The cart has no customer to deliver to." {
		t.Errorf("without a customer: %+v", c)
	}
	d.fillAnasCart()
	if c := state(); c.Cart.Customer != "Ana Ruiz" || c.Cart.Total != "$47.83" || c.Cart.ItemCount != 2 ||
		!c.Checkout.Ready {
		t.Errorf("Ana's cart: %+v", c)
	}
	d = openEmpty(t)
	if c := state(); len(c.Possible) != 1 || c.Possible[0] != "shop.setUp" {
		t.Errorf("no shop: %+v", c)
	}
}

func (d *desk) context() (raw []byte) {
	d.t.Helper()
	err := d.log.View(context.Background(), func(ctx context.Context) error {
		state, err := shop.Context(ctx, d.person)
		if err == nil {
			raw, err = json.Marshal(state)
		}
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return raw
}
