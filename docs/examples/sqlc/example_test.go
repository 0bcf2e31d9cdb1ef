package sqlc_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/docs/examples/sqlc/stock"
)

type part struct {
	Name  string `json:"name" jsonschema:"title=Part,minLength=1"`
	Count int64  `json:"count" jsonschema:"title=How many,minimum=1"`
}

// capabilities have no SQL: it is in query.sql.
func capabilities() []bus.Capability {
	writes := []string{"database:read", "database:write"}
	return []bus.Capability{
		bus.Define(bus.Capability{Name: "part.add", Title: "Add parts", Description: "Adds parts of a new name.",
			SideEffect: bus.UIOnly, Resources: writes, Reversible: true},
			func(ctx context.Context, _ *bus.Call, in part) (part, error) {
				return in, stock.New(audit.Tx(ctx)).AddPart(ctx, stock.AddPartParams(in))
			}),
		bus.Define(bus.Capability{Name: "part.take", Title: "Take parts", Description: "Takes parts out of the stock.",
			SideEffect: bus.UIOnly, Resources: writes, Reversible: true},
			func(ctx context.Context, _ *bus.Call, in part) (part, error) {
				left, err := stock.New(audit.Tx(ctx)).TakePart(ctx, stock.TakePartParams{Name: in.Name, Taken: in.Count})
				if err != nil {
					return part{}, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "There are not so many.").WithCause(err)
				}
				return part(left), nil
			}),
		bus.Define(bus.Capability{Name: "part.takeOneOfEach", Title: "Take one of each",
			Description: "Takes one of each part that is left.", SideEffect: bus.UIOnly, Resources: writes, Reversible: true},
			func(ctx context.Context, _ *bus.Call, _ struct{}) (map[string]int64, error) {
				taken, err := stock.New(audit.Tx(ctx)).TakeFromAll(ctx)
				left := map[string]int64{}
				for _, p := range taken {
					left[p.Name] = p.Count
				}
				return left, err
			}),
	}
}

func Example() {
	dir, err := os.MkdirTemp("", "parts")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	log, err := audit.Open(context.Background(), filepath.Join(dir, "parts.db"),
		audit.Options{Migrations: os.DirFS("migrations")})
	if err != nil {
		panic(err)
	}
	defer log.Close()
	b := bus.New(bus.Options{Journal: log})
	b.MustRegister(capabilities()...)
	for _, call := range []struct{ name, arguments string }{
		{"part.add", `{"name":"bolt","count":8}`},
		{"part.add", `{"name":"nut","count":1}`},
		{"part.take", `{"name":"bolt","count":3}`},
		{"part.take", `{"name":"bolt","count":9}`},
		{"part.takeOneOfEach", `{}`},
	} {
		r := b.Invoke(context.Background(), bus.Invocation{Capability: call.name, RequestID: call.name,
			Arguments: json.RawMessage(call.arguments), Caller: bus.Caller{Type: bus.CallerUI}})
		if r.OK() {
			fmt.Println(call.name, string(r.Data))
		} else {
			fmt.Println(call.name, r.Err.Message)
		}
	}
	page, err := log.Search(context.Background(), audit.Query{Capability: "part.takeOneOfEach"})
	if err != nil {
		panic(err)
	}
	for _, e := range page.Records[0].Effects {
		fmt.Println(e.Op, e.Table, e.Key, e.Before, e.After)
	}
	// Output:
	// part.add {"name":"bolt","count":8}
	// part.add {"name":"nut","count":1}
	// part.take {"name":"bolt","count":5}
	// part.take There are not so many.
	// part.takeOneOfEach {"bolt":4,"nut":0}
	// update parts map[name:bolt] map[count:5] map[count:4]
	// update parts map[name:nut] map[count:1] map[count:0]
}
