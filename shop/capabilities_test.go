package shop_test

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
)

// TestCapabilitiesAreWhatTheTableSays compares the class and the rights of agents with a table that others rely on. p
// pure, u ui-only, d destructive; a may, c asks, f may not; G grantable.
func TestCapabilitiesAreWhatTheTableSays(t *testing.T) {
	table := map[string]string{
		"navigation.go": "u a", "modal.open": "u a", "theme.set": "u a", "theme.toggle": "u a", "language.set": "u a",
		"density.set": "u a", "textSize.set": "u a", "notifications.set": "u f", "view.list": "p f", "view.save": "u f", "view.remove": "u f",
		"tour.get": "p a", "tour.start": "u a", "tour.leave": "u a", "tour.mark": "u f", "search.query": "p a",
		"session.get": "p a", "session.signIn": "u f", "session.signOut": "u a", "session.vouch": "u f",
		"session.lock": "u f", "session.stay": "p f",
		"staff.list": "p f", "staff.save": "u f", "staff.remove": "u f", "staff.setPin": "u f",
		"catalog.search": "p a", "catalog.getProduct": "p a",
		"catalog.createProduct": "u c", "catalog.updateProduct": "u c", "catalog.archiveProduct": "u c",
		"catalog.setPrice": "u c", "catalog.adjustStock": "u c", "catalog.receiveStock": "u c",
		"settings.setLogo": "u f", "receipt.getLogo": "p f", "catalog.setReorder": "u c", "catalog.setPicture": "u c", "catalog.addPictures": "u f", "catalog.getPicture": "p f",
		"customer.search": "p a", "customer.get": "p a", "customer.create": "u a", "customer.addNote": "u a", "customer.addAddress": "u a",
		"customer.addPaymentMethod": "u c",
		"customer.update":           "u c", "customer.setAddress": "u c", "customer.removeAddress": "u c",
		"customer.removePaymentMethod": "u c", "customer.erase": "d c", "customer.merge": "d c",
		"cart.getSummary": "p a", "cart.setCustomer": "u a", "cart.addItem": "u a", "cart.setQuantity": "u a",
		"cart.removeItem":    "u a",
		"cart.applyDiscount": "u a", "cart.removeDiscount": "u a", "cart.setShipping": "u a", "cart.validate": "p a",
		"cart.addOpenItem": "u a", "cart.setLinePrice": "u c", "cart.setLineDiscount": "u a", "cart.setNote": "u a", "cart.fromOrder": "u a",
		"cart.clear": "u a", "cart.hold": "u a", "cart.resume": "u a", "cart.listHeld": "p a",
		"checkout.submit": "d c G", "order.search": "p a", "order.get": "p a", "order.cancel": "d c G",
		"order.addNote": "u a",
		"settings.get":  "p a", "settings.set": "u f", "document.export": "u a", "receipt.preview": "p a", "document.open": "u f", "document.show": "u f",
		"email.sendReceipt": "n c G",
		"settings.testMail": "n f", "webhook.trigger": "n c G", "shop.importCSV": "u f", "shop.import": "d f",
		"shop.export": "u f", "shop.setUp": "u f", "shop.suggest": "p f", "shop.backup": "u f", "shop.listBackups": "p f",
		"shop.setDailyBackup": "u f", "shop.restore": "d f",
		"cash.move": "u c", "day.preview": "p a", "day.close": "d f", "report.closings": "p a",
		"report.payments": "p a", "report.returns": "p a", "report.today": "p a",
		"report.sales": "p a", "report.topProducts": "p a", "report.lowStock": "p a",
		"order.changeAddress": "u c", "order.changePayment": "d c G", "order.changeItems": "d c G", "order.process": "u c",
		"order.fulfil": "u c", "order.deliver": "u c",
		"order.return": "u c", "order.returnNow": "d c",
		"order.receiveReturn": "d c", "order.exchange": "u c", "order.receiveExchange": "d c",
	}
	class := map[bus.SideEffect]string{bus.Pure: "p", bus.UIOnly: "u", bus.Network: "n", bus.Destructive: "d"}
	agent := map[bus.Rule]string{bus.RuleAllow: "a", bus.RuleConfirm: "c", bus.RuleDeny: "f"}
	for _, c := range shop.Capabilities(shop.Ports{}) {
		is := class[c.SideEffect] + " " + agent[c.Checks.Access.Agent]
		if len(c.Assistant.Grantable) > 0 {
			is += " G"
		}
		if is != table[c.Name] {
			t.Errorf("%s is %q, want %q", c.Name, is, table[c.Name])
		}
		delete(table, c.Name)
	}
	for name := range table {
		t.Errorf("%s is missing", name)
	}
}

// holds: C1
func TestDefinitionsAreComplete(t *testing.T) {
	d := openSample(t, "")
	slot := regexp.MustCompile(`\{([A-Za-z]+)\}`)
	for _, c := range d.bus.Capabilities() {
		if !regexp.MustCompile(`\. Use it .*\b(not|never|no)\b`).MatchString(c.Description) {
			t.Errorf("%s: the description does not say what, when and what not: %s", c.Name, c.Description)
		}
		if n := len(c.Assistant.Phrases); n < 2 || n > 80 {
			t.Errorf("%s has %d phrases", c.Name, n)
		}
		in := properties(t, c.InputSchema)
		for _, phrase := range c.Assistant.Phrases {
			for _, s := range slot.FindAllStringSubmatch(phrase, -1) {
				if in[s[1]] == nil {
					t.Errorf("%s: the phrase %q has a slot that is no input", c.Name, phrase)
				}
			}
		}
		domain, _, _ := strings.Cut(c.Name, ".")
		want := domain + ":write"
		if c.SideEffect == bus.Pure {
			want = domain + ":read"
		}
		if !c.Listing.Public && !slices.Contains(c.Permissions, want) {
			t.Errorf("%s needs %v, want %s", c.Name, c.Permissions, want)
		}
		// A record goes away with a merge; it comes back only as long as nothing of either changes.
		if c.SideEffect == bus.Destructive && (len(c.Facts) == 0 || c.Reversible && c.Name != "customer.merge") {
			t.Errorf("%s is destructive: facts %v, reversible %v", c.Name, c.Facts, c.Reversible)
		}
		for _, g := range c.Assistant.Grantable {
			if !slices.Contains(c.Facts, g) {
				t.Errorf("%s: %s can be granted and is no fact", c.Name, g)
			}
		}
		if _, paged := in["cursor"]; paged {
			out := properties(t, c.OutputSchema)
			if out["nextCursor"] == nil || out["hasMore"] == nil {
				t.Errorf("%s takes a cursor and gives none", c.Name)
			}
		}
	}
}

// TestIDsAreOfRecordsThatAreListed: each id in an input names its kind of record, and a capability lists that kind.
func TestIDsAreOfRecordsThatAreListed(t *testing.T) {
	d := openSample(t, "")
	if err := d.bus.Check(); err != nil {
		t.Error(err)
	}
	checked := 0
	for _, c := range d.bus.Capabilities() {
		for field, schema := range properties(t, c.InputSchema) {
			of, _ := schema["x-entity"].(string)
			switch {
			case of != "":
				checked++
				if d.bus.Sources(c.Name)[of] == "" {
					t.Errorf("%s: no list of %s goes with its arguments", c.Name, of)
				}
			case strings.HasSuffix(field, "Id") && c.SideEffect != bus.Pure && !slices.Contains([]string{"variantId", "lineId", "trackingId"}, field):
				t.Errorf("%s: %s does not say of what it is the id", c.Name, field)
			}
		}
	}
	if checked < 15 {
		t.Errorf("only %d ids", checked)
	}
}

func properties(t *testing.T, schema json.RawMessage) map[string]map[string]any {
	t.Helper()
	var s struct {
		Properties map[string]map[string]any
	}
	if err := json.Unmarshal(schema, &s); err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	return s.Properties
}

func TestFreeTextIsMarkedTaintedAndPersonsPersonal(t *testing.T) {
	d := openSample(t, "")
	for path, mark := range map[string]string{
		"catalog.getProduct description": "x-tainted",
		"order.get giftMessage":          "x-tainted",
		"customer.get name":              "x-personal",
		"customer.get email":             "x-personal",
	} {
		name, field, _ := strings.Cut(path, " ")
		c, _ := d.bus.Lookup(name)
		if properties(t, c.OutputSchema)[field][mark] != true {
			t.Errorf("%s is not marked %s", path, mark)
		}
	}
}

// TestEverySentenceIsSaid: every change describes itself in a sentence.
func TestEverySentenceIsSaid(t *testing.T) {
	d := openSample(t, "owner")
	ana := d.ana()
	for _, step := range []struct{ name, args, says string }{
		{"customer.create", `{"name":"Bo Li"}`, "Add the customer Bo Li"},
		{"customer.addAddress", jsonf(
			`{"customerId":%q,"address":{"line1":"9 New Rd","city":"Bath","postalCode":"1","country":"US"}}`, ana),
			"Add the address 9 New Rd for Ana Ruiz"},
		{"customer.addPaymentMethod", jsonf(`{"customerId":%q,"kind":"card","brand":"Visa","lastFour":"0001"}`, ana),
			"Add Visa ending 0001 as a payment method of Ana Ruiz"},
		{"cart.setCustomer", jsonf(`{"customerId":%q}`, ana), "Open Ana Ruiz's cart"},
		{"cart.addItem", `{"productId":"NL-GUJ-250-GR","quantity":3}`,
			"Add 3 × Guji Natural (250 g, Ground) to Ana Ruiz's cart"},
		{"cart.setQuantity", `{"productId":"NL-GUJ-250-GR","quantity":2}`,
			"Set Guji Natural (250 g, Ground) in Ana Ruiz's cart from 3 to 2"},
		{"cart.applyDiscount", `{"percent":10}`, "Take 10 % off Ana Ruiz's cart"},
		{"cart.removeDiscount", `{}`, "Remove the discount of $4.29 from Ana Ruiz's cart"},
		{"cart.setShipping", `{"method":"express"}`, "Send Ana Ruiz's cart by Express for $14.95"},
		{"cart.hold", `{"label":"Back at four"}`, `Put Ana Ruiz's cart on hold as "Back at four"`},
		{"theme.set", `{"theme":"dark"}`, "Use the dark theme"},
		{"language.set", `{"language":"de"}`, "Use the language de"},
		{"density.set", `{"density":"touch"}`, "Use the touch density"},
		{"textSize.set", `{"size":150}`, "Set the text to 150 %"},
		{"notifications.set", `{"notifications":"off"}`, "Switch the notifications off"},
		{"view.save", `{"list":"order.search","name":"Late","values":{"status":"pending"}}`, "Save the view Late"},
		{"navigation.go", `{"page":"orders","id":"#W1"}`, "Open #W1 on the orders page"},
		{"modal.open", `{"dialog":"shortcuts"}`, "Open the dialog shortcuts"},
	} {
		res := d.must(step.name, step.args, nil)
		if got := d.said(); got != step.says {
			t.Errorf("%s says %q, want %q", step.name, got, step.says)
		}
		if len(res.Events) == 0 {
			t.Errorf("%s announces nothing", step.name)
		}
	}
}

// TestCapabilitiesAreAvailableWhenTheyCanRun: available actions succeed, and unavailable ones have a reason.
func TestCapabilitiesAreAvailableWhenTheyCanRun(t *testing.T) {
	d := openSample(t, "owner")
	unavailable := func() map[string]string {
		m, err := d.bus.Manifest(context.Background(), bus.View{Caller: bus.CallerUI, Principal: d.person})
		if err != nil {
			t.Fatal(err)
		}
		why := map[string]string{}
		for _, c := range m.Capabilities {
			if !c.Available {
				why[c.Name] = c.UnavailableReason
			}
		}
		return why
	}
	check := func(want string) {
		t.Helper()
		var names []string
		for name, why := range unavailable() {
			if why == "" {
				t.Errorf("%s is not available and nobody says why", name)
			}
			names = append(names, name)
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != want {
			t.Errorf("unavailable: %s\nwant: %s", got, want)
		}
	}
	check("cart.applyDiscount cart.clear cart.hold cart.removeDiscount cart.removeItem cart.resume " +
		"cart.setLineDiscount cart.setLinePrice cart.setNote cart.setQuantity checkout.submit email.sendReceipt settings.testMail shop.import shop.setUp webhook.trigger")
	d.fillAnasCart()
	check("cart.removeDiscount cart.resume email.sendReceipt settings.testMail shop.import shop.setUp webhook.trigger")
	d.must("cart.applyDiscount", `{"percent":5}`, nil)
	check("cart.resume email.sendReceipt settings.testMail shop.import shop.setUp webhook.trigger")
	d.must("cart.hold", `{}`, nil)
	check("cart.applyDiscount cart.clear cart.hold cart.removeDiscount cart.removeItem cart.setLineDiscount " +
		"cart.setLinePrice cart.setNote cart.setQuantity checkout.submit email.sendReceipt settings.testMail shop.import shop.setUp webhook.trigger")
}
