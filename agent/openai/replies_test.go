package openai_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/openai"
	"github.com/google/go-cmp/cmp"
)

// theKey is the key in each request. Some fixtures repeat it in their answer.
const theKey = "sk-test-0123456789abcdef"

// fixture is an answer in the form of one kind of endpoint, with the expected outcome.
type fixture struct {
	name, kind, body string
	status           int
	rules            []string
	want             outcome
}

// outcome is the result of a request.
type outcome struct {
	Text    string         `json:"text,omitempty"`
	Calls   []string       `json:"calls,omitempty"` // "id name arguments", or "id name broken"
	Finish  model.Finish   `json:"finish,omitempty"`
	Dropped int            `json:"dropped,omitempty"`
	Problem openai.Problem `json:"problem,omitempty"`
	Says    string         `json:"says,omitempty"` // a part of the sentence to the person
}

// fixtures reads testdata/replies. A file has lines "rules: …", "want: …" and "HTTP: status type", a blank line, and
// the body.
func fixtures(t testing.TB) (list []fixture) {
	t.Helper()
	files, err := filepath.Glob("testdata/replies/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head, body, _ := strings.Cut(string(raw), "\n\n")
		f := fixture{name: strings.TrimSuffix(filepath.Base(file), ".txt"), body: body}
		for line := range strings.Lines(head) {
			field, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			switch field {
			case "rules":
				f.rules = strings.Fields(value)
			case "want":
				if err := json.Unmarshal([]byte(value), &f.want); err != nil {
					t.Fatalf("%s: %v", file, err)
				}
			case "HTTP":
				if _, err := fmt.Sscan(value, &f.status, &f.kind); err != nil {
					t.Fatalf("%s: %v", file, err)
				}
			default:
				t.Fatalf("%s: unknown line %q", file, line)
			}
		}
		list = append(list, f)
	}
	return list
}

// outcomeOf makes one request without retries and returns its outcome.
func outcomeOf(t *testing.T, o openai.Options) outcome {
	t.Helper()
	o.BaseURL, o.Model, o.Retries = "http://localhost/v1", "m", -1
	o.Key = func() (string, error) { return theKey, nil }
	reply, shown, err := ask(t, must[model.Model](t)(openai.New(o)))
	if shown != reply.Text && !strings.HasSuffix(shown, "</think>\n"+reply.Text) { // of thoughts without a beginning
		t.Errorf("shown %q, kept %q", shown, reply.Text)
	}
	got := outcome{Text: reply.Text, Finish: reply.Finish, Dropped: reply.Dropped}
	for _, c := range reply.Calls {
		args := string(c.Arguments)
		if c.Broken != "" {
			args = "broken"
		}
		got.Calls = append(got.Calls, strings.Join([]string{c.ID, c.Tool, args}, " "))
	}
	var e *openai.Error
	if errors.As(err, &e) {
		got.Problem, got.Says = e.Problem, e.Error()
	} else if err != nil {
		t.Error(err)
	}
	return got
}

// holds: A2
func TestA2EveryKindOfBodyComesToWhatTheRulesSay(t *testing.T) {
	for _, f := range fixtures(t) {
		t.Run(f.name, func(t *testing.T) {
			got := outcomeOf(t, openai.Options{HTTPClient: &http.Client{Transport: canned{Status: f.status, Kind: f.kind,
				Body: []byte(f.body)}}})
			if f.want.Says != "" && strings.Contains(got.Says, f.want.Says) || f.want.Problem != "" && f.want.Says == "" {
				got.Says = f.want.Says
			}
			if diff := cmp.Diff(f.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

var ruleLine = regexp.MustCompile(`(?m)^//\t([a-z]+) +[A-Z0-9a-z]`)

// holds: A2
func TestA2EveryRuleHasAFixture(t *testing.T) {
	raw, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(raw), "by these rules:")
	var rules, shown []string
	for _, m := range ruleLine.FindAllStringSubmatch(table, -1) {
		rules = append(rules, m[1])
	}
	for _, f := range fixtures(t) {
		shown = append(shown, f.rules...)
	}
	shown = append(shown, "bounds") // TestA2EveryBoundIsSaidWhenItIsHit: they are too large for files
	slices.Sort(rules)
	slices.Sort(shown)
	if diff := cmp.Diff(rules, slices.Compact(shown)); diff != "" || len(rules) < 10 {
		t.Error(diff)
	}
}
