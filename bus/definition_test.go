package bus_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// typed defines a capability "a.b" by its types.
func typed[In, Out any](change func(*bus.Capability)) func() bus.Capability {
	return func() bus.Capability {
		c := bus.Capability{Name: "a.b", Title: "A", Description: "Does.", SideEffect: bus.Pure}
		if change != nil {
			change(&c)
		}
		return bus.Define(c, func(context.Context, *bus.Call, In) (out Out, err error) { return out, nil })
	}
}

// raw defines a capability "a.b" by a change of one that can be registered.
func raw(change func(*bus.Capability)) func() bus.Capability {
	return func() bus.Capability {
		c := doing("a.b", bus.Pure, ok)
		c.InputSchema = json.RawMessage(`{"type":"object","properties":{"shelf":{"type":"string"},
			"lines":{"type":"array","items":{"type":"object","properties":{"count":{"type":"integer"}}}}}}`)
		change(&c)
		return c
	}
}

type node struct {
	Name string `json:"name"`
	Next []node `json:"next,omitempty"`
}

// badlyTagged has its tags where vet does not read them.
type badlyTagged struct {
	Name string `json:"name"`
}

func (badlyTagged) TagFields() map[string]string {
	return map[string]string{"name": "jsonschema:maxLength=1"}
}

type badlyTexted struct {
	Name string `json:"name"`
}

// holds: C4 C15 C16
func TestEachMistakeOfADefinitionIsRefusedWithItsNameAndPlace(t *testing.T) {
	for name, tc := range map[string]struct {
		define func() bus.Capability
		want   string
	}{
		"a slot that is no field": {raw(func(c *bus.Capability) {
			c.Assistant.Phrases = []string{"put on {shelf}",
				"count {shelv}"}
		}),
			`at /phrases/1: "count {shelv}" has a slot {shelv}, and the input no such field`},
		"a slot of a list's field": {raw(func(c *bus.Capability) { c.Assistant.Phrases = []string{"count {-count}"} }),
			`at /phrases/0: "count {-count}" has a slot {count}, and the input no such field`},
		"a slot that is not closed": {raw(func(c *bus.Capability) { c.Assistant.Phrases = []string{"put on {shelf"} }),
			`at /phrases/0: "put on {shelf" has a brace too many`},
		"a slot without an input": {raw(func(c *bus.Capability) {
			c.InputSchema, c.Assistant.Phrases = nil, []string{"put on {shelf}"}
		}), `at /phrases/0: "put on {shelf}" has a slot {shelf}, and the input no such field`},
		"grants on nothing": {raw(func(c *bus.Capability) {
			c.Facts, c.Assistant.Grantable = []string{"amount"}, []string{"amount", "shelf", "self"}
		}), `at /grantable/2: "self" is neither a fact nor a field of the input`},
		"a precondition without a check": {raw(func(c *bus.Capability) {
			c.Checks.Preconditions = []bus.Precondition{{Name: "open", Message: "It is shut."}}
		}), `at /preconditions/0: "open" has no name or no Check`},
		"a precondition without a name": {raw(func(c *bus.Capability) {
			c.Checks.Preconditions = []bus.Precondition{{Check: func(context.Context, *bus.Call) error { return nil }}}
		}), `at /preconditions/0: "" has no name or no Check`},
		"a misspelt keyword": {raw(func(c *bus.Capability) {
			c.OutputSchema = json.RawMessage(`{"properties":{"a":{"minimun":1}}}`)
		}), `output schema: at /properties/a/minimun: keyword "minimun" is not supported`},
		"a misspelt type": {raw(func(c *bus.Capability) {
			c.InputSchema = json.RawMessage(`{"properties":{"a":{"type":["null","strnig"]}}}`)
		}), `at /properties/a/type: value must be one of`},
		"a version in words": {raw(func(c *bus.Capability) { c.Version = "one" }),
			`at /version: "one" is not numbers with dots between`},
		"a since in words": {raw(func(c *bus.Capability) { c.Since = "v2" }),
			`at /since: "v2" is not numbers with dots between`},
		"a misspelt concurrency": {raw(func(c *bus.Capability) { c.Run.Concurrency = "exlusive" }),
			`at /concurrency: "exlusive" is nearly "exclusive": write that, or another name of a group`},
		"a place that is none": {raw(func(c *bus.Capability) { c.Run.ExecutionContext = "lokal" }),
			`at /execution_context: "lokal" is not one of local, client, remote`},
		"a misspelt keyword in a tag": {typed[struct {
			Shelf struct {
				Count int `json:"count" jsonschema:"minimun=1"`
			} `json:"shelf"`
		}, struct{}](nil), `input schema: at /properties/shelf/properties/count: its tag's "minimun=1" is not taken`},
		"a keyword of another type in a tag": {typed[struct {
			Count []int `json:"count" jsonschema:"maxItems=3,minLength=1"`
		}, struct{}](nil), `input schema: at /properties/count: its tag's "minLength=1" is not taken`},
		"a value that is none in a tag": {typed[struct {
			PIN string `json:"pin" jsonschema:"writeOnly=ture"`
		}, struct{}](nil), `input schema: at /properties/pin: its tag's "writeOnly=ture" is not taken`},
		"a keyword without a value in a tag": {typed[struct {
			Name string `json:"name" jsonschema:"nullable,maxLength=3" x:"personal"`
		}, struct{}](nil), `input schema: at /properties/name: its tag's "x-personal" is not taken`},
		"a misspelt extension": {typed[struct {
			Name string `json:"name" x:"personl=true"`
		}, struct{}](nil), `input schema: at /properties/name/x-personl: there is no keyword "x-personl", the nearest ` +
			`is "x-personal"; one of your own has two words, such as x-acme-personl`},
		"an extension in another form of the word": {typed[struct{}, struct {
			Lines []struct {
				Text string `json:"text" jsonschema_extras:"x-taint=true"`
			} `json:"lines"`
		}](nil), `x-taint: there is no keyword "x-taint", the nearest is "x-tainted"`},
		"an extension that is not true": {typed[struct {
			Name string `json:"name" x:"personal=ture"`
		}, struct{}](nil), `input schema: at /properties/name/x-personal: keyword "x-personal" takes a bool, not ture`},
		"a misspelt tag": {typed[struct{}, struct {
			Lines []struct {
				Name string `json:"name" jsonshema:"maxLength=1"`
			} `json:"lines"`
		}](nil), `output schema: at /properties/lines/items/properties/name: its tag "jsonshema" is nearly "jsonschema"`},
		"a tag that is none": {typed[struct{}, badlyTagged](nil),
			`output schema: at /properties/name: its tag cannot be read`},
		"a type without JSON": {typed[struct {
			Done map[string][]chan int `json:"done"`
		}, struct{}](nil), `input schema: at /properties/done/additionalProperties/items: JSON has no chan int`},
		"a type within itself": {typed[struct{}, node](nil),
			`output schema: at /properties/next/items: bus_test.node is within itself`},
		"texts without its section": {typed[struct{}, struct{}](func(c *bus.Capability) { c.Texts = "a.c: A\n" }),
			`no section "a.b" in its texts`},
		"texts of a field that is none": {typed[struct{}, badlyTexted](func(c *bus.Capability) {
			c.Texts = "a.b: A\n\tDoes.\n\nbadlyTexted:\n\tnam: of it\n"
		}), `bus_test.badlyTexted describes or tags "nam"`},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("Define panicked: %v", p)
				}
			}()
			o, _, _ := bustest.Options()
			err := bus.New(o).Register(tc.define())
			if err == nil || !strings.Contains(err.Error(), `capability "a.b": `) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got  %v\nwant capability \"a.b\": … %s", err, tc.want)
			}
		})
	}
}

// TestC7AHintMayNameWhatIsRegisteredLater holds until all are registered: then Check finds the names that lead nowhere,
// and the first invocation logs them.
// holds: C7 C15
func TestC7AHintMayNameWhatIsRegisteredLater(t *testing.T) {
	var log strings.Builder
	o, _, _ := bustest.Options()
	o.Logger = slog.New(slog.NewTextHandler(&log, nil))
	b := bus.New(o)
	hinting := func(name, hint string) bus.Capability {
		c := doing(name, bus.Pure, ok)
		c.Checks.Preconditions = []bus.Precondition{{Name: "open", Hint: hint,
			Check: func(context.Context, *bus.Call) error { return nil }}}
		return c
	}
	b.MustRegister(hinting("a.b", "Invoke a.c, or (a.open) it by hand, e.g. with help@example.com."))
	b.MustRegister(hinting("a.c", "a.b shows it, see https://example.com/help.html."))
	wrong := `capability "a.b": at /preconditions/0/recovery_hint: "a.open" is no capability`
	if err := b.Check(); err == nil || err.Error() != wrong {
		t.Errorf("got %v, want %s", err, wrong)
	}
	for range 2 {
		wantOK(t, b.Invoke(t.Context(), call("a.b", `{}`)))
	}
	if strings.Count(log.String(), "a.open") != 1 {
		t.Errorf("the log says %q", log.String())
	}
	b.MustRegister(doing("a.open", bus.Pure, ok))
	if err := b.Check(); err != nil {
		t.Error(err)
	}
}
