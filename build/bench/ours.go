package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// What is invoked everywhere: a line is put into a cart.
type lineIn struct {
	ProductID string `json:"productId"`
	Quantity  int    `json:"quantity" jsonschema:"minimum=1"`
}

type lineOut struct {
	CartTotal int `json:"cartTotal"`
	ItemCount int `json:"itemCount"`
}

const (
	arguments = `{"productId":"p1","quantity":2}`
	answer    = `{"cartTotal":4288,"itemCount":2}`
)

func add(in lineIn) lineOut { return lineOut{CartTotal: 2144 * in.Quantity, ItemCount: in.Quantity} }

// right says whether an answer is the one that all have to give.
func right(got []byte) error {
	if string(got) != answer {
		return fmt.Errorf("answered %s", got)
	}
	return nil
}

// line is the capability; what validates elsewhere does so by its schemas.
var line = bus.Define(bus.Capability{Name: "cart.addItem", Title: "Add", Description: "Adds.", SideEffect: bus.Pure,
	Permissions: []string{"cart:write"}},
	func(_ context.Context, _ *bus.Call, in lineIn) (lineOut, error) { return add(in), nil })

func contenders() ([]contender, error) {
	all := []contender{{"floor", "decode, call, encode", floor}}
	must, err := mandatory()
	if err != nil {
		return nil, err
	}
	all = append(all,
		contender{"mandatory work", "the floor and both validations by jsonschema/v6", must},
		contender{"**Deskhand's bus**", "both validations, permissions, conditions, ids, record handed over, events",
			ours(0)},
		contender{"**Deskhand's bus**, with a subscriber", "the same, events delivered", ours(1)})
	for _, peer := range []func() ([]contender, error){einoTool, watermillCommands, mcpGo, goSDK} {
		more, err := peer()
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

func floor() error {
	var in lineIn
	if err := json.Unmarshal([]byte(arguments), &in); err != nil {
		return err
	}
	out, err := json.Marshal(add(in))
	if err != nil {
		return err
	}
	return right(out)
}

// mandatory is what no bus can leave out that validates what it gets and gives.
func mandatory() (func() error, error) {
	in, err := compile(line.InputSchema)
	if err != nil {
		return nil, err
	}
	out, err := compile(line.OutputSchema)
	if err != nil {
		return nil, err
	}
	return func() error {
		if err := validate(in, []byte(arguments)); err != nil {
			return err
		}
		var typed lineIn
		if err := json.Unmarshal([]byte(arguments), &typed); err != nil {
			return err
		}
		data, err := json.Marshal(add(typed))
		if err != nil {
			return err
		}
		if err := validate(out, data); err != nil {
			return err
		}
		if _, err = json.Marshal(bus.Result{Status: "success", Data: data}); err != nil {
			return err
		}
		return right(data)
	}, nil
}

func validate(s *jsonschema.Schema, raw []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	return s.Validate(value)
}

func compile(raw json.RawMessage) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///s", doc); err != nil {
		return nil, err
	}
	return c.Compile("mem:///s")
}

// forgetful is a journal that keeps nothing: what is left is the bus itself.
type forgetful struct{ bustest.Journal }

func (*forgetful) View(ctx context.Context, run func(context.Context) error) error { return run(ctx) }
func (*forgetful) Record(context.Context, *bus.Entry) error                        { return nil }

func ours(listeners int) func() error {
	b := bus.New(bus.Options{Journal: &forgetful{}})
	b.MustRegister(line)
	for range listeners {
		sub := b.Subscribe()
		go func() {
			for {
				if _, err := sub.Next(context.Background()); err != nil {
					return
				}
			}
		}()
	}
	inv := bus.Invocation{Capability: "cart.addItem", Arguments: json.RawMessage(arguments),
		Caller:    bus.Caller{Type: bus.CallerUI},
		Principal: bus.Principal{ID: "p", Scopes: []string{"cart:write"}}}
	return func() error {
		r := b.Invoke(context.Background(), inv)
		if !r.OK() {
			return r.Err
		}
		if _, err := json.Marshal(r); err != nil {
			return err
		}
		return right(r.Data)
	}
}
