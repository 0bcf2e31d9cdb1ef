package settings

import (
	"context"

	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/staff"
)

type taxClass struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	RatePPM int64  `json:"ratePpm" doc:"Parts per million: 80000 is 8 %."`
}

type settingsShop struct {
	Name             string `json:"name"`
	Currency         string `json:"currency"`
	TimeZone         string `json:"timeZone"`
	Locale           string `json:"locale" doc:"How documents write amounts and dates, for example en-US."`
	PricesIncludeTax bool   `json:"pricesIncludeTax"`

	CashStep *core.Money `json:"cashStep,omitempty" doc:"The smallest coin, to which cash is rounded; absent: it is not."`

	Logo string `json:"logo,omitempty" doc:"Of receipts; another one for other bytes."`
	core.Profile
}

type settingsLimits struct {
	DiscountPercent int64      `json:"discountPercent" doc:"What a clerk may take off, in percent."`
	Refund          core.Money `json:"refund" doc:"What a clerk may refund at once."`
}

type settingsIn struct {
	Section string `json:"section,omitempty" enum:"shop,limits,shipping,tax,mail,webhooks,model,security"`
}

type settingsOut struct {
	Shop     *settingsShop         `json:"shop,omitempty"`
	Limits   *settingsLimits       `json:"limits,omitempty"`
	Shipping []core.ShippingMethod `json:"shipping,omitempty"`
	Tax      []taxClass            `json:"tax,omitempty"`
	Mail     *settingsMail         `json:"mail,omitempty" doc:"Absent: no mail server is set."`
	Webhooks []settingsWebhook     `json:"webhooks,omitempty"`
	Model    *settingsModel        `json:"model,omitempty" doc:"Absent: the built-in assistant answers."`
	Security *settingsSecurity     `json:"security,omitempty"`
	Secrets  string                `json:"secrets" jsonschema:"enum=keychain,enum=memory,enum=none"`
}

// settings returns the settings of one section, or of all.
func settings(ctx context.Context, s *core.Shop, secrets Secrets, section string) (out settingsOut, err error) {
	out.Secrets = whereSecrets(secrets)
	is := func(name string) bool { return err == nil && (section == "" || section == name) }
	if is("shop") {
		out.Shop = &settingsShop{s.Name, s.Currency, s.TimeZone, s.Locale, s.PricesIncludeTax, nil, s.Logo, s.Profile}
		if s.CashStep > 1 {
			step := s.Money(s.CashStep)
			out.Shop.CashStep = &step
		}
	}
	if is("limits") {
		out.Limits = &settingsLimits{s.DiscountLimit, s.Money(s.RefundLimit)}
	}
	if is("shipping") {
		out.Shipping, err = s.ShippingMethods(ctx)
	}
	if is("tax") {
		out.Tax, err = allTaxClasses(ctx)
	}
	if is("mail") {
		out.Mail, err = mailSettings(ctx, secrets)
	}
	if is("webhooks") {
		out.Webhooks, err = webhookSettings(ctx, secrets)
	}
	if is("model") {
		out.Model, err = modelSettings(ctx, secrets)
	}
	if is("security") {
		out.Security = &settingsSecurity{}
		out.Security.LockAfterMinutes, err = staff.LockAfterMinutes(ctx)
	}
	return out, err
}

func allTaxClasses(ctx context.Context) ([]taxClass, error) {
	return core.List(ctx, func(r core.Row) (c taxClass, err error) { return c, r.Scan(&c.ID, &c.Name, &c.RatePPM) },
		`SELECT id, name, rate_ppm FROM tax_classes ORDER BY id`)
}
