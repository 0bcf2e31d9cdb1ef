package sample

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// The volume of trade over the year and the week, in percent of an ordinary day. The holidays are the main season,
// summer is slow, and Sunday has few orders.
var (
	months   = [13]int{0, 90, 90, 95, 95, 90, 80, 75, 80, 100, 115, 150, 190}
	weekdays = [7]int{40, 120, 110, 100, 100, 120, 90}
)

// tradePercent is the trade of an ordinary day: 115 % of one order.
const tradePercent = 115

var (
	giftMessages = []string{"Happy birthday! See you on the pier.", "Merry Christmas from all of us.",
		"Thank you for watering the plants.", "Congratulations on the new kitchen!"}
	notes = []string{"Please ring twice.", "Grind for a flat-bottomed filter.",
		"Leave it with the neighbour at number 14.", "Called to ask about the roast date: this Thursday.",
		"Invoice to the office, parcel to the kitchen."}
	cancelled = []string{"no longer needed", "ordered by mistake", "other"}
)

func orders(r *dice, s *Shop, now time.Time) []Order {
	zone, err := time.LoadLocation(s.TimeZone)
	if err != nil {
		zone = time.UTC // fallback for a machine without time zones
	}
	g := &trade{dice: r, shop: s, now: now, zone: zone, taken: map[string]bool{}}
	for g.coffees < len(s.Products) && s.Products[g.coffees].Kind == kindCoffee {
		g.coffees++
	}
	today := now.In(zone)
	for ago := 364; ago >= 0; ago-- {
		day := time.Date(today.Year(), today.Month(), today.Day()-ago, 0, 0, 0, 0, zone)
		weight := tradePercent * months[day.Month()] * weekdays[day.Weekday()] / 100
		for n := (weight + r.roll(10_000)) / 10_000; n > 0; n-- {
			g.random(day)
		}
	}
	g.anasOwn(today)
	slices.SortStableFunc(g.orders, func(a, b Order) int {
		return cmp.Compare(a.Placed.UnixMilli(),
			b.Placed.UnixMilli())
	})
	g.awkward()
	return g.orders
}

type trade struct {
	*dice
	shop    *Shop
	now     time.Time
	zone    *time.Location
	taken   map[string]bool
	coffees int // number of coffees, the first of the products
	orders  []Order
}

// random adds an order on a day by any customer except Ana Ruiz, whose orders anasOwn adds.
func (g *trade) random(day time.Time) {
	c := 1 + g.roll(len(g.shop.Customers)-1)
	o := Order{Customer: c, Placed: day.Add(time.Duration(8*60+g.roll(11*60)) * time.Minute), By: []string{"idris_bello",
		"june_park", "tomas_okafor"}[g.roll(3)]}
	buyer := g.shop.Customers[c]
	if len(buyer.Addresses) > 1 && g.chance(25) {
		o.Address = 1
	}
	if len(buyer.Methods) > 1 && g.chance(30) && buyer.Methods[1].Kind != "giftCard" {
		o.Method = 1
	}
	switch {
	case g.chance(12):
		o.Shipping = 1
	case buyer.Addresses[0].Region == "ME" && g.chance(20):
		o.Shipping = 2
	}
	if g.chance(7) {
		o.Percent, o.DiscountReason = 10, "Loyal customer"
	}
	if g.chance(5) {
		o.GiftMessage = giftMessages[g.roll(len(giftMessages))]
	}
	if g.chance(8) {
		o.Note, o.Noted = notes[g.roll(len(notes))], o.Placed.Add(time.Minute)
	}
	o.Lines = g.lines()
	g.finish(o, g.chance(6))
}

// lines selects random items: mostly coffee, mostly one of each.
func (g *trade) lines() []Line {
	var all []Line
	for n := 1 + g.roll(100)*g.roll(100)/3000; n > 0; n-- {
		p := g.roll(g.coffees)
		if g.chance(30) {
			p = g.coffees + g.roll(len(g.shop.Products)-g.coffees)
		}
		product := g.shop.Products[p]
		v := g.roll(len(product.Variants))
		if product.Default >= 0 && g.chance(55) {
			v = product.Default
		}
		again := slices.ContainsFunc(all, func(l Line) bool { return l.Product == p })
		if product.Variants[v].Withdrawn || again {
			v, p = 0, g.coffees-1 // the house blend is always available
			if slices.ContainsFunc(all, func(l Line) bool { return l.Product == p }) {
				continue
			}
		}
		all = append(all, Line{p, v, int64(1 + g.roll(10)*g.roll(10)/35)})
	}
	return all
}

// anasOwn adds the orders of Ana Ruiz: four delivered ones and one in transit.
func (g *trade) anasOwn(today time.Time) {
	for _, past := range []struct {
		ago, hour int
		lines     []Line
	}{
		{311, 10, []Line{{1, 0, 1}, {g.coffees, 0, 1}}},
		{187, 15, []Line{{0, 0, 1}, {21, 0, 1}}},
		{96, 11, []Line{{6, 0, 2}}},
		{33, 9, []Line{{0, 0, 2}, {g.coffees + 3, 1, 1}}},
		{1, 8, []Line{{3, 0, 1}, {24, 1, 1}}},
	} {
		day := time.Date(today.Year(), today.Month(), today.Day()-past.ago, past.hour, 24, 0, 0, g.zone)
		g.finish(Order{Customer: 0, Placed: day, By: "june_park", Lines: past.lines}, false)
	}
}

// awkward adds problems to orders at least 50 days old: a damaged parcel that was returned, and an angry customer.
func (g *trade) awkward() {
	troubles := []string{"The parcel was crushed on the way: the bags were open. Photos are in the mail. We take it back.",
		"ANGRY: second time the wrong grind. Wants a call from Mara herself, today, and no voucher."}
	for i := len(g.orders) - 1; i >= 0 && len(troubles) > 0; i-- {
		o := &g.orders[i]
		if o.Status != "delivered" || o.Customer == 0 || o.Note != "" || o.Placed.After(g.now.AddDate(0, 0, -50)) {
			continue
		}
		o.Note, o.Noted = troubles[0], o.Delivered.Add(3*time.Hour)
		if len(troubles) == 2 {
			o.Back = Back{Asked: o.Noted, Received: o.Noted.AddDate(0, 0, 4), Reason: "faulty"}
		}
		troubles = troubles[1:]
	}
}

// finish gives an order its number and its current state.
func (g *trade) finish(o Order, cancel bool) {
	if !o.Placed.Before(g.now) || len(o.Lines) == 0 {
		return
	}
	for o.ID == "" || g.taken[o.ID] {
		o.ID = fmt.Sprintf("#W%07d", g.roll(10_000_000))
	}
	g.taken[o.ID] = true
	o.Status = "pending"
	if cancelled3h := o.Placed.Add(3*time.Hour + 12*time.Minute); cancel && cancelled3h.Before(g.now) {
		o.Status, o.Cancelled, o.CancelReason = "cancelled", cancelled3h, cancelled[g.roll(len(cancelled))]
		g.orders = append(g.orders, o)
		return
	}
	packed := o.Placed.Add(44 * time.Hour)
	arrived := packed.Add(time.Duration(1+g.shop.Shipping[o.Shipping].Days) * 26 * time.Hour)
	if packed.Before(g.now) {
		o.Status, o.Processed = "processed", packed
		o.Tracking = fmt.Sprintf("NLC%09d", g.roll(1_000_000_000))
	}
	if arrived.Before(g.now) {
		o.Status, o.Delivered = "delivered", arrived
	}
	g.orders = append(g.orders, o)
}
