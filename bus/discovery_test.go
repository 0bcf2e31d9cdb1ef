package bus_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
)

type listing struct {
	Capabilities []struct {
		Name, Title, Description, Type string
		GrantStatus                    string `json:"grant_status"`
	}
	NextCursor string `json:"next_cursor"`
	HasMore    bool   `json:"has_more"`
}

func (l listing) names() (list []string) {
	for _, c := range l.Capabilities {
		list = append(list, c.Name)
	}
	return list
}

// list invokes capability.list.
func list(t *testing.T, b *bus.Bus, by bus.CallerType, p bus.Principal, args string) (l listing) {
	t.Helper()
	inv := call("capability.list", args)
	inv.Caller.Type, inv.Principal = by, p
	r := b.Invoke(t.Context(), inv)
	wantOK(t, r)
	if err := json.Unmarshal(r.Data, &l); err != nil {
		t.Fatal(err)
	}
	return l
}

// discoverable is an application with something for everybody.
func discoverable(t *testing.T, a bus.Approver, more ...bus.Capability) *bus.Bus {
	t.Helper()
	hidden, only, public := doing("p.hidden", bus.Pure, ok), doing("p.only", bus.Destructive, ok),
		doing("p.public", bus.Pure, ok)
	hidden.Assistant.Hidden = true
	only.Assistant.Only = true
	public.Listing.Public = true
	deny := doing("p.deny", bus.UIOnly, ok)
	deny.Checks.Access.Agent = bus.RuleDeny
	b, _ := withApprover(t, a, append([]bus.Capability{hidden, only, public, deny, read()}, more...)...)
	b.MustRegister(bus.Capabilities()[:3]...)
	return b
}

// holds: M3
func TestM3EverybodyIsToldWhatIsTheirs(t *testing.T) {
	b := discoverable(t, nil)
	for name, tc := range map[string]struct {
		by   bus.CallerType
		who  bus.Principal
		want []string
	}{
		"an agent": {bus.CallerAgent, bus.Principal{},
			[]string{"capability.describe", "capability.list", "p.deny", "p.only", "p.public", "till.read"}},
		"a person": {bus.CallerUI, clerk, []string{"capability.describe", "capability.list", "entity.names",
			"p.deny", "p.hidden", "p.public", "till.read"}},
		"one without the scope": {bus.CallerCLI, bus.Principal{ID: "x"},
			[]string{"capability.describe", "capability.list", "entity.names", "p.deny", "p.hidden", "p.public"}},
		"nobody": {bus.CallerUI, bus.Principal{}, []string{"capability.describe", "capability.list", "p.public"}},
	} {
		if d := cmp.Diff(tc.want, list(t, b, tc.by, tc.who, `{}`).names()); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

type teller struct {
	approver
	says map[string]string
}

func (a *teller) GrantStatus(_ context.Context, c *bus.Capability, p bus.Principal) (string, error) {
	if c.Name == "p.public" && p.ID == "unlucky" {
		return "", errPlain
	}
	return a.says[c.Name], nil
}

// holds: M3
func TestM3AgentsAreToldTheStatusOfTheirGrant(t *testing.T) {
	who := clerk
	statuses := func(b *bus.Bus, by bus.CallerType) map[string]string {
		found := map[string]string{}
		for _, c := range list(t, b, by, who, `{}`).Capabilities {
			if c.GrantStatus != "" && !strings.HasPrefix(c.Name, "capability.") {
				found[c.Name] = c.GrantStatus
			}
		}
		return found
	}
	plain := discoverable(t, nil)
	if d := cmp.Diff(map[string]string{"p.deny": "forbidden", "p.only": "confirmation_required", "p.public": "granted",
		"till.read": "granted"}, statuses(plain, bus.CallerAgent)); d != "" {
		t.Errorf("by access (-want +got):\n%s", d)
	}
	if got := statuses(plain, bus.CallerUI); len(got) != 0 {
		t.Errorf("a person is told %v", got)
	}
	asked := discoverable(t, &teller{says: map[string]string{"p.only": "pending", "till.read": "revoked"}})
	if d := cmp.Diff(map[string]string{"p.only": "pending", "till.read": "revoked"},
		statuses(asked, bus.CallerAgent)); d != "" {
		t.Errorf("by the approver (-want +got):\n%s", d)
	}
	who = bus.Principal{ID: "x"} // who lacks the scope of till.read
	for name, b := range map[string]*bus.Bus{"by access": plain, "by the approver": asked} {
		if got := statuses(b, bus.CallerAgent)["till.read"]; got != "forbidden" {
			t.Errorf("%s: an agent is told %q of what its person may not do", name, got)
		}
	}
	for _, args := range []bus.Invocation{call("capability.list", `{}`),
		call("capability.describe", `{"name":"p.public"}`)} {
		args.Principal.ID = "unlucky"
		wantError(t, asked.Invoke(t.Context(), byAgent(args)), bus.Internal, bus.ReasonUncoded)
	}
}

// holds: M3
func TestM3PagesAreWholeAndInOrder(t *testing.T) {
	b := discoverable(t, nil, many(57)...)
	for _, asked := range []string{``, `"query":"create an invoice or a ticket",`, `"type":"action",`, `"query":"inv",`} {
		all := list(t, b, bus.CallerAgent, clerk, `{`+asked+`"limit":100}`)
		if all.HasMore || all.NextCursor != "" || len(all.Capabilities) < 5 {
			t.Fatalf("%s: %d found, more %v", asked, len(all.Capabilities), all.HasMore)
		}
		var paged []string
		cursor := ""
		for pages := 0; pages < 100; pages++ {
			p := list(t, b, bus.CallerAgent, clerk, `{`+asked+`"limit":3,"cursor":"`+cursor+`"}`)
			paged = append(paged, p.names()...)
			if cursor = p.NextCursor; !p.HasMore {
				break
			}
		}
		if d := cmp.Diff(all.names(), paged); d != "" || cursor != "" {
			t.Errorf("%s (-at once +in pages):\n%s", asked, d)
		}
		if asked == "" && !slices.IsSorted(paged) {
			t.Error("without a query it is not by name")
		}
	}
	if got := list(t, b, bus.CallerAgent, clerk, `{"type":"data"}`).
		names(); !slices.Equal(got, []string{"capability.describe", "capability.list"}) {
		t.Errorf("of type data: %v", got)
	}
	if got := len(list(t, b, bus.CallerAgent, clerk, `{}`).names()); got != 20 {
		t.Errorf("a page has %d when nobody says how many", got)
	}
}

// holds: M3
func TestM3ACursorOfAnotherQuestionIsRefused(t *testing.T) {
	b := discoverable(t, nil, many(20)...)
	cursor := list(t, b, bus.CallerAgent, clerk, `{"limit":2}`).NextCursor
	for _, args := range []string{`{"query":"invoice","cursor":"` + cursor + `"}`, `{"type":"data","cursor":"` + cursor +
		`"}`, `{"cursor":"x"}`, `{"cursor":"e30"}`, `{"cursor":"!"}`} {
		wantError(t, b.Invoke(t.Context(), byAgent(call("capability.list", args))), bus.Validation, bus.ReasonArguments)
	}
}

// holds: M3
func TestM3SearchFindsWhatIsMeant(t *testing.T) {
	say := func(name, title, description string, phrases ...string) bus.Capability {
		c := doing(name, bus.Pure, ok)
		c.Title, c.Description, c.Assistant.Phrases = title, description, phrases
		return c
	}
	b := discoverable(t, nil,
		say("order.cancel", "Cancel an order", "Cancel an order and give the money back.", "call the order off"),
		say("order.search", "Find orders", "Find orders by customer, number or date."),
		say("cart.addItem", "Add to the cart", "Put a product into the cart of a customer."),
		say("audit.verify", "Verify the log", "Check that nobody changed the log of what was done to orders."))
	for query, first := range map[string]string{
		"cancel order": "order.cancel", "refund money back": "order.cancel", "call off": "order.cancel",
		"find an order": "order.search", "add item": "cart.addItem",
		"AddItem": "cart.addItem", "carts": "cart.addItem", "verif": "audit.verify", "order.search": "order.search",
		"product": "cart.addItem",
	} {
		if got := list(t, b, bus.CallerAgent, clerk, `{"query":"`+query+`"}`).names(); len(got) == 0 || got[0] != first {
			t.Errorf("%q finds %v, want %s first", query, got, first)
		}
	}
	if got := list(t, b, bus.CallerAgent, clerk, `{"query":"zebra ?"}`); len(got.Capabilities) != 0 || got.HasMore {
		t.Errorf("zebra finds %v", got.names())
	}
}

// holds: M3
func TestM3DescribeTellsEverything(t *testing.T) {
	full := everything()
	full.Permissions, full.Assistant.Only = []string{"till:write"}, false
	full.Checks.Available = func(ctx context.Context, _ *bus.Call) error {
		if total(ctx) == 0 {
			return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "The till is empty.")
		}
		return nil
	}
	b := discoverable(t, nil, full, add())
	describe := func(name string) bus.Result {
		return b.Invoke(t.Context(), byAgent(call("capability.describe", `{"name":"`+name+`"}`)))
	}
	var m bus.Manifest
	same := func(r bus.Result, status string) {
		t.Helper()
		wantOK(t, r)
		m = mustManifest(t, b, bus.View{All: true})
		at := slices.IndexFunc(m.Capabilities, func(e bus.ManifestEntry) bool { return e.Name == "full.set" })
		entry, _ := json.Marshal(m.Capabilities[at])
		want := strings.TrimSuffix(string(entry), "}") + `,"grant_status":"` + status + `"}`
		var one, other any
		_ = json.Unmarshal([]byte(want), &one)
		if err := json.Unmarshal(r.Data, &other); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(one, other); d != "" {
			t.Errorf("(-manifest +described):\n%s", d)
		}
	}
	same(describe("full.set"), "confirmation_required")
	if m.Capabilities[slices.Index(names(m), "full.set")].UnavailableReason != "The till is empty." {
		t.Error("it is available with an empty till")
	}
	wantOK(t, b.Invoke(t.Context(), call("till.add", `{"coins":1}`)))
	same(describe("full_set"), "confirmation_required")
	wantError(t, describe("p.hidden"), bus.NotFound, bus.ReasonCapability)
	wantError(t, describe("no.such"), bus.NotFound, bus.ReasonCapability)
	wantError(t, b.Invoke(t.Context(), call("capability.describe", `{"name":"p.only"}`)), bus.NotFound,
		bus.ReasonCapability)
}

// holds: M7
func TestM7OneCapabilityOrNone(t *testing.T) {
	none, _, _ := bustest.New(t)
	one, _, _ := bustest.New(t, read())
	for name, b := range map[string]*bus.Bus{"none": none, "one": one} {
		m := mustManifest(t, b, bus.View{Caller: bus.CallerAgent, Principal: clerk, Budget: 100, Route: "/x",
			Keep: []string{"y.z"}})
		tools, err := m.Tools()
		if err != nil || len(tools) != len(m.Capabilities) {
			t.Errorf("%s: %d tools, %v", name, len(tools), err)
		}
		b.MustRegister(bus.Capabilities()[:3]...)
		for _, args := range []string{`{}`, `{"query":"till"}`, `{"query":"coin coins"}`} {
			if got := list(t, b, bus.CallerUI, clerk, args); got.HasMore {
				t.Errorf("%s: %+v", name, got)
			}
		}
	}
}
