package natsbus_test

import (
	"context"
	"fmt"
	"io"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/remote"
	"github.com/deskhand/deskhand/bus/remote/natsbus"
)

// A label printer at a NATS server becomes capabilities of the desk's bus.
func Example() {
	ctx := context.Background()
	engine, err := server.NewServer(&server.Options{DontListen: true, NoSigs: true}) // or one that others run
	if err != nil {
		fmt.Println(err)
		return
	}
	engine.Start()
	defer engine.Shutdown()

	// The printer's program registers a service.
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
	there, err := nats.Connect("", nats.InProcessServer(engine))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer there.Close()
	listener, err := natsbus.Listen(there, natsbus.Service{Name: "printer", Version: "1.0.0"},
		func(ctx context.Context, client string, conn io.ReadWriteCloser) {
			fmt.Println("linked:", client)
			view := bus.View{Caller: bus.CallerCLI, Principal: bus.Principal{ID: client, Scopes: []string{"*"}}}
			_ = remote.Serve(ctx, conn, printer, view)
		})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer listener.Close()

	// The desk's program opens a link and mounts what is served.
	here, err := nats.Connect("", nats.InProcessServer(engine))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer here.Close()
	conn, err := natsbus.Dial(ctx, here, "printer", "desk-1")
	if err != nil {
		fmt.Println(err)
		return
	}
	link, err := remote.Open(ctx, conn, remote.Options{})
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
	// linked: desk-1
	// printed: #W1001
	// success
}
