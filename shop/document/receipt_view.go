package document

import (
	"context"
	"encoding/base64"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/order"
	"github.com/deskhand/deskhand/shop/settings"
)

// ReceiptView holds all texts of a printed receipt in the shop's language.
type ReceiptView struct {
	OrderID        string           `json:"orderId"`
	Title          string           `json:"title"`
	Logo           string           `json:"logo,omitempty" doc:"Another one for other bytes; receipt.getLogo has it."`
	Shop           []string         `json:"shop" doc:"Its name, then its profile, a line each."`
	Blocks         []receiptPart    `json:"blocks" doc:"Beside each other: customer, address, order."`
	Columns        []string         `json:"columns" doc:"The heads of the lines: item, pieces, price, amount."`
	Lines          []receiptLine    `json:"lines"`
	Sums           []receiptAmount  `json:"sums"`
	TaxColumns     []string         `json:"taxColumns" doc:"The heads of the taxes: rate, net, tax."`
	Taxes          []receiptRate    `json:"taxes" doc:"Goods and shipping by rate, the highest first."`
	PaymentColumns []string         `json:"paymentColumns"`
	Payments       []receiptPayment `json:"payments"`
	Paid           receiptAmount    `json:"paid"`
	Parts          []receiptPart    `json:"parts" doc:"Below: gift message and the shop's last lines."`
}

type receiptPart struct {
	Title string   `json:"title,omitempty"`
	Lines []string `json:"lines" x:"personal=true,tainted=true"`
}

type receiptLine struct {
	Name   string `json:"name"`
	SKU    string `json:"sku,omitempty"`
	Terms  string `json:"terms,omitempty" x:"tainted=true" doc:"Its discount and its note, a line each."`
	Pieces string `json:"pieces"`
	Price  string `json:"price"`
	Amount string `json:"amount"`
}

type receiptAmount struct {
	Label  string `json:"label"`
	Amount string `json:"amount"`
	Total  bool   `json:"total,omitempty"`
}

type receiptRate struct {
	Rate string `json:"rate"`
	Net  string `json:"net"`
	Tax  string `json:"tax"`
}

type receiptPayment struct {
	What   string `json:"what" x:"personal=true"`
	Day    string `json:"day"`
	Amount string `json:"amount"`
}

type receiptIn struct {
	OrderID string `json:"orderId" jsonschema:"minLength=1,maxLength=40" x:"entity=order"`
	Receipt string `json:"receiptNumber,omitempty" jsonschema:"maxLength=20" doc:"Absent: the total of the order."`
}

// previewReceipt returns the receipt of an order without writing a file.
func previewReceipt(ctx context.Context, s *core.Shop, call *bus.Call, in receiptIn) (ReceiptView, error) {
	r, err := NewReceipt(ctx, s, call, in.OrderID, in.Receipt)
	if err != nil {
		return ReceiptView{}, err
	}
	return r.View(), nil
}

type logoIn struct{}

type logoOut struct {
	JPEG string `json:"jpeg" doc:"In base64."`
}

func getLogo(ctx context.Context, s *core.Shop, _ *bus.Call, _ logoIn) (out logoOut, err error) {
	if s.Logo == "" {
		return out, core.NotFound("The shop has no logo.").WithHint("Set one with settings.setLogo.")
	}
	jpeg, err := settings.Logo(ctx)
	out.JPEG = base64.StdEncoding.EncodeToString(jpeg)
	return out, err
}

// View returns the texts of the receipt.
func (r *Receipt) View() ReceiptView {
	o := r.Order
	v := ReceiptView{OrderID: o.ID, Logo: r.Shop.Logo, Title: r.Say("Receipt") + " " + o.ID, Shop: r.letterhead(),
		Blocks:         r.blocks(),
		Columns:        []string{r.Say("Item"), r.Say("Pieces"), r.Say("Price"), r.Say("Amount")},
		TaxColumns:     []string{r.Say("Tax rate"), r.Say("Net"), r.Say("Tax")},
		Taxes:          []receiptRate{},
		PaymentColumns: []string{r.Say("Payments and refunds"), r.Say("Day"), r.Say("Amount")},
		Paid:           receiptAmount{r.Say("Paid"), r.Style.Money(r.kept()), true},
		Payments:       []receiptPayment{}, Parts: []receiptPart{}}
	for _, l := range o.Lines {
		name, _, returned := strings.Cut(itemName(l), " – returned")
		if returned {
			name += " – " + r.Say("returned")
		}
		v.Lines = append(v.Lines, receiptLine{name, l.SKU, r.terms(l), r.Style.Count(l.Quantity),
			r.Style.Money(l.Price.Amount), r.Style.Money(l.Total.Amount)})
	}
	sums := r.sums()
	for i, s := range sums {
		v.Sums = append(v.Sums, receiptAmount{r.sayFirst(s.Label, " ("), r.Style.Money(s.Amount), i == len(sums)-1})
	}
	for _, s := range r.rounding() {
		v.Sums = append(v.Sums, receiptAmount{r.Say(s.Label), r.Style.Money(s.Amount), false})
	}
	if r.included && o.Tax.Amount != 0 {
		v.Sums = append(v.Sums, receiptAmount{r.Say("Tax included in these prices"), r.Style.Money(o.Tax.Amount), false})
	}
	for _, t := range r.rates() {
		v.Taxes = append(v.Taxes, receiptRate{t.Rate, r.Style.Money(t.Net), r.Style.Money(t.Tax)})
	}
	for _, p := range o.Payments {
		what := r.method(p.Label)
		if p.Kind == "refund" {
			what = r.Say("Refund to") + " " + what
		}
		if p.Tendered != nil && p.Change != nil {
			what += "\n" + r.Say("Given") + " " + r.Style.Money(p.Tendered.Amount) + ", " + r.Say("change") + " " +
				r.Style.Money(p.Change.Amount)
		}
		v.Payments = append(v.Payments, receiptPayment{what, r.Style.Day(r.Shop.Local(p.At)), r.Style.Money(signed(p))})
	}
	if o.GiftMessage != "" {
		v.Parts = append(v.Parts, receiptPart{r.Say("Gift message"), strings.Split(o.GiftMessage, "\n")})
	}
	if r.Shop.Footer != "" {
		v.Parts = append(v.Parts, receiptPart{Lines: strings.Split(r.Shop.Footer, "\n")})
	}
	return v
}

// terms describes the discount of a line and its note.
func (r *Receipt) terms(l order.Line) string {
	discount := ""
	if l.Discount.Amount > 0 {
		discount = r.Say("Discount") + " " + r.Style.Money(-l.Discount.Amount)
	}
	return strings.Join(filledLines(discount, l.Note), "\n")
}

// letterhead returns the shop's name and profile, one line each.
func (r *Receipt) letterhead() []string {
	p := r.Shop.Profile
	return append([]string{r.Shop.Name},
		filledLines(append(strings.Split(p.Address, "\n"), p.Phone, p.Email, p.TaxNumber)...)...)
}

// blocks returns the customer and the address, if there are any, and the order.
func (r *Receipt) blocks() (all []receiptPart) {
	if c := r.Order.Customer; c != nil {
		all = append(all, receiptPart{r.Say("Customer"), filledLines(c.Name, c.Email, c.Phone)})
	}
	if a := r.Order.ShippingAddress; a != nil {
		place := strings.Join(filledLines(a.City, a.Region, a.PostalCode), " ")
		all = append(all, receiptPart{r.Say("Delivered to"), filledLines(a.Line1, a.Line2, place, a.Country)})
	}
	return append(all, r.facts())
}

func (r *Receipt) facts() receiptPart {
	o := r.Order
	if e := r.entry; e.Number != "" {
		at := r.Shop.Local(e.At)
		lines := []string{e.Number, r.Style.Day(at) + " " + at.Format("15:04"), r.Say("Served by") + " " + e.Cashier}
		if e.RefersTo != "" {
			lines = append(lines, r.Say("Refers to")+" "+e.RefersTo)
		}
		return receiptPart{r.Say("Receipt"), lines}
	}
	lines := []string{r.Say("Placed") + " " + r.Style.Day(r.Shop.Local(o.PlacedAt))}
	switch o.Status {
	case order.StatusCancelled:
		lines = append(lines, r.Say("Cancelled"))
	case order.StatusDelivered:
		lines = append(lines, r.Say(map[string]string{core.TakeAway: "Taken along", core.PickUp: "Picked up",
			core.Deliver: "Delivered"}[o.Fulfilment]))
	default:
		if day, err := time.Parse(time.DateOnly, o.EstimatedDelivery); err == nil {
			lines = append(lines, r.Say("Expected")+" "+r.Style.Day(day))
		}
	}
	if len(o.Receipts) > 0 {
		lines = append(lines, r.Say("Receipts")+" "+strings.Join(o.Receipts, ", "))
	}
	if o.ItemsChanged {
		lines = append(lines, r.Say("Items changed since"))
	}
	return receiptPart{r.Say("Order"), lines}
}

// method translates a payment method into the shop's language. Names of brands stay the same.
func (r *Receipt) method(label string) string {
	brand, digits, ending := strings.Cut(label, " ending ")
	if ending {
		return brand + " " + r.Say("ending") + " " + digits
	}
	return r.Say(label)
}

// sayFirst translates the text before a sign. A person wrote the text after it, so that stays the same.
func (r *Receipt) sayFirst(text, sign string) string {
	before, rest, found := strings.Cut(text, sign)
	if !found {
		return r.Say(text)
	}
	return r.Say(before) + sign + rest
}

// Say translates a word of receipts into the shop's language. A word without a translation stays English.
func (r *Receipt) Say(english string) string {
	language, _, _ := strings.Cut(r.Shop.Locale, "-")
	if word := receiptWords[language][english]; word != "" {
		return word
	}
	return english
}

// receiptWords holds the translated words of receipts by language.
var receiptWords = map[string]map[string]string{"de": {
	"Receipt": "Beleg", "Receipts": "Belege", "Customer": "Kunde", "Delivered to": "Lieferung an", "Order": "Bestellung",
	"Served by": "Bedient von", "Refers to": "Bezieht sich auf",
	"Placed": "Bestellt am", "Cancelled": "Storniert", "Delivered": "Geliefert",
	"Taken along": "Mitgenommen", "Picked up": "Abgeholt", "Expected": "Erwartet am",
	"Items changed since": "Artikel seither geändert", "Item": "Artikel", "Pieces": "Stück", "Price": "Preis",
	"Amount": "Betrag", "Subtotal": "Zwischensumme", "Discount": "Rabatt", "Shipping": "Versand", "Tax": "Steuer",
	"Total": "Gesamt", "Rounding": "Rundung", "Tax included in these prices": "In den Preisen enthaltene Steuer",
	"Tax rate": "Steuersatz", "Net": "Netto", "Gift message": "Grußbotschaft",
	"Payments and refunds": "Zahlungen und Erstattungen", "Day": "Tag", "Refund to": "Erstattung auf", "Given": "Gegeben",
	"change": "zurück", "Paid": "Bezahlt", "Cash": "Bar", "Card": "Karte", "Other": "Anderes",
	"Bank transfer": "Überweisung", "Gift card": "Gutschein", "On account": "Auf Rechnung",
	"ending": "mit Endziffern", "returned": "zurückgegeben", "Hello": "Guten Tag",
	"Your receipt for order %s from %s": "Ihr Beleg zur Bestellung %s von %s",
	"thank you for your order %s of %s. Your receipt is attached.": "vielen Dank für Ihre Bestellung %s vom %s. " +
		"Ihr Beleg liegt bei.",
	"Tax at %s of %s net": "%s Steuer auf %s netto",
}}
