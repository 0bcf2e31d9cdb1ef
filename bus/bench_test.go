package bus_test

import (
	"bytes"
	"context"
	"encoding/json"
	"runtime"
	"slices"
	"testing"
	"time"

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
	return bus.Define(bus.Capability{Name: "cart.addItem", Title: "Add", Description: "Add.", SideEffect: bus.Pure,
		Permissions: []string{"cart:write"}},
		func(_ context.Context, _ *bus.Call, in lineIn) (lineOut, error) {
			return lineOut{CartTotal: 2144 * in.Quantity, ItemCount: in.Quantity}, nil
		})
}

const lineArgs = `{"productId":"p1","quantity":2}`

// BenchmarkInvoke measures one invocation, JSON to JSON, beside its floor
// (decode, call, encode) and the work no bus can leave out (the same with both
// validations by jsonschema/v6).
func BenchmarkInvoke(b *testing.B) {
	for _, way := range []struct {
		name string
		do   func() error
	}{{"floor", floor}, {"mandatory", mandatory(b)}, {"bus", invoked(b, 0)}, {"bus with a subscriber", invoked(b, 1)}} {
		b.Run(way.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := way.do(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkInvokeOverMandatory gives the ratio itself: the median of rounds in which the two take turns, so that a
// noisy machine disturbs both. On one processor Go has no idle one to wake for the handler's goroutine.
func BenchmarkInvokeOverMandatory(b *testing.B) {
	b.Run("all processors", overMandatory)
	b.Run("one processor", func(b *testing.B) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		overMandatory(b)
	})
}

func overMandatory(b *testing.B) {
	const round = 1000
	must, whole := mandatory(b), invoked(b, 1)
	spent := func(do func() error) float64 {
		started := time.Now()
		for range round {
			if err := do(); err != nil {
				b.Fatal(err)
			}
		}
		return float64(time.Since(started))
	}
	var ratios []float64
	for b.Loop() {
		base := spent(must)
		ratios = append(ratios, spent(whole)/base)
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "x-mandatory")
}

func floor() error {
	var in lineIn
	if err := json.Unmarshal([]byte(lineArgs), &in); err != nil {
		return err
	}
	_, err := json.Marshal(lineOut{2144 * in.Quantity, in.Quantity})
	return err
}

func mandatory(b *testing.B) func() error {
	x := bus.New(bus.Options{Journal: &discard{}})
	x.MustRegister(line())
	m, err := x.Manifest(context.Background(), bus.View{All: true})
	if err != nil {
		b.Fatal(err)
	}
	at := slices.IndexFunc(m.Capabilities, func(e bus.ManifestEntry) bool { return e.Name == "cart.addItem" })
	in, out := compile(b, m.Capabilities[at].InputSchema), compile(b, m.Capabilities[at].OutputSchema)
	return func() error {
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
		return err
	}
}

func invoked(b *testing.B, subscribers int) func() error {
	x := bus.New(bus.Options{Journal: &discard{}})
	x.MustRegister(line())
	for range subscribers {
		sub := x.Subscribe()
		b.Cleanup(sub.Close)
		go func() {
			for {
				if _, err := sub.Next(context.Background()); err != nil {
					return
				}
			}
		}()
	}
	inv := bus.Invocation{Capability: "cart.addItem", Arguments: json.RawMessage(lineArgs),
		Caller:    bus.Caller{Type: bus.CallerUI},
		Principal: bus.Principal{ID: "p", Scopes: []string{"cart:write"}}}
	return func() error {
		r := x.Invoke(context.Background(), inv)
		if !r.OK() {
			return r.Err
		}
		_, err := json.Marshal(r)
		return err
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
