package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	pgjournal "github.com/deskhand/deskhand/docs/examples/postgres"
	"github.com/deskhand/deskhand/docs/examples/postgres/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Run(m)) }

func open(t testing.TB, database *pgxpool.Config) *pgjournal.Journal {
	journal, err := pgjournal.Open(context.Background(), database, time.Now, tables)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(journal.Close)
	return journal
}

func TestLoansConform(t *testing.T) {
	bustest.ConformEach(t, func(t testing.TB, name string) bustest.App {
		b := bus.New(bus.Options{Journal: open(t, pgtest.Database(t))})
		b.MustRegister(capabilities()...)
		if name == "tool.return" {
			r := b.Invoke(context.Background(), bus.Invocation{Capability: "tool.borrow", Arguments: []byte(`{"toolId":"t2"}`),
				Caller: bus.Caller{Type: bus.CallerTest}, Principal: people[0]})
			if r.Err != nil {
				t.Fatal(r.Err)
			}
		}
		return bustest.App{Bus: b, Person: people[0], Arguments: func(string) json.RawMessage {
			if name == "tool.return" {
				return json.RawMessage(`{"toolId":"t2"}`)
			}
			return nil
		}}
	})
}

// house is a server and the tokens that it printed.
type house struct {
	t      *testing.T
	url    string
	tokens map[string]string
}

func newHouse(t *testing.T, more ...bus.Principal) *house {
	return houseIn(t, pgtest.Database(t), more...)
}

func houseIn(t *testing.T, database *pgxpool.Config, more ...bus.Principal) *house {
	defer func(before []bus.Principal) { people = before }(people)
	people = append(slices.Clone(people), more...)
	s := httptest.NewUnstartedServer(nil)
	var links bytes.Buffer
	s.Config.Handler = newServer(t.Context(), open(t, database), s.Listener.Addr().String(), &links)
	s.Start()
	t.Cleanup(s.Close)
	h := &house{t, s.URL, map[string]string{}}
	for line := range strings.Lines(links.String()) {
		name, link, _ := strings.Cut(strings.TrimSpace(line), ": ")
		_, h.tokens[name], _ = strings.Cut(link, "/page/#")
	}
	return h
}

// send makes a request in the name of a person; edit changes it before it is sent.
func (h *house) send(ctx context.Context, who, path, body string, edit func(*http.Request)) *http.Response {
	h.t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.url+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+h.tokens[who])
	if edit != nil {
		edit(r)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	return answer
}

// call sends a request and returns the answer, which must contain want.
func (h *house) call(who, path, body, want string) string {
	h.t.Helper()
	answer := h.send(h.t.Context(), who, path, body, nil)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || !strings.Contains(string(text), want) {
		h.t.Fatalf("%s %s answers %s (%v), without %s", path, body, text, err, want)
	}
	return string(text)
}

// listen opens the event stream of a person: "name data" for each event.
func (h *house) listen(who string) <-chan string {
	h.t.Helper()
	ctx, cancel := context.WithCancel(h.t.Context())
	h.t.Cleanup(cancel)
	answer := h.send(ctx, who, "/events", "", nil)
	if answer.StatusCode != http.StatusOK {
		h.t.Fatal(answer.Status)
	}
	events := make(chan string, 1000)
	go func() {
		defer answer.Body.Close()
		name := ""
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			if is, found := strings.CutPrefix(lines.Text(), "event: "); found {
				name = is
			} else if data, found := strings.CutPrefix(lines.Text(), "data: "); found {
				events <- name + " " + data
			}
		}
	}()
	return events
}

// wait returns the next event with all parts; no event before it may be of a forbidden kind.
func wait(t *testing.T, events <-chan string, forbidden string, parts ...string) string {
	t.Helper()
	for late := time.After(20 * time.Second); ; {
		select {
		case e := <-events:
			if name, _, _ := strings.Cut(e, " "); strings.Contains(forbidden, name) {
				t.Fatalf("this is not for them: %s", e)
			}
			found := true
			for _, part := range parts {
				found = found && strings.Contains(e, part)
			}
			if found {
				return e
			}
		case <-late:
			t.Fatalf("no event with %q", parts)
		}
	}
}

func TestACardIsItsOwnersAlone(t *testing.T) {
	h := newHouse(t)
	ana, kim := h.listen("Ana"), h.listen("Kim")
	h.call("Ana", "/say", `{"text":"discard the drill","conversation_id":"of Ana"}`, `"turn_id"`)
	var e policy.CardEvent
	opened := wait(t, ana, "", "approval ", `"opened"`, "Drill")
	if err := json.Unmarshal([]byte(strings.TrimPrefix(opened, "approval ")), &e); err != nil {
		t.Fatal(err)
	}
	h.call("Ana", "/cards", `{"cards":true}`, e.Card.ApprovalID)
	h.call("Kim", "/cards", `{"cards":true}`, `{"cards":[]}`)
	allow := `{"approval_id":"` + e.Card.ApprovalID + `","answer":"allow"`
	h.call("Kim", "/decide", allow+`}`, "FORBIDDEN")
	h.call("Kim", "/decide", allow+`,"by":"ana","By":"ana","who":{"ID":"ana"}}`, "FORBIDDEN")
	h.call("Kim", "/invoke", `{"capability":"tool.list"}`, "Drill")

	h.call("Ana", "/decide", allow+`}`, `"ok":true`)
	wait(t, ana, "", "approval ", `"closed"`, `"allow"`)
	wait(t, kim, "approval chat", "bus ", `"stateChange"`, "Drill")
	wait(t, ana, "", "chat ", `"turn_ended"`, `"done"`)
	h.call("Kim", "/say", `{"text":"show the tools","conversation_id":"of Ana"}`, `"error"`)
	if left := h.call("Kim", "/invoke", `{"capability":"tool.list"}`, "Ladder"); strings.Contains(left, "Drill") {
		t.Errorf("it was not discarded: %s", left)
	}
}

// TestServersOnOneDatabaseKnowTheSame: a card of one is answered at another, which has the conversation and the records.
func TestServersOnOneDatabaseKnowTheSame(t *testing.T) {
	database := pgtest.Database(t)
	first, second := houseIn(t, database), houseIn(t, database)
	here := first.listen("Ana")
	first.call("Ana", "/say", `{"text":"discard the drill","conversation_id":"of Ana"}`, `"turn_id"`)
	wait(t, here, "", "approval ", `"opened"`, "Drill")
	var open struct{ Cards []policy.Card }
	if err := json.Unmarshal([]byte(second.call("Ana", "/cards", `{"cards":true}`, "Drill")), &open); err != nil {
		t.Fatal(err)
	}
	allow := `{"approval_id":"` + open.Cards[0].ApprovalID + `","answer":"allow"}`
	second.call("Kim", "/decide", allow, "FORBIDDEN")
	second.call("Ana", "/decide", allow, `"ok":true`)
	wait(t, here, "", "chat ", `"turn_ended"`, `"done"`)

	const search = `{"capability":"audit.search","arguments":{"capability":"tool.discard","status":"success"}}`
	for _, want := range []string{`"table":"tools"`, `"name":"Drill"`, `"triggering_message":"discard the drill"`,
		`"answer":"allow"`, `"by":"ana"`} {
		second.call("Kim", "/invoke", search, want)
	}
	var found struct {
		Data struct {
			Records []struct {
				ID string `json:"request_id"`
			}
		}
	}
	if err := json.Unmarshal([]byte(second.call("Kim", "/invoke", search, `"hasMore":false`)), &found); err != nil {
		t.Fatal(err)
	}
	second.call("Kim", "/invoke", `{"capability":"audit.trace","arguments":{"requestId":"`+found.Data.Records[0].ID+`"}}`,
		`"capability":"approval.answer"`)

	const list = `{"capability":"conversation.list"}`
	second.call("Ana", "/invoke", list, `"title":"discard the drill"`)
	second.call("Kim", "/invoke", list, `"conversations":[]`)
	second.call("Ana", "/invoke", `{"capability":"conversation.get","arguments":{"conversationId":"of Ana"}}`, "discard the drill")
}

func TestTheServerSaysWhoSendsARequest(t *testing.T) {
	h := newHouse(t)
	const borrow = `{"capability":"tool.borrow","arguments":{"toolId":"t2"},"idempotency_key":"k",`
	h.call("Kim", "/invoke", borrow+`"principal":{"ID":"ana"},"caller":{"type":"ui"}}`, "VALIDATION")
	h.call("Kim", "/invoke", borrow+`"caller":{"type":"agent","source":"page"}}`, `"success"`)
	h.call("Ana", "/invoke", `{"capability":"tool.list","caller":{"type":"ui"}}`, `"lentTo":"kim"`)
	h.call("Ana", "/invoke", borrow+`"caller":{"type":"agent","source":"page"}}`, "is lent to kim")
	h.call("Ana", "/invoke", strings.Replace(borrow, "borrow", "return", 1)+`"caller":{"type":"ui"}}`, "is lent to kim")
	ana, kim := h.listen("Ana"), h.listen("Kim")
	h.call("Kim", "/say", `{"text":"return the drill","principal":{"ID":"ana"}}`, `"turn_id"`)
	wait(t, kim, "", "chat ", `"turn_ended"`, `"done"`)
	wait(t, ana, "approval chat", "bus ", `"stateChange"`, "Drill")
}

func TestAPersonHearsWhatTheyMayKnow(t *testing.T) {
	h := newHouse(t, bus.Principal{ID: "guest", Name: "Guest"})
	kim, guest := h.listen("Kim"), h.listen("Guest")
	h.call("Ana", "/invoke", `{"capability":"tool.borrow","arguments":{"toolId":"t1"}}`, "success")
	wait(t, kim, "approval chat", "bus ", `"stateChange"`, "Ladder")
	h.call("Guest", "/invoke", `{"capability":"tool.list"}`, "FORBIDDEN")
	if first := wait(t, guest, ""); !strings.Contains(first, "tool.list") {
		t.Errorf("a guest hears %s", first)
	}
}

func TestWhoIsRefused(t *testing.T) {
	h := newHouse(t)
	const body = `{"capability":"tool.list","caller":{"type":"ui"}}`
	for name, c := range map[string]struct {
		path string
		edit func(*http.Request)
		want int
	}{
		"a page of its own":    {"/invoke", func(r *http.Request) { r.Header.Set("Origin", h.url) }, 200},
		"no browser":           {"/invoke", nil, 200},
		"another site":         {"/invoke", func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, 403},
		"a frame without name": {"/invoke", func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		"another name":         {"/invoke", func(r *http.Request) { r.Host = "evil.example" }, 403},
		"no token":             {"/invoke", func(r *http.Request) { r.Header.Del("Authorization") }, 401},
		"an invented token":    {"/events", func(r *http.Request) { r.Header.Set("Authorization", "Bearer x") }, 401},
		"no such path":         {"/stop", nil, 404},
		"not by POST":          {"/invoke", func(r *http.Request) { r.Method = http.MethodGet }, 404},
		"the page": {"/page/", func(r *http.Request) {
			r.Method = http.MethodGet
			r.Header.Del("Authorization")
		}, 200},
	} {
		answer := h.send(t.Context(), "Ana", c.path, body, c.edit)
		answer.Body.Close()
		if answer.StatusCode != c.want {
			t.Errorf("%s: %s, not %d", name, answer.Status, c.want)
		}
	}
}
