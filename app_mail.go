package main

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
)

// post is shop.Post: mail goes over SMTP, and is encrypted unless the server is
// this computer.
type post struct {
	roots *x509.CertPool // whose certificates are trusted; nil: the system's
}

var _ shop.Post = post{}

// Send implements [shop.Post]. The end of the context closes the connection,
// wherever the talk with the server is.
func (p post) Send(ctx context.Context, server shop.MailServer, m shop.Mail) error {
	letter, err := compose(server, m)
	if err != nil {
		return err
	}
	line := &mailLine{}
	defer line.close()
	defer context.AfterFunc(ctx, line.close)()
	client, err := p.client(server, line)
	if err != nil {
		return fmt.Errorf("set up the mail client: %w", err)
	}
	talk, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return cutOff(ctx, connectProblem(server, err))
	}
	err = client.SendWithSMTPClient(talk, letter)
	if letter.IsDelivered() { // whatever went wrong afterwards
		_ = talk.Quit()
		return nil
	}
	return cutOff(ctx, sendProblem(server, m, err))
}

// cutOff is the context's end, if that is what the problem comes from.
func cutOff(ctx context.Context, problem error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return problem
}

// mailLine is the connection of one mail. The client would leave it open where it
// fails before it has said hello.
type mailLine struct {
	mu     sync.Mutex // guards the rest
	conn   net.Conn
	closed bool
}

// dial is how the client connects; secure is nil where encryption comes later or
// not at all.
func (l *mailLine) dial(secure *tls.Config) mail.DialContextFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		l.mu.Lock()
		l.conn = conn
		if l.closed {
			_ = conn.Close()
		}
		l.mu.Unlock()
		if secure == nil {
			return conn, nil
		}
		wrapped := tls.Client(conn, secure)
		return wrapped, wrapped.HandshakeContext(ctx)
	}
}

func (l *mailLine) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	if l.conn != nil {
		_ = l.conn.Close() // twice does no harm
	}
}

// answerTimeout is how long a mail server may take for one answer.
const answerTimeout = 30 * time.Second

func (p post) client(server shop.MailServer, line *mailLine) (*mail.Client, error) {
	secure := &tls.Config{ServerName: server.Host, RootCAs: p.roots, MinVersion: tls.VersionTLS12}
	o := []mail.Option{mail.WithPort(server.Port), mail.WithTimeout(answerTimeout), mail.WithTLSConfig(secure), mail.WithoutNoop()}
	auth := mail.SMTPAuthAutoDiscover
	switch {
	case server.Encryption == "tls":
		// The client knows by the connection that it is encrypted, not by the option
		// for it where it does not dial itself.
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

// compose makes the letter. What stands in a header is of one line.
func compose(server shop.MailServer, m shop.Mail) (*mail.Msg, error) {
	letter := mail.NewMsg(mail.WithNoDefaultUserAgent())
	if err := letter.FromFormat(oneLine(server.FromName), server.From); err != nil {
		return nil, badAddress(server.From, err)
	}
	if err := letter.To(m.To); err != nil {
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
		if err := letter.AttachReader(oneLine(a.Name), bytes.NewReader(a.Data), mail.WithFileContentType(mail.ContentType(a.Type))); err != nil {
			return nil, fmt.Errorf("attach %s: %w", a.Name, err)
		}
	}
	return letter, nil
}

func badAddress(address string, cause error) error {
	return bus.Errorf(bus.Validation, bus.ReasonArguments, "%q is not an address that mail can go to or come from.", oneLine(address)).
		WithCause(cause).WithHint("Give one such as ana@example.com.")
}

// oneLine is a text without what would begin another line, and no longer than
// somebody reads: servers' words go through it too.
func oneLine(s string) string {
	const longest = 200
	words := strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }), " ")
	if runes := []rune(words); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return words
}
