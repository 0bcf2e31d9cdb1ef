package desk_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/google/go-cmp/cmp"
)

// TestTheModelOfTheSettingsAnswers from the next turn on, with its own key.
func TestTheModelOfTheSettingsAnswers(t *testing.T) {
	var mu sync.Mutex // guards asked
	var asked []string
	serve := func(name string) *httptest.Server {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet { // the list of models
				return
			}
			var in struct{ Model string }
			if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
				t.Error(err)
			}
			mu.Lock()
			asked = append(asked, name+" "+in.Model+" "+r.Header.Get("Authorization"))
			mu.Unlock()
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, `data: {"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hello."},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
		}))
		t.Cleanup(s.Close)
		return s
	}
	first, second := serve("first"), serve("second")
	d := desktest.WithoutKeychain(t, nil)
	var costs []int // how many amounts each turn came to
	say := func() {
		t.Helper()
		var last agent.Update
		if err := d.Bridge.Send(t.Context(), agent.Turn{ConversationID: "c", Text: "hello", Principal: d.Person},
			func(u agent.Update) { last = u }); err != nil {
			t.Fatal(err)
		}
		if last.Usage == nil {
			costs = append(costs, -1)
			return
		}
		costs = append(costs, len(last.Usage.Costs))
	}
	set := func(values string, args ...any) {
		t.Helper()
		desktest.Must(t, d, bus.CallerTest, "settings.set", fmt.Sprintf(`{"section":"model","values":`+values+`}`, args...),
			nil)
	}
	test := func(endpoint string) {
		t.Helper()
		var report model.Report
		desktest.Must(t, d, bus.CallerTest, "settings.testModel", fmt.Sprintf(`{"endpoint":%q,"model":"tried"}`, endpoint),
			&report)
		if !report.Works {
			t.Errorf("%+v", report)
		}
	}
	say() // the built-in assistant
	set(`{"endpoint":%q,"model":"small","key":"key-1"}`, first.URL+"/v1")
	say()
	set(`{"key":"key-2","inputPrice":"2.50","outputPrice":"10"}`)
	say()
	test(first.URL + "/v1/")
	test(second.URL + "/v1")
	set(`{"endpoint":%q,"model":"large"}`, second.URL+"/v1")
	say()
	set(`{"endpoint":""}`)
	say()
	if diff := cmp.Diff([]string{"first small Bearer key-1", "first small Bearer key-2", "first tried Bearer key-2",
		"second tried ", "second large "}, asked); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{-1, 0, 1, 0, -1}, costs); diff != "" {
		t.Errorf("amounts of each turn (-want +got):\n%s", diff)
	}
}

// TestWhatAModelReadsIsKeptWithIt: what a test measured or a person said reaches the assistant, which keeps within it;
// another model begins without.
func TestWhatAModelReadsIsKeptWithIt(t *testing.T) {
	var mu sync.Mutex // guards sizes
	var sizes []int
	var several []bool // whether several calls at once were asked for
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method == http.MethodGet || len(body) < 1000 {
			http.NotFound(w, r)
			return
		}
		mu.Lock()
		sizes = append(sizes, len(body))
		several = append(several, bytes.Contains(body, []byte(`"parallel_tool_calls":true`)))
		mu.Unlock()
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"Hello."},"finish_reason":"stop"}]}`+
			"\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(s.Close)
	d := desktest.WithoutKeychain(t, nil)
	kept := func(values string) (model struct {
		Context   int
		Abilities []string
	}) {
		t.Helper()
		var out struct {
			Model *struct {
				Context   int
				Abilities []string
			}
		}
		desktest.Must(t, d, bus.CallerTest, "settings.set", `{"section":"model","values":`+values+`}`, &out)
		if err := d.Bridge.Send(t.Context(), agent.Turn{ConversationID: values, Text: "hello", Principal: d.Person},
			func(agent.Update) {}); err != nil {
			t.Fatal(err)
		}
		return *out.Model
	}
	if m := kept(`{"endpoint":"` + s.URL + `/v1","model":"m"}`); m.Context != 0 || m.Abilities != nil {
		t.Errorf("a new model: %+v", m)
	}
	if m := kept(`{"context":8192,"abilities":["tools","thinks"]}`); m.Context != 8192 || len(m.Abilities) != 2 {
		t.Errorf("after a test: %+v", m)
	}
	if m := kept(`{"model":"another"}`); m.Context != 0 || m.Abilities != nil {
		t.Errorf("another model: %+v", m)
	}
	if len(sizes) != 3 || sizes[1] > 8192*2 || sizes[0] <= sizes[1] || sizes[2] <= sizes[1] {
		t.Errorf("it was sent %v bytes", sizes)
	}
	if !slices.Equal(several, []bool{true, false, true}) {
		t.Errorf("several calls at once were asked for: %v", several)
	}
}
