package outside

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"html/template"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/document"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type sendReceiptIn struct {
	OrderID string `json:"orderId" jsonschema:"minLength=1,maxLength=40" x:"entity=order"`
	To      string `json:"to,omitempty" jsonschema:"format=email,maxLength=320" x:"personal=true"`
}

type sendReceiptOut struct {
	OrderID string `json:"orderId"`
	sentOut
}

func emailSendReceipt(p Ports) bus.Capability {
	return mailing(bus.Capability{
		Name: "email.sendReceipt", Texts: texts,
		Permissions: []string{"email:write", "order:read", "customer:read"},
		Facts:       []string{"customerId", "recipient", "orderId", "amount"},
		Listing:     bus.Listing{Category: "email"},
		Checks:      bus.Checks{Access: core.AgentAsks},
		Run: bus.Run{Retry: &bus.RetryPolicy{MaxAttempts: 3, InitialDelay: time.Second, BackoffMultiplier: 2,
			RetryOn: []bus.Reason{bus.ReasonNetwork}}},
		Assistant: bus.Assistant{Grantable: []string{"customerId", "recipient"}},
	}, p, func(ctx context.Context, call *bus.Call, in sendReceiptIn) (Mail, sendReceiptOut, error) {
		m, orderID, err := receiptMail(ctx, call, p, in)
		return m, sendReceiptOut{orderID, sentOut{m.To, m.ID}}, err
	})
}

// receiptMail is the mail as it is sent, with the facts it goes by.
func receiptMail(ctx context.Context, call *bus.Call, p Ports, in sendReceiptIn) (m Mail, orderID string, err error) {
	s, err := core.LoadShop(ctx)
	if err != nil {
		return m, "", err
	}
	r, err := document.NewReceipt(ctx, s, call, in.OrderID)
	if err != nil {
		return m, "", err
	}
	o := r.Order
	m.To = in.To
	if m.To == "" && o.Customer == nil {
		return m, "", core.Refused("Order %s is a walk-in's, who has no email address.", o.ID).WithHint("Say where to.")
	}
	if o.Customer != nil {
		m.To = cmp.Or(m.To, o.Customer.Email)
	}
	if m.To == "" {
		return m, "", core.Refused("%s has no email address.", o.Customer.Name).
			WithHint("Say where to, or enter one with customer.update.")
	}
	var pdf bytes.Buffer
	if err := r.Print(&pdf, p.Font); err != nil {
		return m, "", err
	}
	m.ID, m.Date = call.NewID("mail"), call.Now
	m.Subject = subject(fmt.Sprintf("Your receipt for order %s from %s", o.ID, s.Name))
	m.Attachments = []Attachment{{r.FileName() + ".pdf", "application/pdf", pdf.Bytes()}}
	m.Text = letter(r)
	if m.HTML, err = letterHTML(r); err != nil {
		return m, "", err
	}
	if o.Customer != nil {
		call.Fact("customerId", o.Customer.ID)
	}
	call.Fact("recipient", m.To)
	call.Fact("orderId", o.ID)
	call.Fact("amount", s.MoneyFact(o.Total.Amount))
	call.Summarize("Mail the receipt of %s over %s for %s to %s", o.ID, o.Total.Text, o.Buyer(), m.To)
	return m, o.ID, nil
}

// greeting begins the letter.
func greeting(r *document.Receipt) string {
	if c := r.Order.Customer; c != nil {
		return "Hello " + c.Name
	}
	return "Hello"
}

// letter is the receipt in plain words.
func letter(r *document.Receipt) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s,\n\nthank you for your order %s of %s. Your receipt is attached.\n\n", greeting(r),
		r.Order.ID, r.Style.Day(r.Shop.Local(r.Order.PlacedAt)))
	for _, l := range r.Order.Lines {
		fmt.Fprintf(&b, "%s × %s: %s\n", r.Style.Count(l.Quantity), document.ItemName(l), r.Style.Money(l.Total.Amount))
	}
	b.WriteString("\n")
	for _, s := range r.Sums() {
		fmt.Fprintf(&b, "%s: %s\n", s.Label, r.Style.Money(s.Amount))
	}
	for _, t := range r.Taxes() {
		fmt.Fprintf(&b, "%s: %s\n", rateLine(r, t), r.Style.Money(t.Tax))
	}
	fmt.Fprintf(&b, "\n%s\n", r.Shop.Name)
	return b.String()
}

// rateLine names the tax of one rate, with the net amount that it is of.
func rateLine(r *document.Receipt, t document.ReceiptTax) string {
	return fmt.Sprintf("Tax at %s of %s net", t.Rate, r.Style.Money(t.Net))
}

// letterForm is the same for programs that show HTML: nothing is fetched from anywhere when it is opened.
const letterForm = `<!DOCTYPE html>
<html><body style="font-family:sans-serif;color:#222">
<p>{{.Greeting}},</p>
<p>thank you for your order {{.Order}} of {{.Day}}. Your receipt is attached.</p>
<table style="border-collapse:collapse">
{{range .Lines}}<tr><td style="padding:2px 16px 2px 0">{{index . 0}} × {{index . 1}}</td>{{/*
*/}}<td style="text-align:right">{{index . 2}}</td></tr>
{{end}}{{range .Sums}}<tr><td style="padding:2px 16px 2px 0"><b>{{index . 0}}</b></td>{{/*
*/}}<td style="text-align:right"><b>{{index . 1}}</b></td></tr>
{{end}}{{range .Taxes}}<tr><td style="padding:2px 16px 2px 0">{{index . 0}}</td>{{/*
*/}}<td style="text-align:right">{{index . 1}}</td></tr>
{{end}}</table>
<p>{{.Shop}}</p>
</body></html>
`

func letterHTML(r *document.Receipt) (string, error) {
	form, err := template.New("letter").Parse(letterForm)
	if err != nil {
		return "", err
	}
	view := struct {
		Greeting, Order, Day, Shop string
		Lines                      [][3]string
		Sums, Taxes                [][2]string
	}{Greeting: greeting(r), Order: r.Order.ID, Day: r.Style.Day(r.Shop.Local(r.Order.PlacedAt)), Shop: r.Shop.Name}
	for _, l := range r.Order.Lines {
		view.Lines = append(view.Lines, [3]string{r.Style.Count(l.Quantity), document.ItemName(l),
			r.Style.Money(l.Total.Amount)})
	}
	for _, s := range r.Sums() {
		view.Sums = append(view.Sums, [2]string{s.Label, r.Style.Money(s.Amount)})
	}
	for _, t := range r.Taxes() {
		view.Taxes = append(view.Taxes, [2]string{rateLine(r, t), r.Style.Money(t.Tax)})
	}
	var b strings.Builder
	err = form.Execute(&b, view)
	return b.String(), err
}
