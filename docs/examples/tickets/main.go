// Tickets is the queue of a help desk, in a window of its own: the page is made of the page kit.
package main

import (
	"cmp"
	"context"
	"embed"
	"log"
	"os"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/page"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	auditlog "github.com/deskhand/deskhand/audit/capabilities"
	"github.com/deskhand/deskhand/bus"
	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

var (
	//go:embed *.sql all:frontend/dist
	files embed.FS
	//go:embed texts.txt
	texts string // titles, descriptions and phrases of the capabilities

	you = bus.Principal{ID: "kim", Name: "Kim", Scopes: []string{"*"}, Door: "window"} // sits at the window
)

// App is what the page can call.
type App struct{ *page.Boundary }

func main() {
	journal, err := audit.Open(context.Background(), cmp.Or(os.Getenv("TICKETS"), "tickets.db"),
		audit.Options{Migrations: files, Modules: agent.Modules(), Turn: agent.TurnCapability})
	if err != nil {
		log.Fatal(err)
	}
	defer journal.Close()
	p, store := &page.Boundary{Context: context.Background(), Emit: func(string, any) {}}, agent.NewStore(journal)
	rules := policy.New(policy.Options{Log: journal, OnCard: page.Cards(p)})
	b := bus.New(bus.Options{Journal: journal, Approver: rules, Name: "Tickets", Version: "1.0.0"})
	bridge := agent.New(agent.Options{Bus: b, Policy: rules, Store: store,
		Model: func() model.Model { return builtin.New(nil, nil, nil) }})
	defer bridge.Close()
	b.MustRegister(append(capabilities(), audit.UndoCapability(journal))...)
	b.MustRegister(auditlog.New(journal, auditlog.Options{})...)
	b.MustRegister(agent.Capabilities(agent.CapabilityOptions{Store: store, Status: bridge.Status,
		Thread: bridge.Thread})...)
	desk := &page.Desk{Bus: b, Bridge: bridge, Policy: rules, Who: func(context.Context) bus.Principal { return you }}
	p.Reach = func() (*page.Desk, error) { return desk, nil }
	if err := wails.Run(&options.App{Title: "Tickets", Width: 1200, Height: 800, Bind: []any{&App{p}},
		AssetServer: &assetserver.Options{Assets: files}, OnStartup: func(window context.Context) {
			p.Emit = page.Numbered(func(name, text string, n int64) { runtime.EventsEmit(window, name, text, n) })
			go page.Follow(window, b, func(e bus.Event) { p.Emit("bus", e) })
		}}); err != nil {
		log.Print(err)
	}
}
