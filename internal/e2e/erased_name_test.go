package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// otherSystem is an export of another system, whose ids are made of names.
const otherSystem = `{"format":"deskhand.shop","version":1,
"shop":{"name":"Keys","currency":"USD","timeZone":"America/New_York"},
"taxClasses":[{"id":"none","name":"Not taxed","ratePpm":0}],
"shippingMethods":[{"id":"standard","name":"Standard","price":{"amount":0,"currency":"USD"},"days":5}],
"products":[{"id":"1656367028","name":"Keyboard","variants":[{"id":"7706410293",
"price":{"amount":26916,"currency":"USD"},"stock":7}]}],
"customers":[{"id":"zebulon_quixotry_6551","name":"Zébulon Quixotry","email":"zebulon.quixotry@example.com",
"addresses":[{"id":"adr_quixotry_home","label":"Home","line1":"1 Pier","city":"Bath","postalCode":"04530",
"country":"US"}],"paymentMethods":[{"id":"gift_zebulon","kind":"giftCard","balance":{"amount":5000,
"currency":"USD"}}]},{"id":"ana_ruiz_2011","name":"Ana Ruiz"}],"orders":[]}`

// TestU11AnErasedNameIsInNoTable erases a customer whose name was written in several ways, by an assistant that says
// the name and a person who does, and looks for it in all that the file keeps.
//
// holds: U11
func TestU11AnErasedNameIsInNoTable(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "other.json")
	if err := os.WriteFile(file, []byte(otherSystem), 0o600); err != nil {
		t.Fatal(err)
	}
	command(t, "--data", filepath.Join(folder, "shop"), "init", "--from", file)
	for name, make := range map[string]func() (o desk.Options, given string){
		"made here": func() (desk.Options, string) { return desk.Options{Folder: desktest.Copy(t)}, "" },
		"of a system that uses names": func() (desk.Options, string) {
			return desk.Options{Folder: filepath.Join(folder, "shop")}, "zebulon_quixotry_6551"
		},
	} {
		t.Run(name, func(t *testing.T) {
			o, id := make()
			m := &obedient{}
			var d *desk.Desk
			o.Model, o.OnCard = m, func(e policy.CardEvent) {
				if e.Type == policy.CardOpened {
					_ = d.Policy.Decide(policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: bus.AnswerAllow,
						By: e.Card.Person, Reason: "Zebulon wants it so"})
				}
			}
			d = desktest.Open(t, o)
			if id == "" {
				var made struct{ CustomerID string }
				desktest.Must(t, d, bus.CallerTest, "customer.create", `{"name":"Zébulon Quixotry",
					"email":"zebulon.quixotry@example.com","address":{"line1":"1 Pier","city":"Bath","postalCode":"04530",
					"country":"US"}}`, &made)
				if id = made.CustomerID; len(nameIn(id)) > 0 {
					t.Errorf("the id is %s", id)
				}
			}
			for _, query := range []string{"Zébulon Quixotry", "zebulon quixotry", "ZEBULON QUIXOTRY", "zébulon quixotry"} {
				desktest.Must(t, d, bus.CallerTest, "order.search", fmt.Sprintf(`{"query":%q}`, query), nil)
			}
			*m = obedient{read: toolCall("read", "customer.search", `{"query":"Quixotry"}`),
				goal: toolCall("goal", "customer.erase", `{"customerId":%q}`, id)}
			var res *bus.Result
			if err := d.Bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "forget Zebulon for good",
				Principal: d.Person}, func(u agent.Update) {
				if u.Type == agent.UpdateResult && u.CallID == "goal" {
					res = u.Result
				}
			}); err != nil || res == nil || !res.OK() {
				t.Fatalf("%v %+v", err, res)
			}
			if found := tablesWith(t, d); found != nil {
				t.Errorf("the name is left in:\n%s", strings.Join(found, "\n"))
			}
			trace, err := d.Log.Trace(t.Context(), res.RequestID)
			if err != nil || !slices.ContainsFunc(trace.Records, func(r audit.Record) bool {
				return len(r.Effects) > 0
			}) {
				t.Errorf("the erasure's own record: %+v %v", trace, err)
			}
			if v, err := d.Log.Verify(t.Context(), nil); err != nil || !v.OK {
				t.Errorf("%+v %v", v, err)
			}
		})
	}
}

// nameIn finds what is left of the name in a text, however it is written.
func nameIn(text string) (found []string) {
	plain := strings.NewReplacer("é", "e", "É", "e", "e\u0301", "e").Replace(strings.ToLower(text))
	for _, part := range []string{"zebulon", "quixotry"} {
		if at := strings.Index(plain, part); at >= 0 {
			found = append(found, "…"+plain[max(0, at-60):min(len(plain), at+60)]+"…")
		}
	}
	return found
}

// tablesWith lists the places in the tables of a desk's file that have the name.
func tablesWith(t *testing.T, d *desk.Desk) (found []string) {
	t.Helper()
	err := d.Log.View(t.Context(), func(ctx context.Context) error {
		tx := audit.Tx(ctx)
		rows, err := tx.QueryContext(ctx, `SELECT name FROM sqlite_schema WHERE type = 'table'`)
		if err != nil {
			return err
		}
		var tables []string
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				return err
			}
			tables = append(tables, name)
		}
		for _, name := range tables {
			var b strings.Builder
			if err := dump(ctx, tx, name, "", &b); err != nil {
				return err
			}
			for line := range strings.SplitSeq(b.String(), "\n") {
				for _, place := range nameIn(line) {
					found = append(found, name+": "+place)
				}
			}
		}
		return rows.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
