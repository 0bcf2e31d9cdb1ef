package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// TestU5UndoRestoresTheShop takes back everything the shop calls reversible: the
// state afterwards is the state before.
// holds: U5
func TestU5UndoRestoresTheShop(t *testing.T) {
	d := desktest.Sample(t, desk.Options{Allow: true})
	const ana = `"customerId":"cus_201100"`
	desktest.Must(t, d, bus.CallerTest, "cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":2,`+ana+`}`, nil)
	undone := map[string]bool{}
	for _, step := range []struct{ name, args string }{
		{"theme.set", `{"theme":"contrast"}`},
		{"language.set", `{"language":"de"}`},
		{"density.set", `{"density":"touch"}`},
		{"textSize.set", `{"size":150}`},
		{"notifications.set", `{"notifications":"off"}`},
		{"view.save", `{"list":"order.search","name":"Late","values":{"status":"pending"}}`},
		{"settings.set", `{"section":"shop","values":{"name":"New Leaf","locale":"de-DE"}}`},
		{"settings.set", `{"section":"limits","values":{"discountPercent":25}}`},
		{"settings.set", `{"section":"mail","values":{"host":"smtp.example.com","from":"a@example.com"}}`},
		{"settings.set", `{"section":"webhooks","values":{"hooks":[{"id":"a","url":"https://a.example"},{"id":"b","url":"https://b.example"}]}}`},
		{"settings.set", `{"section":"shipping","values":{"methods":[{"id":"bike","name":"Bike","price":{"amount":300,"currency":"USD"},"days":1}]}}`},
		{"customer.create", `{"name":"Kim Example"}`},
		{"customer.addAddress", `{` + ana +
			`,"address":{"label":"Boat","line1":"1 Pier","city":"Portland","postalCode":"04101","country":"US"}}`},
		{"cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":2}`},
		{"cart.setQuantity", `{"productId":"NL-GUJ-250-WB","quantity":5}`},
		{"cart.applyDiscount", `{"percent":10}`},
		{"cart.removeItem", `{"productId":"NL-GUJ-250-WB"}`},
		{"cart.clear", `{}`},
		{"cart.hold", `{"label":"later"}`},
	} {
		c, ok := d.Bus.Lookup(step.name)
		if !ok || !c.Reversible {
			continue
		}
		before := stateOf(t, d)
		r := desktest.Must(t, d, bus.CallerTest, step.name, step.args, nil)
		changed := stateOf(t, d)
		if changed == before {
			t.Fatalf("%s changed nothing", step.name)
		}
		desktest.Must(t, d, bus.CallerTest, "audit.undo", `{"requestId":"`+r.RequestID+`"}`, nil)
		if stateOf(t, d) != before {
			t.Errorf("%s was not taken back", step.name)
		}
		undone[step.name] = true
		again := d.Bus.Invoke(t.Context(), bus.Invocation{Capability: "audit.undo",
			Arguments: json.RawMessage(`{"requestId":"` + r.RequestID + `"}`),
			Principal: d.Person, Caller: bus.Caller{Type: bus.CallerTest}})
		if again.OK() {
			t.Errorf("%s was taken back twice", step.name)
		}
	}
	if len(undone) < 6 {
		t.Errorf("only %v can be undone", undone)
	}
}

func stateOf(t *testing.T, d *desk.Desk) string {
	t.Helper()
	h, err := d.Log.StateHash(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestU6ReplayReachesTheSameState runs a day's work again on a copy of the shop.
// holds: U6
func TestU6ReplayReachesTheSameState(t *testing.T) {
	d := desktest.Sample(t, desk.Options{Allow: true})
	folder := desktest.Copy(t)
	chat := []string{"add two bags of the Guji to Ana's cart", "submit my order to my home address"}
	for _, text := range chat {
		var out bytes.Buffer
		if code := execute(t.Context(), []string{"--data", d.Folder, "chat", "--approve", "allow", text},
			strings.NewReader(""), &out, &out); code != 0 {
			t.Fatalf("%s: %s", text, out.String())
		}
	}
	copied := desktest.Open(t, desk.Options{Folder: folder, Allow: true})
	report, err := d.Log.Replay(t.Context(), audit.Replay{After: 1, Into: copied.Log, Invoke: copied.Bus.Invoke})
	if err != nil {
		t.Fatal(err)
	}
	if report.Different != 0 || report.Same < 5 || report.State != report.Reached {
		t.Errorf("%+v", report)
	}
}

// TestU9FollowSeesAnotherProgramsRecords runs `audit tail --follow` beside a
// second program on the same shop.
// holds: U9
func TestU9FollowSeesAnotherProgramsRecords(t *testing.T) {
	d := desktest.Sample(t, desk.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	found := &until{word: "theme.set", found: cancel}
	done := make(chan int)
	go func() {
		done <- execute(ctx, []string{"--data", d.Folder, "--json", "audit", "tail", "--follow"}, nil, found, &bytes.Buffer{})
	}()
	for ctx.Err() == nil {
		desktest.Must(t, d, bus.CallerTest, "theme.set", `{"theme":"dark"}`, nil)
		time.Sleep(20 * time.Millisecond)
	}
	<-done
	if !found.seen() {
		t.Error("the record of the other program did not come")
	}
}

// until calls found when word was written.
type until struct {
	word  string
	found func()

	mu   sync.Mutex // guards text
	text bytes.Buffer
}

func (u *until) Write(p []byte) (int, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	n, err := u.text.Write(p)
	if bytes.Contains(u.text.Bytes(), []byte(u.word)) {
		u.found()
	}
	return n, err
}

func (u *until) seen() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return bytes.Contains(u.text.Bytes(), []byte(u.word))
}
