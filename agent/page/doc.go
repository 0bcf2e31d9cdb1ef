// Package page connects an application's page with its bus and its assistant. The page runs in a web view or reaches
// the program over another carrier of JSON texts. The page kit calls the methods of [Boundary] and receives three
// streams of events: "bus", "chat" and "approval".
//
//	p := &page.Boundary{Context: ctx, Emit: emit, Reach: func() (*page.Desk, error) { return desk, nil }}
//	rules := policy.New(policy.Options{Log: log, OnCard: page.Cards(p)})
//	go page.Follow(ctx, desk.Bus, func(e bus.Event) { p.Emit("bus", e) })
//
// All methods are safe for concurrent use.
package page
