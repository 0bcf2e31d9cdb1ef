package remote_test

import (
	"context"
	"fmt"
	"net"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/remote"
)

// A label printer in a program of its own becomes capabilities of the desk's bus.
func Example() {
	ctx := context.Background()
	type label struct {
		Text string `json:"text"`
	}
	printer := bus.New(bus.Options{Journal: &bustest.Journal{}, Name: "printer", Version: "1.0.0"})
	printer.MustRegister(bus.Define(bus.Capability{Name: "label.print", Title: "Print a label",
		Description: "Print a label on the printer of the stockroom.", SideEffect: bus.UIOnly},
		func(_ context.Context, _ *bus.Call, in label) (struct{}, error) {
			fmt.Println("printed:", in.Text)
			return struct{}{}, nil
		}))

	here, there := net.Pipe() // or the pipes of a child process
	view := bus.View{Caller: bus.CallerCLI, Principal: bus.Principal{ID: "desk", Scopes: []string{"*"}}}
	go func() { _ = remote.Serve(ctx, there, printer, view) }()

	link, err := remote.Open(ctx, here, remote.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer link.Close()
	desk := bus.New(bus.Options{Journal: &bustest.Journal{}, Name: "desk", Version: "1.0.0"})
	desk.MustRegister(remote.Mount(link.Manifest(), link.Invoke)...)
	r := desk.Invoke(ctx, bus.Invocation{Capability: "label.print", Arguments: []byte(`{"text":"#W1001"}`),
		Caller: bus.Caller{Type: bus.CallerUI}, Principal: bus.Principal{ID: "kim"}})
	fmt.Println(r.Status)
	// Output:
	// printed: #W1001
	// success
}
