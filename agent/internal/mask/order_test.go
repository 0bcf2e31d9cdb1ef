package mask

import (
	"encoding/json"
	"testing"
)

// sameEveryTime fails when one of 200 runs returns another result than want.
func sameEveryTime(t *testing.T, want string, run func() string) {
	t.Helper()
	for n := range 200 {
		if got := run(); got != want {
			t.Fatalf("run %d: %s\nwant: %s", n, got, want)
		}
	}
}

// holds: A17
func TestA17PlaceholdersAreNumberedInOneOrder(t *testing.T) {
	schema := json.RawMessage(
		`{"properties":{"a":{"x-personal":true},"b":{"x-personal":true},"c":{"properties":{"mail":{"x-personal":true}}}}}`)
	sameEveryTime(t, `{"a":"§P1§","b":"§P2§","c":{"mail":"§P3§"},"d":"§P4§","e":"§P5§"}`, func() string {
		v := &Mask{}
		v.Learn(schema, json.RawMessage(`{"a":"Ana","b":"Ruiz","c":{"mail":"ana@example.com"}}`))
		return v.hideJSON(`{"e":"eve@example.com","d":"dan@example.com","c":{"mail":"ana@example.com"},"b":"Ruiz","a":"Ana"}`)
	})
	state := map[string]struct {
		Name string `jsonschema_extras:"x-personal=true"`
	}{"one": {"Ana Ruiz"}, "two": {"Ben Silva"}}
	sameEveryTime(t, "§P1§ §P4§", func() string {
		v := &Mask{}
		v.LearnContext(state)
		return v.hide("Ana Ruiz Ben Silva", false)
	})
}

// TestA17NamesAreMaskedWithoutTheirAccentsToo: ids of other systems are made of plain letters, and people type them.
//
// holds: A17
func TestA17NamesAreMaskedWithoutTheirAccentsToo(t *testing.T) {
	schema := json.RawMessage(`{"properties":{"name":{"x-personal":true}}}`)
	for name, texts := range map[string][]string{
		"José Ibáñez":    {"jose_ibanez_4615", "pm_jose_visa", "ibanez7", "jose ibanez", "Jose Ibanez"},
		"Søren Weiß":     {"soren_weiss_1", "SOREN-2", "soren weiss"},
		"Łukasz Þorsson": {"lukasz_thorsson_9", "cus_lukasz"},
	} {
		for _, s := range texts {
			v := &Mask{}
			data, err := json.Marshal(map[string]string{"name": name, "other": s})
			if err != nil {
				t.Fatal(err)
			}
			v.Learn(schema, data)
			if got := v.hide(s, true); !placeholder().MatchString(got) || placeholder().ReplaceAllString(got, "") != "" {
				t.Errorf("of %s %q is told as %q", name, s, got)
			} else if back := v.reveal(got); len(back) < len(s) {
				t.Errorf("%q comes back as %q", s, back)
			}
		}
	}
}
