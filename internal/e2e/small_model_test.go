package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/openai"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// told is what a played model reads of a request: the results since the person's last sentence, and the tools.
type told struct {
	chatRequest
	results []map[string]any
}

// at is a value in the nth result, by the names that lead to it; a number is a place in a list.
func (m told) at(n int, path ...any) string {
	var v any = m.results[n]
	for _, step := range path {
		switch s := step.(type) {
		case string:
			object, _ := v.(map[string]any)
			v = object[s]
		case int:
			list, _ := v.([]any)
			if s >= len(list) {
				return "nothing there"
			}
			v = list[s]
		}
	}
	text, _ := v.(string)
	return text
}

// line is one reply of a played model: a text, and calls as "tool {arguments}".
type line func(told) (text string, calls []string)

func words(text string, calls ...string) line {
	return func(told) (string, []string) { return text, calls }
}

// played is an endpoint that plays a model with a small context, in the shape of llama.cpp.
type played struct {
	t       *testing.T
	context int
	mu      sync.Mutex // guards the rest
	script  []line
	bodies  []string
	calls   int
}

func (p *played) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.URL.Path == "/props" && p.context > 0 {
		_, _ = fmt.Fprintf(w, `{"default_generation_settings":{"id":0,"n_ctx":%d},"total_slots":1}`, p.context)
		return
	}
	body, _ := io.ReadAll(req.Body)
	var m told
	if json.Unmarshal(body, &m.chatRequest) != nil {
		http.NotFound(w, req)
		return
	}
	for _, msg := range m.Messages {
		switch msg.Role {
		case "user":
			m.results = nil
		case "tool":
			var result map[string]any
			_ = json.Unmarshal([]byte(msg.Content), &result) // one that is cut is read as nothing
			m.results = append(m.results, result)
		}
	}
	p.mu.Lock()
	p.bodies = append(p.bodies, string(body))
	if len(p.script) == 0 {
		p.mu.Unlock()
		p.t.Error("the model is asked once more than it has an answer for")
		http.Error(w, `{"error":"no more"}`, http.StatusBadRequest)
		return
	}
	say := p.script[0]
	p.script = p.script[1:]
	p.mu.Unlock()
	text, calls := say(m)
	delta := map[string]any{"role": "assistant", "content": text}
	var made []map[string]any
	for i, call := range calls {
		name, arguments, _ := strings.Cut(call, " ")
		p.calls++
		made = append(made, map[string]any{"index": i, "id": fmt.Sprint("call_", p.calls), "type": "function",
			"function": map[string]string{"name": name, "arguments": arguments}})
	}
	finish := "stop"
	if made != nil {
		delta["tool_calls"], finish = made, "tool_calls"
	}
	raw, _ := json.Marshal(map[string]any{"object": "chat.completion.chunk",
		"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", raw)
}

// tokens counts what each request costs, with the tokenizer of an open model.
func (p *played) tokens() (counts []int) {
	p.t.Helper()
	count := exec.Command("node", "build/tokens.mjs")
	var in, out bytes.Buffer
	for _, body := range p.bodies {
		_ = json.Compact(&in, []byte(body))
		in.WriteByte('\n')
	}
	count.Stdin, count.Stdout = &in, &out
	if err := count.Run(); err != nil {
		p.t.Fatalf("node build/tokens.mjs: %v (npm ci in frontend brings the tokenizer)", err)
	}
	for line := range strings.FieldsSeq(out.String()) {
		n, err := strconv.Atoi(line)
		if err != nil {
			p.t.Fatal(err)
		}
		counts = append(counts, n)
	}
	return counts
}

// stage is a desk with a played model in the seat of the assistant, and a person who answers cards.
type stage struct {
	*played
	desk  *desk.Desk
	cards []policy.Card
	deny  []string // reasons with which the next cards are denied, "" is allowed
}

func newStage(t *testing.T, context int) *stage {
	s := &stage{played: &played{t: t, context: context}}
	server := httptest.NewServer(s.played)
	t.Cleanup(server.Close)
	m, err := openai.New(openai.Options{BaseURL: server.URL + "/v1", Model: "small", Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	s.desk = desktest.Sample(t, desk.Options{Model: m, OnCard: func(e policy.CardEvent) {
		if e.Type != policy.CardOpened {
			return
		}
		a := policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: bus.AnswerAllow, By: e.Card.Person}
		if n := len(s.cards); n < len(s.deny) && s.deny[n] != "" {
			a.Answer, a.Reason = bus.AnswerDeny, s.deny[n]
		}
		s.cards = append(s.cards, e.Card)
		if err := s.desk.Policy.Decide(a); err != nil {
			t.Error(err)
		}
	}})
	return s
}

// say gives the person's sentence and the model's replies to it, and returns what was done.
func (s *stage) say(text string, replies ...line) (done []string) {
	s.t.Helper()
	s.script = replies
	var end agent.Update
	if err := s.desk.Bridge.Send(s.t.Context(), agent.Turn{ConversationID: "chat_1", Text: text, Principal: s.desk.Person},
		func(u agent.Update) { end = u }); err != nil {
		s.t.Fatal(err)
	}
	if end.Status != agent.StatusDone || len(s.script) > 0 {
		s.t.Errorf("%q ended %s: %s; %d replies were not asked for", text, end.Status, end.Error, len(s.script))
	}
	for _, a := range end.Actions {
		done = append(done, a.Capability+" "+string(a.Outcome))
	}
	return done
}

func (s *stage) want(text, want string, replies ...line) {
	s.t.Helper()
	if got := strings.Join(s.say(text, replies...), ", "); got != want {
		s.t.Errorf("%q did %q, want %q\n%.600s", text, got, want, s.bodies[len(s.bodies)-1][max(0,
			len(s.bodies[len(s.bodies)-1])-600):])
	}
}

// tenTasks are ten jobs of a desk in one conversation: with several steps, with a card, with a decline and its
// correction, with a refusal, with a question back, and with a tool that is not among the first. slip writes calls as a
// small model does; without it they are right.
func tenTasks(s *stage, slip func(right, slipped string) string) {
	s.deny = []string{"", "Not other: no longer needed", "", "no"}
	s.want("Which orders of Ana are open?", "",
		words("", slip(`customer_search {"query":"Ana Ruiz"}`, `customer_search {"query":"Ana Ruiz","limit":"5","cursor":null}`)),
		func(m told) (string, []string) {
			id := m.at(0, "data", "customers", 0, "id")
			return "", []string{slip(`order_search {"customerId":"`+id+`","status":"pending","limit":5}`,
				`order_search {"customer_id":"`+id+`","status":"Pending","limit":"5"}`)}
		}, words("She has the ones listed."))
	s.want("Add two bags of Guji to Ana's cart", "cart.addItem done",
		words("", slip(`catalog_search {"query":"Guji","limit":3}`, `catalog_search {"query":"Guji","limit":"3",}`)),
		func(m told) (string, []string) {
			id := m.at(0, "data", "products", 0, "id")
			return "", []string{slip(`cart_addItem {"productId":"`+id+`","quantity":2,"customerId":"cus_201100"}`,
				`cart_addItem {"product_id":"`+id+`","quantity":"2","customer_id":"cus_201100","variantId":null}`)}
		}, words("Two bags of Guji Natural are in Ana's cart."))
	var order string
	s.want("Submit it to her home", "checkout.submit done", words("", `cart_getSummary {}`),
		words("", slip(`checkout_submit {"fulfilment":"deliver"}`, `checkout_submit {"fulfilment":"Deliver","giftMessage":null}`)),
		func(m told) (string, []string) {
			order = m.at(1, "data", "orderId")
			return "Ana's order " + order + " is placed.", nil
		})
	s.want("Cancel that order", "order.cancel refused, order.cancel done",
		func(told) (string, []string) {
			return "", []string{slip(`order_cancel {"orderId":"`+order+`","reason":"other"}`,
				`order_cancel {"order_id":"`+order+`","reason":"Other"}`)}
		}, func(told) (string, []string) {
			return "", []string{`order_cancel {"orderId":"` + order + `","reason":"no longer needed"}`}
		}, words("It is cancelled: no longer needed."))
	s.want("Erase Ana for good", "customer.erase refused",
		words("", slip(`customer_erase {"customerId":"cus_201100"}`, `customer.erase {"customer_id":"cus_201100"}`)),
		words("You said no, so Ana stays."))
	s.want("Add a Kenya to the cart", "", words("Which size, 250 g or 1 kg?"))
	s.want("250 g, for Ana", "cart.addItem done", words("", `catalog_search {"query":"Kenya","limit":2}`),
		func(m told) (string, []string) {
			id := m.at(0, "data", "products", 0, "id")
			return "", []string{slip(`cart_addItem {"productId":"`+id+`","quantity":1,"customerId":"cus_201100"}`,
				`cart_addItem {"productId":"`+id+`","quantity":"1","customerId":"cus_201100"}`)}
		}, words("It is in the cart."))
	s.want("Note on her last two orders that she calls back", "order.addNote done, order.addNote done",
		words("", `order_search {"customerId":"cus_201100","limit":2}`),
		func(m told) (string, []string) {
			note := func(n int) string {
				return fmt.Sprintf(`order_addNote {"orderId":%q,"text":"Ana calls back."}`, m.at(0, "data", "orders", n, "id"))
			}
			return "", []string{note(0), note(1)}
		}, words("Both have the note."))
	s.want("How much did we sell last month, by week?", "",
		words("", slip(`report_sales {"period":"last month","by":"week"}`, `report_sales {"period":"Last month","by":"Week"}`)),
		words("A little over two thousand dollars."))
	s.want("It is late, make everything dark", "theme.set done",
		words("", slip(`theme_set {"theme":"dark"}`, `theme_set {"theme":"Dark"}`)), words("It is dark now."))
}

// TestA13ASmallModelDoesTenTasksWithinItsContext: 8192 tokens, counted with a tokenizer of an open model. The endpoint
// tells its context; nothing is set.
//
// holds: A13 A2
func TestA13ASmallModelDoesTenTasksWithinItsContext(t *testing.T) {
	s := newStage(t, 8192)
	tenTasks(s, func(_, slipped string) string { return slipped })
	counts := s.tokens()
	t.Logf("tokens of %d requests: %v", len(counts), counts)
	if counts[0] > 3000 {
		t.Errorf("the first request has %d tokens", counts[0])
	}
	for i, n := range counts {
		if n > 6500 {
			t.Errorf("request %d has %d tokens", i, n)
		}
	}
}

// TestA4ALargeModelIsAskedNoMoreThanNeeded: the same ten tasks with all tools at hand; each request is one that the
// script has an answer for, and words with suggestions are the end of a turn.
//
// holds: A4 A16
func TestA4ALargeModelIsAskedNoMoreThanNeeded(t *testing.T) {
	s := newStage(t, 0)
	tenTasks(s, func(right, _ string) string { return right })
	counts := s.tokens()
	t.Logf("tokens of %d requests: %v", len(counts), counts)
	if counts[0] > 5500 {
		t.Errorf("the first request has %d tokens", counts[0])
	}
	s.want("What now?", "", words("Shall I show the cart?",
		`suggest_next_steps {"suggestions":[{"tool":"cart_getSummary","arguments":{}}]}`))
	s.deny = append(make([]string, len(s.cards)), "not this one", "")
	before := len(s.cards)
	s.want("Cancel the two newest open orders", "order.cancel refused, order.cancel done",
		words("", `order_search {"status":"pending","limit":2}`),
		func(m told) (string, []string) {
			cancel := func(n int) string {
				return fmt.Sprintf(`order_cancel {"orderId":%q,"reason":"other"}`, m.at(0, "data", "orders", n, "id"))
			}
			return "", []string{cancel(0), cancel(1)}
		}, words("The second is cancelled."))
	if n := len(s.cards) - before; n != 2 {
		t.Errorf("%d cards for two cancels", n)
	}
}
