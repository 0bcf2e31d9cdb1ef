package settings

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// settingsValues holds the values of all sections. settingsFields lists the fields of each section. An absent value
// stays the same.
type settingsValues struct {
	Name             *string `json:"name,omitempty" jsonschema:"minLength=1,maxLength=120" doc:"shop: its name."`
	Currency         *string `json:"currency,omitempty" jsonschema:"pattern=^[A-Z]{3}$"`
	TimeZone         *string `json:"timeZone,omitempty" jsonschema:"minLength=1,maxLength=60"`
	Locale           *string `json:"locale,omitempty" jsonschema:"minLength=2,maxLength=35"`
	Country          *string `json:"country,omitempty" jsonschema:"pattern=^([A-Z]{2})?$"`
	PricesIncludeTax *bool   `json:"pricesIncludeTax,omitempty" doc:"shop: counts for new orders."`
	Address          *string `json:"address,omitempty" jsonschema:"maxLength=400"`
	Phone            *string `json:"phone,omitempty" jsonschema:"maxLength=60"`
	Email            *string `json:"email,omitempty" jsonschema:"pattern=^([^@ ]+@[^@ ]+)?$,maxLength=200"`
	TaxNumber        *string `json:"taxNumber,omitempty" jsonschema:"maxLength=60"`
	Footer           *string `json:"footer,omitempty" jsonschema:"maxLength=1000"`

	CashStep *core.PriceIn `json:"cashStep,omitempty" doc:"shop: the smallest coin, for rounding of cash; 0: none."`

	DiscountPercent *int64        `json:"discountPercent,omitempty" jsonschema:"minimum=0,maximum=100"`
	Refund          *core.PriceIn `json:"refund,omitempty" doc:"limits: what a clerk may refund at once."`

	Classes []taxClassIn       `json:"classes,omitempty" jsonschema:"minItems=1,maxItems=50" doc:"tax: all classes."`
	Methods []shippingMethodIn `json:"methods,omitempty" jsonschema:"minItems=1,maxItems=50"`

	Host       *string `json:"host,omitempty" jsonschema:"maxLength=253"`
	Port       *int64  `json:"port,omitempty" jsonschema:"minimum=1,maximum=65535"`
	Encryption *string `json:"encryption,omitempty" jsonschema:"enum=starttls,enum=tls,enum=none"`
	Username   *string `json:"username,omitempty" jsonschema:"maxLength=320" doc:"mail: empty: the server wants none."`
	Password   *string `json:"password,omitempty" jsonschema:"maxLength=1024,writeOnly=true"`
	From       *string `json:"from,omitempty" jsonschema:"format=email,maxLength=320" doc:"mail: address of the sender."`
	FromName   *string `json:"fromName,omitempty" jsonschema:"maxLength=120"`

	Endpoint *string `json:"endpoint,omitempty" jsonschema:"pattern=^(|https?://.+)$,maxLength=2000"`
	Model    *string `json:"model,omitempty" jsonschema:"maxLength=120" doc:"model: as the endpoint calls it."`
	Key      *string `json:"key,omitempty" jsonschema:"maxLength=4096,writeOnly=true"`

	InputPrice    *string `json:"inputPrice,omitempty"`
	OutputPrice   *string `json:"outputPrice,omitempty"`
	PriceCurrency *string `json:"priceCurrency,omitempty" jsonschema:"pattern=^[A-Z]{3}$"`

	Context   *int64   `json:"context,omitempty" jsonschema:"minimum=0,maximum=20000000"`
	Abilities []string `json:"abilities,omitempty"`

	LockAfterMinutes *int64 `json:"lockAfterMinutes,omitempty" jsonschema:"minimum=0,maximum=480"`

	Hooks []webhookIn `json:"hooks,omitempty" jsonschema:"maxItems=20"`
}

func (settingsValues) TagFields() map[string]string {
	return map[string]string{
		"abilities":   `jsonschema:"maxItems=4,enum=tools,enum=parallelCalls,enum=streaming,enum=thinks"`,
		"inputPrice":  `jsonschema:"pattern=^([0-9][0-9]?[0-9]?[0-9]?[0-9]?([.][0-9][0-9]?[0-9]?[0-9]?[0-9]?[0-9]?)?)?$"`,
		"outputPrice": `jsonschema:"pattern=^([0-9][0-9]?[0-9]?[0-9]?[0-9]?([.][0-9][0-9]?[0-9]?[0-9]?[0-9]?[0-9]?)?)?$"`,
	}
}

type settingsSetIn struct {
	Section string         `json:"section" enum:"shop,limits,tax,shipping,mail,webhooks,model,security"`
	Values  settingsValues `json:"values"`
}

// set assigns a given value.
func set[T any](to, given *T) {
	if given != nil {
		*to = *given
	}
}

// settingsSection is a section of the settings with its fields and the function that changes them. change describes the
// change in a sentence.
type settingsSection struct {
	name   string
	fields []string
	change func(ctx context.Context, call *bus.Call, secrets Secrets, s *core.Shop, v settingsValues) (bus.Text, error)
}

func settingsSections() []settingsSection {
	return []settingsSection{
		{"shop", []string{"name", "currency", "timeZone", "locale", "pricesIncludeTax", "country", "address",
			"phone", "email", "taxNumber", "footer", "cashStep"}, setShop},
		{"limits", []string{"discountPercent", "refund"}, setLimits},
		{"tax", []string{"classes"}, setTax},
		{"shipping", []string{"methods"}, setShipping},
		{"mail", []string{"host", "port", "encryption", "username", "password", "from", "fromName"}, setMail},
		{"webhooks", []string{"hooks"}, setWebhooks},
		{"model", []string{"endpoint", "model", "key", "inputPrice", "outputPrice", "priceCurrency",
			"context", "abilities"}, setModel},
		{"security", []string{"lockAfterMinutes"}, setSecurity},
	}
}

func change(ctx context.Context, s *core.Shop, call *bus.Call, secrets Secrets, in settingsSetIn) (out settingsOut,
	err error) {
	sections := settingsSections()
	at := slices.IndexFunc(sections, func(c settingsSection) bool { return c.name == in.Section })
	section := sections[at] // the schema allows no other
	if err := section.owns(call); err != nil {
		return out, err
	}
	words, err := section.change(ctx, call, secrets, s, in.Values)
	if err != nil {
		return out, err
	}
	if s, err = core.LoadShop(ctx); err != nil {
		return out, err
	}
	call.Summarize("%s", words)
	call.Announce("settings", bus.Textf("%s.", words), section.name)
	if section.name == "shop" {
		call.Announce("shop", bus.Textf("%s.", words))
		call.Changed("*", "") // all amounts and days change their format
	}
	return settings(ctx, s, secrets, section.name)
}

// owns refuses a call without values, or with values of another section.
func (c settingsSection) owns(call *bus.Call) error {
	var given struct {
		Values map[string]json.RawMessage `json:"values"`
	}
	if err := call.Decode(&given); err != nil {
		return err
	}
	if len(given.Values) == 0 {
		return core.Invalid("/values", "Nothing is given to change.").
			WithHint("The section %s has %s.", c.name, strings.Join(c.fields, ", "))
	}
	for _, name := range slices.Sorted(maps.Keys(given.Values)) {
		if !slices.Contains(c.fields, name) {
			return core.Invalid("/values/"+name, "The section %s has no %s.", c.name, name).
				WithHint("It has %s.", strings.Join(c.fields, ", "))
		}
	}
	return nil
}
