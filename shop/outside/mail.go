package outside

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
	"github.com/deskhand/deskhand/shop/settings"
)

// Mail is a mail to one recipient. Each header is a single line.
type Mail struct {
	ID          string // unique, and the same for a retry; the part of the Message-ID before the @
	Date        time.Time
	To          string // mail address
	Subject     string
	Text, HTML  string
	Attachments []Attachment
}

// Attachment is a file attached to a Mail.
type Attachment struct {
	Name, Type string // Type is the media type
	Data       []byte
}

// Post sends a mail to a server. Its errors are coded. PRECONDITION_FAILED means that the server or the settings must
// change. TRANSIENT with the reason network means that nothing was sent and a retry may succeed. TRANSIENT with the
// reason interrupted means that the outcome is unknown.
type Post interface {
	Send(ctx context.Context, server settings.MailServer, m Mail) error
}

// mailServer returns the shop's mail server without its password.
func mailServer(ctx context.Context) (settings.MailServer, error) {
	server, found, err := settings.FindMailServer(ctx)
	if err == nil && !found {
		err = core.Unavailable("No mail server is set.").
			WithHint("An owner sets one in the settings, or with settings.set, section mail.")
	}
	return server, err
}

// mailing defines a capability that sends the mail from write. Its preview shows the same mail.
func mailing[In, Out any](c bus.Capability, p Ports,
	write func(ctx context.Context, call *bus.Call, in In) (Mail, Out, error)) bus.Capability {
	c.SideEffect, c.Run.Timeout = bus.Network, time.Minute
	c.Resources = []string{"database:read", "filesystem:read", "secrets:read", "network:write"}
	c.Run.CostEstimate = map[string]string{"mail": "1"} // a retry happens only if no mail was sent
	c.Checks.Available = func(ctx context.Context, _ *bus.Call) error {
		_, err := mailServer(ctx)
		return err
	}
	c.Run.Preview = func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
		var in In
		if err := call.Decode(&in); err != nil {
			return nil, err
		}
		m, _, err := write(ctx, call, in)
		if err != nil {
			return nil, err
		}
		return m.preview(ctx)
	}
	return bus.Define(c, func(ctx context.Context, call *bus.Call, in In) (Out, error) {
		m, out, err := write(ctx, call, in)
		if err == nil {
			err = p.send(ctx, m)
		}
		return out, err
	})
}

// send passes a mail to the shop's server.
func (p Ports) send(ctx context.Context, m Mail) error {
	server, err := mailServer(ctx)
	if err != nil {
		return err
	}
	if p.Post == nil {
		return core.Unavailable("This program sends no mail.")
	}
	if server.Username != "" {
		if server.Password, err = settings.FindSecret(ctx, p.Secrets, settings.SecretMail); err != nil {
			return err
		}
		if server.Password == "" {
			return core.Refused("The password of the mail server is not known.").
				WithHint("Set it again in the settings; without a keychain it is kept until the program ends.")
		}
	}
	return p.Post.Send(ctx, server, m)
}

// mailPreview is a mail in a preview.
type mailPreview struct {
	From        string              `json:"from"`
	To          string              `json:"to"`
	Subject     string              `json:"subject"`
	Text        string              `json:"text"`
	Attachments []attachmentPreview `json:"attachments,omitempty"`
}

type attachmentPreview struct {
	Name   string `json:"name"`
	Bytes  int    `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// preview returns the mail without sending it.
func (m Mail) preview(ctx context.Context) (json.RawMessage, error) {
	server, err := mailServer(ctx)
	if err != nil {
		return nil, err
	}
	p := mailPreview{From: server.FromName + " <" + server.From + ">", To: m.To, Subject: m.Subject, Text: m.Text}
	for _, a := range m.Attachments {
		sum := sha256.Sum256(a.Data)
		p.Attachments = append(p.Attachments, attachmentPreview{a.Name, len(a.Data), hex.EncodeToString(sum[:])})
	}
	return json.Marshal(p)
}

// subject converts a text to a single line for a header.
func subject(s string) string { return text.Line(s, 200) }

type testMailIn struct {
	To string `json:"to,omitempty" jsonschema:"format=email,maxLength=320" x:"personal=true"`
}

type sentOut struct {
	To        string `json:"to" x:"personal=true"`
	MessageID string `json:"messageId" doc:"By which the mail is found in the logs of servers."`
}

func settingsTestMail(p Ports) bus.Capability {
	return mailing(bus.Capability{
		Name: "settings.testMail", Texts: texts,
		Permissions: []string{"settings:write"},
		Listing:     bus.Listing{Category: "settings"},
		Checks:      bus.Checks{Access: core.AgentNever},
	}, p, func(ctx context.Context, call *bus.Call, in testMailIn) (m Mail, out sentOut, err error) {
		server, err := mailServer(ctx)
		if err != nil {
			return m, out, err
		}
		in.To = cmp.Or(in.To, server.From)
		call.Summarize("Send a test mail to %s", in.To)
		m = Mail{ID: call.NewID("mail"), Date: call.Now, To: in.To, Subject: subject("A test mail from " + server.FromName),
			Text: "This mail shows that " + server.FromName + " can send mail. Nobody has to answer it.\n"}
		return m, sentOut{m.To, m.ID}, nil
	})
}
