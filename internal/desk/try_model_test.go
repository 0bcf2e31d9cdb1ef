package desk_test

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/google/go-cmp/cmp"
	"github.com/zalando/go-keyring"
)

// scripted is an endpoint with models that do what is written for each sentence, which has a number in brackets.
type scripted struct {
	t   testing.TB
	url string

	mu   sync.Mutex                    // guards the rest
	does map[string]map[string][]doing // by model and number
	sent []string                      // bodies
	hook func(model, number string)    // before an answer; may be nil
}

// doing is one call, or what is said at the end.
type doing struct {
	tool, args, says string
	fails            bool
}

func newScripted(t testing.TB) *scripted {
	s := &scripted{t: t, does: map[string]map[string][]doing{"then": {}, "now": {}}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL + "/v1"
	return s
}

var numbered = regexp.MustCompile(`\[(\d+)\]`)

func (s *scripted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		http.NotFound(w, r)
		return
	}
	var in struct {
		Model    string
		Messages []struct{ Role, Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		s.t.Error(err)
	}
	at, number := 0, ""
	for _, m := range in.Messages {
		switch m.Role {
		case "user":
			if found := numbered.FindStringSubmatch(m.Content); found != nil {
				at, number = 0, found[1]
			}
		case "assistant":
			at++
		}
	}
	s.mu.Lock()
	steps, hook := s.does[in.Model][number], s.hook
	raw, _ := json.Marshal(in.Messages)
	s.sent = append(s.sent, string(raw))
	s.mu.Unlock()
	if hook != nil {
		hook(in.Model, number)
	}
	delta, finish := `{"content":"Done."}`, "stop"
	if at < len(steps) {
		args, _ := json.Marshal(steps[at].args)
		said, _ := json.Marshal(steps[at].says)
		delta = fmt.Sprintf(`{"content":%s}`, said)
		if steps[at].fails {
			http.Error(w, "{}", http.StatusBadRequest)
			return
		}
		if steps[at].tool != "" {
			delta, finish = fmt.Sprintf(`{"tool_calls":[{"index":0,"id":"c%d","type":"function","function":{"name":%q,`+
				`"arguments":%s}}]}`, at, steps[at].tool, args), "tool_calls"
		}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: "+`{"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":%s,`+
		`"finish_reason":%q}]}`+"\n\ndata: [DONE]\n\n", delta, finish)
}

// elsewhere is the address of the endpoint as if it were on another computer.
func (s *scripted) elsewhere() string {
	server := httptest.NewTLSServer(s)
	s.t.Cleanup(server.Close)
	before := http.DefaultTransport
	s.t.Cleanup(func() { http.DefaultTransport = before })
	http.DefaultTransport = &http.Transport{TLSClientConfig: server.Client().Transport.(*http.Transport).TLSClientConfig,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, server.Listener.Addr().String())
		}}
	return "https://example.com/v1"
}

// write says what a model does with a sentence.
func (s *scripted) write(model string, number int, does ...doing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.does[model][fmt.Sprint(number)] = does
}

// tried is an answer of model.tryOut.
type tried struct {
	Same, AskedMore, Different, Unasked int
	Skipped                             map[string]int
	Sentences                           []struct {
		Text, Outcome, TurnID string
		Recorded, Tried       []struct {
			RequestID, Capability, Result string
			Rows                          []bus.Effect
		}
	}
}

// pastDesk is a desk with a scripted model, and some of what it can be told.
type pastDesk struct {
	*desk.Desk
	t         testing.TB
	model     *scripted
	products  []string
	customers []string
	said      int
}

func newPast(t testing.TB, o desk.Options) *pastDesk {
	keyring.MockInitWithError(keyring.ErrUnsupportedPlatform)
	o.Allow = true
	d := &pastDesk{Desk: desktest.Sample(t, o), t: t, model: newScripted(t)}
	var goods struct{ Products []struct{ ID string } }
	desktest.Must(t, d.Desk, bus.CallerTest, "catalog.search", `{"inStock":true,"limit":8}`, &goods)
	for _, p := range goods.Products {
		d.products = append(d.products, p.ID)
	}
	var people struct{ Customers []struct{ ID string } }
	desktest.Must(t, d.Desk, bus.CallerTest, "customer.search", `{"query":"a","limit":8}`, &people)
	for _, c := range people.Customers {
		d.customers = append(d.customers, c.ID)
	}
	desktest.Must(t, d.Desk, bus.CallerTest, "settings.set", fmt.Sprintf(
		`{"section":"model","values":{"endpoint":%q,"model":"then"}}`, d.model.url), nil)
	return d
}

// says has a sentence said to the model of then, which does something; now is what the other one will do.
func (d *pastDesk) says(then, now []doing) (number int) {
	d.t.Helper()
	d.said++
	d.model.write("then", d.said, then...)
	d.model.write("now", d.said, now...)
	var last agent.Update
	if err := d.Bridge.Send(d.t.Context(), agent.Turn{ConversationID: fmt.Sprint("chat_", d.said%3), Principal: d.Person,
		Text: fmt.Sprintf("Do [%d] please", d.said), Autonomy: "grants"}, func(u agent.Update) { last = u }); err != nil {
		d.t.Fatal(err)
	}
	for _, a := range last.Actions {
		if a.Outcome != agent.ActionDone {
			d.t.Fatalf("%d: %+v", d.said, a)
		}
	}
	return d.said
}

// tries runs model.tryOut with the model of now.
func (d *pastDesk) tries(last int) (out tried) {
	d.t.Helper()
	before := d.snapshot()
	desktest.Must(d.t, d.Desk, bus.CallerUI, "model.tryOut", fmt.Sprintf(`{"endpoint":%q,"model":"now","last":%d}`,
		d.model.url, last), &out)
	if diff := cmp.Diff(before, d.snapshot()); diff != "" {
		d.t.Error("something else was changed:", diff)
	}
	d.noCopy()
	return out
}

// snapshot is all that a trial leaves as it is: the domain's state, the records, and the conversations.
func (d *pastDesk) snapshot() map[string]string {
	d.t.Helper()
	state, err := d.Log.StateHash(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	all := map[string]string{"state": state}
	page, err := d.Log.Search(d.t.Context(), audit.Query{Limit: 500})
	if err != nil || page.HasMore {
		d.t.Fatal(err, page.HasMore)
	}
	for _, r := range page.Records {
		if r.Capability != "model.tryOut" {
			all[r.RequestID] = r.Hash
		}
	}
	err = d.Log.View(d.t.Context(), func(ctx context.Context) error {
		return d.Log.Query(ctx, func(scan func(...any) error) error {
			var id, row string
			err := scan(&id, &row)
			all[id] = row
			return err
		}, `SELECT 'message ' || id, conversation || turn || body || at FROM agent_messages UNION ALL
			SELECT 'conversation ' || id, person || title || tainted || autonomy || started_at || updated_at
			FROM agent_conversations UNION ALL SELECT 'turn ' || id, input || ' ' || output FROM agent_turns`)
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return all
}

func (d *pastDesk) noCopy() {
	d.t.Helper()
	for range 500 { // a call that was stopped ends a little later
		if left, _ := filepath.Glob(filepath.Join(d.Folder, ".replica-*")); len(left) == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if left, _ := filepath.Glob(filepath.Join(d.Folder, ".replica-*")); len(left) > 0 {
		d.t.Errorf("left behind: %v", left)
	}
}

// TestU12AModelIsTriedOnPastSentences: a seeded set of sentences of which the other model does some otherwise: every
// deviation is found, and none is invented. People work between them.
//
// holds: U12
func TestU12AModelIsTriedOnPastSentences(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			d, r := newPast(t, desk.Options{}), rand.New(rand.NewPCG(seed, 12))
			var want []string
			for range 14 {
				customer, other := d.two(r, d.customers)
				product, another := d.two(r, d.products)
				then, dear, wrong := d.task(r, customer, product, other, another)
				extra := doing{tool: "customer_addNote", args: fmt.Sprintf(`{"customerId":%q,"text":"Called."}`, other)}
				now, outcome := then, "same"
				switch r.IntN(6) {
				case 0:
					now, outcome = []doing{{tool: "catalog_search", args: `{"query":"a"}`}, {says: "Which one?"}}, "askedMore"
				case 1:
					now, outcome = dear, "different"
				case 2:
					now, outcome = wrong, "different"
				case 3:
					now, outcome = append([]doing{extra}, then...), "unasked"
				case 4: // another way to the same rows
					now = append([]doing{{tool: "catalog_search", args: `{"query":"b"}`}}, then...)
				}
				d.says(then, now)
				want = append(want, outcome)
				if r.IntN(2) == 0 {
					desktest.Must(t, d.Desk, bus.CallerUI, "customer.addNote", fmt.Sprintf(
						`{"customerId":%q,"text":"By hand."}`, customer), nil)
				}
			}
			got := d.tries(50)
			slices.Reverse(want)
			for i, s := range got.Sentences {
				if s.Outcome != want[i] {
					t.Errorf("%s: %s, want %s\n%.3000s\n%.3000s", s.Text, s.Outcome, want[i], fmt.Sprint(s.Recorded), fmt.Sprint(s.Tried))
				}
			}
			if len(got.Sentences) != len(want) || len(got.Skipped) > 0 {
				t.Errorf("%d of %d, %v", len(got.Sentences), len(want), got.Skipped)
			}
		})
	}
}

func (d *pastDesk) two(r *rand.Rand, of []string) (string, string) {
	at := r.Perm(len(of))
	return of[at[0]], of[at[1]]
}

// task is something to do, the same with another amount or words, and the same for another record.
func (d *pastDesk) task(r *rand.Rand, customer, product, other, another string) (then, dear, wrong []doing) {
	add := func(customer, product string, quantity int) []doing {
		return []doing{{tool: "cart_addItem", args: fmt.Sprintf(`{"customerId":%q,"productId":%q,"quantity":%d}`, customer,
			product, quantity)}}
	}
	note := func(customer, text string) []doing {
		return []doing{{tool: "customer_addNote", args: fmt.Sprintf(`{"customerId":%q,"text":%q}`, customer, text)}}
	}
	submit := doing{tool: "checkout_submit", args: `{"fulfilment":"takeAway"}`}
	switch r.IntN(3) {
	case 0:
		return note(customer, "Likes it."), note(customer, "Dislikes it."), note(other, "Likes it.")
	case 1:
		return append(add(customer, product, 1), submit), append(add(customer, product, 2), submit),
			append(add(customer, another, 1), submit)
	}
	return add(customer, product, 1), add(customer, product, 2), add(customer, another, 1)
}

// receiver is a server that takes webhooks; it counts them.
func receiver(t *testing.T) (hooks *atomic.Int64, url string, roots *x509.CertPool) {
	hooks = &atomic.Int64{}
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hooks.Add(1) }))
	t.Cleanup(server.Close)
	roots = x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return hooks, server.URL, roots
}

func (d *pastDesk) setHook(url string) {
	desktest.Must(d.t, d.Desk, bus.CallerTest, "settings.set", fmt.Sprintf(
		`{"section":"webhooks","values":{"hooks":[{"id":"h","url":%q,"secret":"sixteen letters!"}]}}`, url), nil)
}

func (d *pastDesk) note(customer int, text string) []doing {
	return []doing{{tool: "customer_addNote", args: fmt.Sprintf(`{"customerId":%q,"text":%q}`, d.customers[customer],
		text)}}
}

// TestU12WhatIsNotTriedIsCounted by its reason, and nothing of it is said again.
//
// holds: U12
func TestU12WhatIsNotTriedIsCounted(t *testing.T) {
	hooks, url, roots := receiver(t)
	d := newPast(t, desk.Options{Roots: roots})
	d.setHook(url)
	d.says(d.note(0, "Behind."), nil)
	d.says(d.note(1, "Behind too."), nil)
	var made struct{ CustomerID string }
	desktest.Must(t, d.Desk, bus.CallerUI, "customer.create", `{"name":"Zofia Wrona"}`, &made)
	d.says([]doing{{tool: "customer_addNote", args: fmt.Sprintf(`{"customerId":%q,"text":"New."}`, made.CustomerID)}}, nil)
	desktest.Must(t, d.Desk, bus.CallerUI, "customer.erase", fmt.Sprintf(`{"customerId":%q}`, made.CustomerID), nil)
	d.says([]doing{{tool: "webhook_trigger", args: `{"hook":"h"}`}}, nil)
	again := d.note(2, "Again.")
	d.says(again, again)
	d.model.write("then", 99, doing{says: "?"})
	if err := d.Bridge.Send(t.Context(), agent.Turn{ConversationID: "other", Principal: d.Person, Text: "Gone [99]"},
		nil); err != nil {
		t.Fatal(err)
	}
	desktest.Must(t, d.Desk, bus.CallerUI, "conversation.remove", `{"conversationId":"other"}`, nil)
	d.model.sent = nil
	events := d.Bus.Subscribe()
	defer events.Close()
	got := d.tries(50)
	for told := ""; told != "Sentence 6 of 6"; { // of each
		e, err := events.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if e.Type == bus.EventProgress {
			told = e.Message
		}
	}
	if diff := cmp.Diff(map[string]int{"gone": 1, "outside": 1, "erased": 1, "behind": 2}, got.Skipped); diff != "" ||
		got.Same != 1 || len(d.model.sent) != 2 || hooks.Load() != 1 {
		t.Errorf("%s%+v, %d requests, %d hooks", diff, got, len(d.model.sent), hooks.Load())
	}
}

// TestU12NothingOfATrialReachesOutside: a network step is refused on the copy and counts as unasked, and a model
// elsewhere is told what the settings of today let it be told.
//
// holds: U12
func TestU12NothingOfATrialReachesOutside(t *testing.T) {
	d := newPast(t, desk.Options{})
	post, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer post.Close()
	var called atomic.Int64
	go func() {
		for {
			c, err := post.Accept()
			if err != nil {
				return
			}
			called.Add(1)
			_ = c.Close()
		}
	}()
	desktest.Must(t, d.Desk, bus.CallerTest, "settings.set", fmt.Sprintf(`{"section":"mail","values":{"host":"127.0.0.1",`+
		`"port":%d,"encryption":"none","from":"shop@example.com"}}`, post.Addr().(*net.TCPAddr).Port), nil)
	var orders struct{ Orders []struct{ ID string } }
	desktest.Must(t, d.Desk, bus.CallerTest, "order.search", `{"limit":1}`, &orders)
	look := doing{tool: "customer_search", args: `{"query":"Ana Ruiz"}`}
	desktest.Must(t, d.Desk, bus.CallerTest, "customer.addNote", fmt.Sprintf(`{"customerId":%q,"text":"Rings twice."}`,
		d.customers[0]), nil)
	d.says([]doing{look}, []doing{look, {tool: "email_sendReceipt",
		args: fmt.Sprintf(`{"orderId":%q,"to":"ana@example.com"}`, orders.Orders[0].ID)},
		{tool: "customer_get", args: fmt.Sprintf(`{"customerId":%q}`, d.customers[0])}})
	// Later than the sentence:
	desktest.Must(t, d.Desk, bus.CallerUI, "assistant.setMasked", `{"masked":true}`, nil)
	desktest.Must(t, d.Desk, bus.CallerUI, "assistant.setReview", `{"models":"elsewhere"}`, nil)
	d.model.sent, d.model.url = nil, d.model.elsewhere()
	got := d.tries(1)
	if got.Unasked != 1 || called.Load() != 0 || got.Sentences[0].Tried[1].Result != string(bus.PreconditionFailed) {
		t.Errorf("%+v, %d mails", got, called.Load())
	}
	if sent := strings.Join(d.model.sent, "\n"); len(d.model.sent) != 4 || strings.Contains(sent, "Ana Ruiz") ||
		strings.Contains(sent, "Rings twice") || !strings.Contains(sent, "kept back") {
		t.Errorf("%d requests: %s", len(d.model.sent), sent)
	}
}

// TestU12WhatWasThereIsNotTakenForMade: two carts that were there have ids as random as those that a turn makes.
//
// holds: U12
func TestU12WhatWasThereIsNotTakenForMade(t *testing.T) {
	d := newPast(t, desk.Options{})
	to := func(customer int) []doing {
		return []doing{{tool: "cart_setCustomer", args: fmt.Sprintf(`{"customerId":%q}`, d.customers[customer])}}
	}
	for _, customer := range d.customers[:3] {
		desktest.Must(t, d.Desk, bus.CallerUI, "cart.addItem", fmt.Sprintf(
			`{"customerId":%q,"productId":%q,"quantity":1}`, customer, d.products[0]), nil)
	}
	d.says(to(0), to(1))
	if got := d.tries(1); got.Different != 1 {
		t.Errorf("%+v", got)
	}
}

// TestU12AModelThatFails is not tried any further where it never answered; else the sentence is counted, and what it did
// by then that was unasked is told.
//
// holds: U12
func TestU12AModelThatFails(t *testing.T) {
	d := newPast(t, desk.Options{})
	fails, note := doing{fails: true}, d.note(0, "One.")
	d.says(note, []doing{fails})
	d.says(note, append(d.note(1, "Unasked."), append(note, fails)...))
	d.says(note, note)
	got := d.tries(3)
	if diff := cmp.Diff(map[string]int{"failed": 1}, got.Skipped); diff != "" || got.Same != 1 || got.Unasked != 1 {
		t.Errorf("%s%+v", diff, got)
	}
	d.says(note, []doing{fails})
	r := d.Bus.Invoke(t.Context(), bus.Invocation{Capability: "model.tryOut", Principal: d.Person,
		Arguments: json.RawMessage(fmt.Sprintf(`{"endpoint":%q,"model":"now"}`, d.model.url)),
		Caller:    bus.Caller{Type: bus.CallerUI}})
	if r.OK() || r.Err.Code != bus.Transient || r.Err.Reason != bus.ReasonNetwork {
		t.Errorf("%+v", r)
	}
	d.noCopy()
}

// TestU12ACopyIsGoneAfterATrial that was stopped, and after a program that was killed. It is readable by nobody else.
//
// holds: U12
func TestU12ACopyIsGoneAfterATrial(t *testing.T) {
	d := newPast(t, desk.Options{})
	d.says(d.note(0, "One."), d.note(0, "One."))
	ctx, cancel := context.WithCancel(t.Context())
	d.model.hook = func(string, string) {
		files, _ := filepath.Glob(filepath.Join(d.Folder, ".replica-*", "*"))
		for _, f := range files {
			if info, err := os.Stat(f); err != nil || info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: %v %v", f, info.Mode(), err)
			}
		}
		if another := desktest.Open(t, desk.Options{Folder: d.Folder}); len(files) == 0 || another == nil {
			t.Error("no copy")
		}
		if left, _ := filepath.Glob(filepath.Join(d.Folder, ".replica-*", "*")); len(left) < len(files) {
			t.Error("another program removed a copy that is in use")
		}
		cancel()
	}
	before := d.snapshot()
	r := d.Bus.Invoke(ctx, bus.Invocation{Capability: "model.tryOut", Principal: d.Person,
		Arguments: json.RawMessage(fmt.Sprintf(`{"endpoint":%q,"model":"now"}`, d.model.url)),
		Caller:    bus.Caller{Type: bus.CallerUI}})
	if r.OK() || ctx.Err() == nil {
		t.Errorf("%+v", r)
	}
	d.noCopy()
	if diff := cmp.Diff(before, d.snapshot()); diff != "" {
		t.Error(diff)
	}
	killed := filepath.Join(d.Folder, ".replica-1")
	if err := os.MkdirAll(killed, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(killed, desk.DatabaseName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	desktest.Open(t, desk.Options{Folder: d.Folder})
	d.noCopy()
}

// TestR12OnlyTheOwnerTriesAModel, and no assistant does. The card says where to, and what is said there.
//
// holds: R12
func TestR12OnlyTheOwnerTriesAModel(t *testing.T) {
	d := newPast(t, desk.Options{})
	d.says(nil, nil)
	inv := bus.Invocation{Capability: "model.tryOut", Arguments: json.RawMessage(`{"endpoint":"https://models.example/v1",` +
		`"model":"m"}`), Principal: d.Person, Caller: bus.Caller{Type: bus.CallerAgent}}
	if r := d.Bus.Invoke(t.Context(), inv); r.OK() || r.Err.Reason != bus.ReasonAgentForbidden {
		t.Errorf("an assistant: %+v", r)
	}
	inv.Caller.Type, inv.DryRun = bus.CallerUI, true
	r := d.Bus.Invoke(t.Context(), inv)
	if want := `{"text":["Do [1] please"]}`; !r.OK() || string(r.Data) != want {
		t.Errorf("%+v %s", r, r.Data)
	}
	inv.Principal.Scopes = []string{"policy:read", "audit:read", "conversation:read", "assistant:write"}
	if r := d.Bus.Invoke(t.Context(), inv); r.OK() || r.Err.Reason != bus.ReasonPermission {
		t.Errorf("without the right: %+v", r)
	}
}

// BenchmarkModelTryOut tries twenty sentences, of which each changes something, on a model that answers at once.
func BenchmarkModelTryOut(b *testing.B) {
	d := newPast(b, desk.Options{})
	const sentences = 20
	for i := range sentences {
		note := d.note(i%len(d.customers), fmt.Sprint("Note ", i))
		d.says(note, note)
	}
	for b.Loop() {
		var out tried
		desktest.Must(b, d.Desk, bus.CallerUI, "model.tryOut", fmt.Sprintf(`{"endpoint":%q,"model":"now"}`, d.model.url), &out)
		if out.Same != sentences {
			b.Fatalf("%+v", out)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N*sentences), "ms/sentence")
}
