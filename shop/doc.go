// Package shop is the order desk of a small shop: its tables, its rules and every capability that reads or changes
// them. It depends on the bus and the journal, and not on windows, models or files. The program passes those in as
// Ports.
//
//	b := bus.New(bus.Options{Journal: log, Conditions: shop.Conditions()})
//	b.MustRegister(shop.Capabilities(shop.Ports{OpenFile: open})...)
//
// The journal's file must have Migrations applied. Handlers are stateless: they read and write through the transaction
// in their context, so any number of calls may run at once, in any number of processes.
//
// Each area is a package. A package may use those before it in this list: internal/core, catalog, customer, cart,
// order, report, document, setup, transfer, tour. The packages staff, settings, outside and window are separate. This
// package registers all of them, defines Ports and answers questions that concern several areas.
//
// Money is an integer of minor units of the shop's only currency. A day is a day in the shop's time zone. No handler
// touches another customer's address, payment method or order.
package shop
