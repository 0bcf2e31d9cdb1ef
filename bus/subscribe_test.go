package bus_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
)

// heard closes a subscription and returns what it heard, in few words.
func heard(t *testing.T, s *bus.Subscription) (all []string) {
	t.Helper()
	s.Close()
	for {
		e, err := s.Next(t.Context())
		if errors.Is(err, io.EOF) {
			return all
		}
		all = append(all, string(e.Type)+" "+e.Capability+e.Domain+e.Message)
	}
}

// holds: E2
func TestE2AViewerHearsWhatTheyMayKnow(t *testing.T) {
	say := doing("pad.say", bus.UIOnly, func(_ context.Context, c *bus.Call) (json.RawMessage, error) {
		c.Progress(50, "half")
		c.Notify(bus.LevelInfo, "for the clerk")
		c.Changed("pad", "it changed", "p1")
		c.Changed("secret", "it changed too", "s1")
		return nil, nil
	})
	say.Changes = []string{"pad", "secret"}
	say.Permissions = []string{"pad:write"}
	hidden := doing("secret.keep", bus.UIOnly, ok)
	hidden.Permissions = []string{"secret:write"}
	b, _, _ := bustest.New(t, say, hidden)
	inv := call("pad.say", `{}`)
	inv.Principal = bus.Principal{ID: "clerk", Scopes: []string{"pad:write", "secret:write"}}
	all := []string{"progress half", "invocation pad.say", "notification for the clerk", "stateChange pad",
		"stateChange secret", "invocation none"}
	views := map[string]struct {
		view bus.View
		want []string
	}{
		"whose call it is": {bus.View{Principal: bus.Principal{ID: "clerk"}}, all},
		"everything":       {bus.View{All: true}, all},
		"a colleague": {bus.View{Principal: bus.Principal{ID: "other", Scopes: []string{"pad:write"}}},
			[]string{"invocation pad.say", "stateChange pad"}},
		"somebody without rights": {bus.View{Principal: bus.Principal{ID: "guest"}}, nil},
		"nobody":                  {bus.View{}, nil},
	}
	subs := map[string]*bus.Subscription{}
	for who, v := range views {
		subs[who] = b.SubscribeAs(v.view)
	}
	b.Invoke(t.Context(), inv)
	inv.Capability = "none"
	b.Invoke(t.Context(), inv)
	for who, v := range views {
		if d := cmp.Diff(v.want, heard(t, subs[who])); d != "" {
			t.Errorf("%s hears (-want +got):\n%s", who, d)
		}
	}
}

func TestACallWithGoValues(t *testing.T) {
	b, _, _ := bustest.New(t, add())
	inv := call("till.add", "")
	out, err := bus.Invoke[addOut](t.Context(), b, inv, addIn{Coins: 3, Times: 1})
	if err != nil || out.Total != 3 {
		t.Errorf("%+v, %v", out, err)
	}
	inv.Arguments = json.RawMessage(`{"coins":2}`)
	if out, err = bus.Invoke[addOut](t.Context(), b, inv, nil); err != nil || out.Total != 5 {
		t.Errorf("with arguments of its own: %+v, %v", out, err)
	}
	_, err = bus.Invoke[addOut](t.Context(), b, inv, map[string]any{"coins": "many"})
	if e, is := errors.AsType[*bus.Error](err); !is || e.Code != bus.Validation {
		t.Errorf("%v", err)
	}
	if _, err = bus.Invoke[addOut](t.Context(), b, inv, func() {}); err == nil {
		t.Error("a function became arguments")
	}
	r := b.Invoke(t.Context(), inv)
	if err := r.Error(); err != nil {
		t.Errorf("the error of a success is %v", err)
	}
	var text string
	if err := r.Decode(&text); err == nil {
		t.Error("an object was decoded into a string")
	}
}

func TestACheckReadsItsArguments(t *testing.T) {
	c := add()
	c.Checks.Limit = bus.Check(func(_ context.Context, _ *bus.Call, in addIn) error {
		if in.Coins > 5 {
			return bus.Errorf(bus.Forbidden, bus.ReasonLimit, "At most 5.")
		}
		return nil
	})
	b, _, _ := bustest.New(t, c)
	wantOK(t, b.Invoke(t.Context(), call("till.add", `{"coins":5}`)))
	wantError(t, b.Invoke(t.Context(), call("till.add", `{"coins":6}`)), bus.Forbidden, bus.ReasonLimit)
}
