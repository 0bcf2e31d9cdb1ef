// Package shop is the order desk of a small shop: its tables, its rules and every capability that reads or changes
// them. It knows the bus and the journal and nothing of windows, models or files; what it needs from outside is handed
// to it as Ports.
//
//	b := bus.New(bus.Options{Journal: log, Conditions: shop.Conditions()})
//	b.MustRegister(shop.Capabilities(shop.Ports{OpenFile: open})...)
//
// The journal's file must have Migrations applied. A handler has no state of its own: it reads and writes through the
// transaction in its context, so any number of calls may run at once, in any number of processes.
//
// Each room is a package, and each may use those above it: internal/core, catalog, customer, cart, order, report,
// document, setup, transfer, tour; beside them staff, settings, outside and window. This package registers them, owns
// Ports and answers what spans rooms.
//
// Money is an integer of minor units of the shop's one currency, a day is a day in the shop's time zone, and nothing
// ever touches another customer's address, payment method or order.
package shop
