package settings

import (
	"context"
	"fmt"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type taxClassIn struct {
	ID      string `json:"id" jsonschema:"pattern=^[a-z0-9_-]{1\\,40}$" doc:"Products refer to it."`
	Name    string `json:"name" jsonschema:"minLength=1,maxLength=80"`
	RatePPM int64  `json:"ratePpm" jsonschema:"minimum=0,maximum=1000000" doc:"Parts per million: 80000 is 8 %."`
}

type shippingMethodIn struct {
	ID    string       `json:"id" jsonschema:"pattern=^[a-z0-9_-]{1\\,40}$"`
	Name  string       `json:"name" jsonschema:"minLength=1,maxLength=80"`
	Price core.PriceIn `json:"price"`
	Days  int64        `json:"days" jsonschema:"minimum=0,maximum=365" doc:"Business days until delivery."`

	TaxClassID string `json:"taxClassId,omitempty" jsonschema:"maxLength=40" doc:"Absent: as the goods; none: not taxed."`
}

func setShop(ctx context.Context, call *bus.Call, _ Secrets, s *core.Shop, v settingsValues) (bus.Text, error) {
	next := *s
	if v.Name != nil {
		if next.Name = text.Line(*v.Name, core.NameLimit); next.Name == "" {
			return bus.Text{}, core.Invalid("/values/name", "A shop has a name.")
		}
	}
	set(&next.Country, v.Country)
	set(&next.Currency, v.Currency)
	set(&next.TimeZone, v.TimeZone)
	if err := core.CheckPlace("/values", next.Country, next.Currency, next.TimeZone); err != nil {
		return bus.Text{}, err
	}
	if v.Locale != nil {
		var err error
		if next.Locale, err = core.LocaleOf(*v.Locale); err != nil {
			return bus.Text{}, core.Invalid("/values/locale", "There is no locale %q.", *v.Locale).
				WithHint("Use a language and a region, for example en-US, de-DE or ja-JP.")
		}
	}
	set(&next.PricesIncludeTax, v.PricesIncludeTax)
	setProfile(&next.Profile, v)
	if next.Currency != s.Currency {
		next.CashStep = 1
		if err := mayChangeCurrency(ctx); err != nil {
			return bus.Text{}, err
		}
		call.Notify("warning", "The currency is %s now: look at the shipping prices and at what a clerk may refund.",
			next.Currency)
	}
	if v.CashStep != nil {
		if err := next.CheckCurrency(*v.CashStep, "/values/cashStep"); err != nil {
			return bus.Text{}, err
		}
		if next.CashStep = max(v.CashStep.Amount, 1); next.CashStep > 100_000 {
			return bus.Text{}, core.Invalid("/values/cashStep/amount", "No coin is %s.", next.Money(next.CashStep))
		}
	}
	return bus.Textf("Change the settings of %s", next.Name),
		core.Exec(ctx, `UPDATE shop SET name = ?, currency = ?, time_zone = ?, locale = ?, prices_include_tax = ?,
			country = ?, address = ?, phone = ?, email = ?, tax_number = ?, footer = ?, cash_step = ?`,
			next.Name, next.Currency, next.TimeZone, next.Locale, core.Bit(next.PricesIncludeTax), next.Country, next.Address,
			next.Phone, next.Email, next.TaxNumber, next.Footer, next.CashStep)
}

// setProfile copies the given details of the shop for receipts.
func setProfile(p *core.Profile, v settingsValues) {
	for _, f := range []struct {
		to    *string
		given *string
		clean func(string, int) string
		most  int
	}{
		{&p.Address, v.Address, text.Block, 400}, {&p.Phone, v.Phone, text.Line, 60}, {&p.Email, v.Email, text.Line, 200},
		{&p.TaxNumber, v.TaxNumber, text.Line, 60}, {&p.Footer, v.Footer, text.Block, 1000},
	} {
		if f.given != nil {
			*f.to = f.clean(*f.given, f.most)
		}
	}
}

// mayChangeCurrency refuses another currency once amounts exist, because they would become wrong.
func mayChangeCurrency(ctx context.Context) error {
	return core.Need(ctx, core.Refused("There are amounts in this shop already; they would be in the wrong currency.").
		WithHint("Begin a new shop, and set its currency first."),
		`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM variants) AND NOT EXISTS (SELECT 1 FROM orders)
			AND NOT EXISTS (SELECT 1 FROM payment_methods WHERE balance IS NOT NULL)`)
}

func setLimits(ctx context.Context, _ *bus.Call, _ Secrets, s *core.Shop, v settingsValues) (bus.Text, error) {
	discount, refund := s.DiscountLimit, s.RefundLimit
	set(&discount, v.DiscountPercent)
	if v.Refund != nil {
		if err := s.CheckCurrency(*v.Refund, "/values/refund"); err != nil {
			return bus.Text{}, err
		}
		refund = v.Refund.Amount
	}
	return bus.Textf("Let a clerk take off up to %d %% and refund up to %s", discount, s.Money(refund)),
		core.Exec(ctx, `UPDATE shop SET discount_limit = ?, refund_limit = ?`, discount, refund)
}

// setTax replaces the tax classes. It refuses to remove a class with products.
func setTax(ctx context.Context, _ *bus.Call, _ Secrets, _ *core.Shop, v settingsValues) (bus.Text, error) {
	var ids []string
	for i, c := range v.Classes {
		path := fmt.Sprintf("/values/classes/%d", i)
		name := text.Line(c.Name, core.NameLimit)
		if err := distinct(ids, c.ID, name, path); err != nil {
			return bus.Text{}, err
		}
		ids = append(ids, c.ID)
		if err := core.Exec(ctx, `INSERT INTO tax_classes (id, name, rate_ppm) VALUES (?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET name = excluded.name, rate_ppm = excluded.rate_ppm`, c.ID, name,
			c.RatePPM); err != nil {
			return bus.Text{}, err
		}
	}
	keep := core.JSONList(ids)
	used, found, err := core.Find(ctx, core.ScanText, `SELECT tax_class || ', of ' || name FROM (
		SELECT tax_class, name, name_fold FROM products UNION ALL SELECT tax_class, name, '' FROM shipping_methods
			WHERE tax_class NOT IN ('', ?2))
		WHERE tax_class NOT IN (SELECT value FROM json_each(?1)) ORDER BY name_fold LIMIT 1`, keep, core.Untaxed)
	if err != nil {
		return bus.Text{}, err
	}
	if found {
		return bus.Text{}, core.Refused("A tax class that is missing is in use: %s.", used).
			WithHint("Keep it in the list, or give its products another one with catalog.updateProduct; " +
				"of shipping it is the taxClassId of the method.")
	}
	return bus.Textf("Set %d tax classes", len(ids)),
		core.Exec(ctx, `DELETE FROM tax_classes WHERE id NOT IN (SELECT value FROM json_each(?))`, keep)
}

// setShipping replaces the shipping methods. A cart whose method was removed uses the first one.
func setShipping(ctx context.Context, _ *bus.Call, _ Secrets, s *core.Shop, v settingsValues) (bus.Text, error) {
	var ids []string
	for i, m := range v.Methods {
		path := fmt.Sprintf("/values/methods/%d", i)
		name := text.Line(m.Name, core.NameLimit)
		if err := distinct(ids, m.ID, name, path); err != nil {
			return bus.Text{}, err
		}
		if err := s.CheckCurrency(m.Price, path+"/price"); err != nil {
			return bus.Text{}, err
		}
		ids = append(ids, m.ID)
		if err := hasTaxClass(ctx, m.TaxClassID, path); err != nil {
			return bus.Text{}, err
		}
		if err := core.Exec(ctx, `INSERT INTO shipping_methods (id, name, price, days, position, tax_class)
			VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name, price = excluded.price,
			days = excluded.days, position = excluded.position, tax_class = excluded.tax_class`,
			m.ID, name, m.Price.Amount, m.Days, i, m.TaxClassID); err != nil {
			return bus.Text{}, err
		}
	}
	keep := core.JSONList(ids)
	if err := core.Exec(ctx, `UPDATE carts SET shipping_method = '' WHERE status <> 'submitted' AND shipping_method <> ''
		AND shipping_method NOT IN (SELECT value FROM json_each(?))`, keep); err != nil {
		return bus.Text{}, err
	}
	return bus.Textf("Set %d shipping methods", len(ids)),
		core.Exec(ctx, `DELETE FROM shipping_methods WHERE id NOT IN (SELECT value FROM json_each(?))`, keep)
}

// hasTaxClass refuses a tax class for shipping that the shop does not have.
func hasTaxClass(ctx context.Context, id, path string) error {
	if id == "" || id == core.Untaxed {
		return nil
	}
	return core.Need(ctx, core.Invalid(path+"/taxClassId", "There is no tax class %s.", id).
		WithHint("settings.get lists them in the section tax; none: shipping is not taxed."),
		`SELECT 1 FROM tax_classes WHERE id = ?`, id)
}

// distinct refuses a duplicate id and an empty name.
func distinct(ids []string, id, name, path string) error {
	if slices.Contains(ids, id) {
		return core.Invalid(path+"/id", "%s is in the list twice.", id)
	}
	if name == "" {
		return core.Invalid(path+"/name", "%s has no name.", id)
	}
	return nil
}
