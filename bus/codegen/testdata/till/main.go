// The program till uses the generated client against a bus in its own process.
// With the argument "manifest" it prints what the client is generated from.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/codegen/testdata/till/client"
)

type coin struct {
	Kind string `json:"kind" jsonschema:"enum=gold,enum=tin"`
	N    int    `json:"n" jsonschema:"minimum=1"`
}

type addIn struct {
	Coins []coin `json:"coins" jsonschema:"minItems=1"`
	Note  string `json:"note,omitempty" jsonschema_description:"Why they came."`
}

type addOut struct {
	Total int     `json:"total"`
	Gold  float64 `json:"gold"`
	Last  *coin   `json:"last,omitempty"`
}

func till() *bus.Bus {
	o, _, _ := bustest.Options()
	o.Name, o.Version = "till", "1.0.0"
	b := bus.New(o)
	b.MustRegister(
		bus.Define(bus.Capability{Name: "till.add", Title: "Add coins", Description: "Adds coins to the till.", SideEffect: bus.UIOnly, Resources: []string{"database:write"}},
			func(ctx context.Context, _ *bus.Call, in addIn) (out addOut, err error) {
				if row := bustest.Tables(ctx).Get("till", "main"); row != nil {
					out.Total = row["total"].(int)
				}
				gold := 0
				for _, c := range in.Coins {
					out.Total += c.N
					out.Last = &c
					if c.Kind == "gold" {
						gold += c.N
					}
				}
				out.Gold = float64(gold) / float64(out.Total)
				return out, bustest.Tables(ctx).Set("till", "main", map[string]any{"total": out.Total})
			}),
		bus.Define(bus.Capability{Name: "till.count", Title: "Count", Description: "Counts the till.", SideEffect: bus.Pure},
			func(ctx context.Context, _ *bus.Call, _ struct{}) (addOut, error) {
				row := bustest.Tables(ctx).Get("till", "main")
				return addOut{Total: row["total"].(int)}, nil
			}),
	)
	return b
}

// over makes the client's one function of a bus.
func over(b *bus.Bus) func(context.Context, string, string, any, any) error {
	return func(ctx context.Context, capability, version string, request, response any) error {
		args, err := json.Marshal(request)
		if err != nil {
			return err
		}
		r := b.Invoke(ctx, bus.Invocation{Capability: capability, Arguments: args, MinVersion: version, Caller: bus.Caller{Type: bus.CallerCLI, Source: "till"}})
		if r.Err != nil {
			return r.Err
		}
		return json.Unmarshal(r.Data, response)
	}
}

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	b := till()
	if len(args) == 1 && args[0] == "manifest" {
		raw, err := b.AppendManifest(ctx, nil, bus.View{All: true})
		fmt.Println(string(raw))
		return err
	}
	var c client.Capabilities = client.Client{Invoke: over(b)}
	note := "birthday"
	added, err := c.TillAdd(ctx, client.TillAddRequest{Coins: []client.TillAddRequestCoinsItem{{Kind: "gold", N: 1}, {Kind: "tin", N: 3}}, Note: &note})
	if err != nil {
		return err
	}
	counted, err := c.TillCount(ctx, client.TillCountRequest{})
	if err != nil {
		return err
	}
	fmt.Printf("%d coins, %.0f%% gold, last %s; counted %d\n", added.Total, 100*added.Gold, added.Last.Kind, counted.Total)
	_, err = c.TillAdd(ctx, client.TillAddRequest{Coins: []client.TillAddRequestCoinsItem{{Kind: "paper", N: 1}}})
	var e *bus.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("paper is taken for coins: %w", err)
	}
	fmt.Println(e.Code, e.Violations[0].Path)
	return nil
}
