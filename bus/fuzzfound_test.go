package bus_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// holds: C4
func TestC4ASchemaThatFillsInForeverIsRefused(t *testing.T) {
	for name, tc := range map[string]struct {
		schema string
		fits   bool
	}{
		"a reference to itself":        {`{"$ref":"#"}`, false},
		"references in a circle":       {`{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, false},
		"a default that needs itself":  {`{"properties":{"a":{"default":{},"$ref":"#"}}}`, false},
		"a default with another in it": {`{"properties":{"a":{"default":{"b":{}},"$ref":"#"},"b":{"$ref":"#"}}}`, false},
		"a default list that needs itself": {
			`{"$defs":{"n":{"properties":{"l":{"default":[{}],"items":{"$ref":"#/$defs/n"}}}}}}`, false},
		"a tree, which ends with the value": {`{"properties":{"v":{"default":1},"l":{"$ref":"#"},"r":{"$ref":"#"}}}`, true},
		"a default that ends": {
			`{"properties":{"a":{"default":{"a":{}}},"b":{"default":[],"items":{"$ref":"#"}}}}`, true},
	} {
		c := doing("a.b", bus.Pure, exactArguments)
		c.InputSchema = json.RawMessage(tc.schema)
		o, _, _ := bustest.Options()
		b := bus.New(o)
		err := b.Register(c)
		if (err == nil) != tc.fits || err != nil && !strings.Contains(err.Error(), "never end") {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			wantOK(t, b.Invoke(t.Context(), call("a.b", `{"l":{"l":{}}}`)))
		}
	}
}

// holds: C1
func TestC1VersionsAreComparedNumberByNumber(t *testing.T) {
	for _, tc := range []struct {
		have, want string
		refused    bool
	}{
		{"1.2.3", "1.2.3", false}, {"1.2.3", "1.10", true}, {"1.10.0", "1.9.9", false}, {"2.0.0", "1.99", true},
		{"1.2.0-rc1", "1.2", false},
		{"1.2", "1.2.1", true}, {"1.0.0", "99999999999999999999999", true}, {"1.0.0", "x", false},
	} {
		c := doing("a.b", bus.Pure, ok)
		c.Version = tc.have
		b, _, _ := bustest.New(t, c)
		inv := call("a.b", `{}`)
		inv.MinVersion = tc.want
		if r := b.Invoke(t.Context(), inv); r.OK() == tc.refused {
			t.Errorf("%s asked for %s: %s", tc.have, tc.want, wire(t, r))
		}
	}
}

// holds: B1
func TestB1AnEndlessNameHasNothingNear(t *testing.T) {
	b, _, _ := bustest.New(t, add())
	r := b.Invoke(t.Context(), call("till.add"+strings.Repeat("d", 200), `{}`))
	wantError(t, r, bus.NotFound, bus.ReasonCapability)
	if strings.Contains(r.Err.Hint, "till.add") {
		t.Errorf("hint %q", r.Err.Hint)
	}
}
