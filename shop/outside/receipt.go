package outside

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	htmltemplate "html/template"
	"text/template"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/document"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type sendReceiptIn struct {
	OrderID string `json:"orderId" jsonschema:"minLength=1,maxLength=40" x:"entity=order"`
	To      string `json:"to,omitempty" jsonschema:"format=email,maxLength=320" x:"personal=true"`
	Receipt string `json:"receiptNumber,omitempty" jsonschema:"maxLength=20" doc:"Absent: the total of the order."`
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

// receiptMail returns the mail with a receipt, and sets the call's facts.
func receiptMail(ctx context.Context, call *bus.Call, p Ports, in sendReceiptIn) (m Mail, orderID string, err error) {
	s, err := core.LoadShop(ctx)
	if err != nil {
		return m, "", err
	}
	r, err := document.NewReceipt(ctx, s, call, in.OrderID, in.Receipt)
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
	m.Subject = subject(fmt.Sprintf(r.Say("Your receipt for order %s from %s"), o.ID, s.Name))
	m.Attachments = []Attachment{{r.FileName() + ".pdf", "application/pdf", pdf.Bytes()}}
	if m.Text, m.HTML, err = letter(r); err != nil {
		return m, "", err
	}
	if o.Customer != nil {
		call.Fact("customerId", o.Customer.ID)
	}
	call.Fact("recipient", m.To)
	call.Fact("orderId", o.ID)
	call.Fact("amount", s.MoneyFact(o.Total.Amount))
	call.Summarize("Mail the receipt of %s over %s for %s to %s", o.ID, o.Total, o.Buyer(), m.To)
	return m, o.ID, nil
}

// textForm and htmlForm are the templates of the letter around a receipt. The HTML loads nothing from the network.
const (
	textForm = `{{.Greeting}},

{{.Thanks}}

{{range .Lines}}{{.Pieces}} × {{.Name}}: {{.Amount}}
{{end}}
{{range .Sums}}{{.Label}}: {{.Amount}}
{{end}}{{range .Rates}}{{index . 0}}: {{index . 1}}
{{end}}
{{.Shop}}
`
	htmlForm = `<!DOCTYPE html>
<html><body style="font-family:sans-serif;color:#222">
<p>{{.Greeting}},</p>
<p>{{.Thanks}}</p>
<table style="border-collapse:collapse">
{{range .Lines}}<tr><td style="padding:2px 16px 2px 0">{{.Pieces}} × {{.Name}}</td>{{/*
*/}}<td style="text-align:right">{{.Amount}}</td></tr>
{{end}}{{range .Sums}}<tr><td style="padding:2px 16px 2px 0"><b>{{.Label}}</b></td>{{/*
*/}}<td style="text-align:right"><b>{{.Amount}}</b></td></tr>
{{end}}{{range .Rates}}<tr><td style="padding:2px 16px 2px 0">{{index . 0}}</td>{{/*
*/}}<td style="text-align:right">{{index . 1}}</td></tr>
{{end}}</table>
<p>{{.Shop}}</p>
</body></html>
`
)

// letter returns the receipt as text and as HTML, in the language of documents.
func letter(r *document.Receipt) (plain, html string, err error) {
	view := struct {
		document.ReceiptView
		Greeting, Thanks, Shop string
		Rates                  [][2]string
	}{ReceiptView: r.View(), Greeting: r.Say("Hello"), Shop: r.Shop.Name,
		Thanks: fmt.Sprintf(r.Say("thank you for your order %s of %s. Your receipt is attached."), r.Order.ID,
			r.Style.Day(r.Shop.Local(r.Order.PlacedAt)))}
	if c := r.Order.Customer; c != nil {
		view.Greeting += " " + c.Name
	}
	for _, t := range view.Taxes {
		view.Rates = append(view.Rates, [2]string{fmt.Sprintf(r.Say("Tax at %s of %s net"), t.Rate, t.Net), t.Tax})
	}
	var text, page bytes.Buffer
	if err := template.Must(template.New("text").Parse(textForm)).Execute(&text, view); err != nil {
		return "", "", err
	}
	err = htmltemplate.Must(htmltemplate.New("html").Parse(htmlForm)).Execute(&page, view)
	return text.String(), page.String(), err
}
