// Package smtp sends the shop's mail. Every connection is encrypted, unless the server is this computer.
package smtp

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
	"github.com/wneessen/go-mail"
	"golang.org/x/net/idna"
)

// Sender implements [shop.Post].
type Sender struct {
	Roots *x509.CertPool // trusted certificates; nil: the system's
}

var _ shop.Post = Sender{}

// Send implements [shop.Post]. The end of the context closes the connection at any stage.
func (s Sender) Send(ctx context.Context, server shop.MailServer, m shop.Mail) error {
	letter, err := compose(server, m)
	if err != nil {
		return err
	}
	line := &connection{}
	defer line.close()
	defer context.AfterFunc(ctx, line.close)()
	client, err := s.client(server, line)
	if err != nil {
		return fmt.Errorf("set up the mail client: %w", err)
	}
	session, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return cancelled(ctx, connectProblem(server, err))
	}
	err = client.SendWithSMTPClient(session, letter)
	if letter.IsDelivered() { // an error after delivery changes nothing
		_ = session.Quit()
		return nil
	}
	return cancelled(ctx, sendProblem(server, m, err))
}

// cancelled returns the context's error instead of a problem that its end caused.
func cancelled(ctx context.Context, problem error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return problem
}

// connection is the connection of one mail. The client library leaves it open when it fails before EHLO.
type connection struct {
	mu     sync.Mutex // guards the other fields
	conn   net.Conn
	closed bool
}

// dial returns the client's dial function; secure is nil when encryption starts later or never.
func (c *connection) dial(secure *tls.Config) mail.DialContextFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		c.mu.Lock()
		c.conn = conn
		if c.closed {
			_ = conn.Close()
		}
		c.mu.Unlock()
		if secure == nil {
			return conn, nil
		}
		wrapped := tls.Client(conn, secure)
		return wrapped, wrapped.HandshakeContext(ctx)
	}
}

func (c *connection) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.conn != nil {
		_ = c.conn.Close() // closing twice is harmless
	}
}

// answerTimeout limits the time for one answer of a mail server.
const answerTimeout = 30 * time.Second

func (s Sender) client(server shop.MailServer, line *connection) (*mail.Client, error) {
	secure := &tls.Config{ServerName: server.Host, RootCAs: s.Roots, MinVersion: tls.VersionTLS12}
	o := []mail.Option{mail.WithPort(server.Port), mail.WithTimeout(answerTimeout), mail.WithTLSConfig(secure),
		mail.WithoutNoop()}
	auth := mail.SMTPAuthAutoDiscover
	switch {
	case server.Encryption == "tls":
		// With a dialer of ours, the client detects encryption from the connection, not from its option.
		o = append(o, mail.WithTLSPolicy(mail.TLSOpportunistic), mail.WithDialContextFunc(line.dial(secure)))
	case server.Encryption == "none" && (server.Host == "localhost" || net.ParseIP(server.Host).IsLoopback()):
		auth = mail.SMTPAuthPlainNoEnc
		o = append(o, mail.WithTLSPolicy(mail.NoTLS), mail.WithDialContextFunc(line.dial(nil)))
	default:
		o = append(o, mail.WithTLSPolicy(mail.TLSMandatory), mail.WithDialContextFunc(line.dial(nil)))
	}
	if server.Username != "" {
		o = append(o, mail.WithSMTPAuth(auth), mail.WithUsername(server.Username), mail.WithPassword(server.Password))
	}
	return mail.NewClient(server.Host, o...)
}

// inASCII returns an address in a form that every mail server accepts. Invalid text stays the same.
func inASCII(address string) string {
	at := strings.LastIndexByte(address, '@') + 1
	domain, err := idna.Lookup.ToASCII(address[at:])
	if err != nil {
		return address
	}
	return address[:at] + domain
}

// compose builds the message. Every header value becomes a single line.
func compose(server shop.MailServer, m shop.Mail) (*mail.Msg, error) {
	letter := mail.NewMsg(mail.WithNoDefaultUserAgent())
	if err := letter.FromFormat(oneLine(server.FromName), inASCII(server.From)); err != nil {
		return nil, badAddress(server.From, err)
	}
	if err := letter.To(inASCII(m.To)); err != nil {
		return nil, badAddress(m.To, err)
	}
	_, domain, _ := strings.Cut(server.From, "@")
	letter.SetMessageIDWithValue(m.ID + "@" + domain)
	letter.SetDateWithValue(m.Date)
	letter.Subject(oneLine(m.Subject))
	letter.SetBodyString(mail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		letter.AddAlternativeString(mail.TypeTextHTML, m.HTML)
	}
	for _, a := range m.Attachments {
		as := mail.WithFileContentType(mail.ContentType(a.Type))
		if err := letter.AttachReader(oneLine(a.Name), bytes.NewReader(a.Data), as); err != nil {
			return nil, fmt.Errorf("attach %s: %w", a.Name, err)
		}
	}
	return letter, nil
}

func badAddress(address string, cause error) error {
	return bus.Errorf(bus.Validation, bus.ReasonArguments, "%q is not an address that mail can go to or come from.",
		oneLine(address)).WithCause(cause).WithHint("Give one such as ana@example.com.")
}

// oneLine removes line breaks and control characters and cuts a text at 200 characters. It is also applied to answers
// of servers.
func oneLine(s string) string {
	const longest = 200
	unseen := func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }
	words := strings.Join(strings.FieldsFunc(s, unseen), " ")
	if runes := []rune(words); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return words
}
