package bus_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// discard is a journal that keeps nothing: what is left is the bus itself.
type discard struct{ bustest.Journal }

func (*discard) View(ctx context.Context, run func(context.Context) error) error { return run(ctx) }
func (*discard) Record(context.Context, *bus.Entry) error                        { return nil }

type lineIn struct {
	ProductID string `json:"productId"`
	Quantity  int    `json:"quantity" jsonschema:"minimum=1"`
}

type lineOut struct {
	CartTotal int `json:"cartTotal"`
	ItemCount int `json:"itemCount"`
}

func line() bus.Capability {
	return bus.Define(bus.Capability{Name: "cart.addItem", Title: "Add", Description: "Add.", SideEffect: bus.Pure, Permissions: []string{"cart:write"}},
		func(_ context.Context, _ *bus.Call, in lineIn) (lineOut, error) {
			return lineOut{CartTotal: 2144 * in.Quantity, ItemCount: in.Quantity}, nil
		})
}

const lineArgs = `{"productId":"p1","quantity":2}`

// BenchmarkInvoke measures one invocation, JSON to JSON, beside its floor
// (decode, call, encode) and the work no bus can leave out (the same with both
// validations).
func BenchmarkInvoke(b *testing.B) {
	b.Run("floor", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var in lineIn
			if err := json.Unmarshal([]byte(lineArgs), &in); err != nil {
				b.Fatal(err)
			}
			if _, err := json.Marshal(lineOut{2144 * in.Quantity, in.Quantity}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("mandatory", func(b *testing.B) {
		c := line()
		in, out := compile(b, c.InputSchema), compile(b, c.OutputSchema)
		b.ReportAllocs()
		for b.Loop() {
			args, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(lineArgs)))
			if err == nil {
				err = in.Validate(args)
			}
			var typed lineIn
			if err == nil {
				err = json.Unmarshal([]byte(lineArgs), &typed)
			}
			var data []byte
			if err == nil {
				data, err = json.Marshal(lineOut{2144 * typed.Quantity, typed.Quantity})
			}
			var value any
			if err == nil {
				value, err = jsonschema.UnmarshalJSON(bytes.NewReader(data))
			}
			if err == nil {
				err = out.Validate(value)
			}
			if err == nil {
				_, err = json.Marshal(bus.Result{Status: "success", Data: data})
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, subscribers := range []int{0, 1} {
		b.Run(map[int]string{0: "bus", 1: "bus with a subscriber"}[subscribers], func(b *testing.B) {
			x := bus.New(bus.Options{Journal: &discard{}})
			x.MustRegister(line())
			for range subscribers {
				sub := x.Subscribe()
				defer sub.Close()
				go func() {
					for {
						if _, err := sub.Next(context.Background()); err != nil {
							return
						}
					}
				}()
			}
			inv := bus.Invocation{Capability: "cart.addItem", Arguments: json.RawMessage(lineArgs), Caller: bus.Caller{Type: bus.CallerUI},
				Principal: bus.Principal{Person: "p", Scopes: []string{"cart:write"}}}
			b.ReportAllocs()
			for b.Loop() {
				r := x.Invoke(context.Background(), inv)
				if _, err := json.Marshal(r); err != nil || !r.OK() {
					b.Fatal(err, r.Err)
				}
			}
		})
	}
}

func compile(b *testing.B, raw json.RawMessage) *jsonschema.Schema {
	b.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		b.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///s", doc); err != nil {
		b.Fatal(err)
	}
	s, err := c.Compile("mem:///s")
	if err != nil {
		b.Fatal(err)
	}
	return s
}
