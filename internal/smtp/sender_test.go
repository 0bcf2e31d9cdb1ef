package smtp_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/internal/smtp"
	"github.com/deskhand/deskhand/shop"
)

// mailed is the sample shop with a mail server.
func mailed(t *testing.T, s *smtpServer, encryption string) *desk.Desk {
	t.Helper()
	d := desktest.WithoutKeychain(t, nil)
	mailBy(t, d, s, encryption)
	return d
}

// mailBy sets the mail server.
func mailBy(t *testing.T, d *desk.Desk, s *smtpServer, encryption string) {
	t.Helper()
	username, password := "", ""
	if s.user != "" {
		username, password = "desk", "open sesame"
	}
	desktest.Must(t, d, bus.CallerTest, "settings.set",
		fmt.Sprintf(`{"section":"mail","values":{"host":"127.0.0.1","port":%d,"encryption":%q,"from":"orders@northlight.example","username":%q,"password":%q}}`,
			s.port, encryption, username, password), nil)
}

// sendReceipt mails the receipt of an order to an address.
func sendReceipt(ctx context.Context, d *desk.Desk, orderID, to, key string) bus.Result {
	args, _ := json.Marshal(map[string]string{"orderId": orderID, "to": to})
	return d.Bus.Invoke(ctx, bus.Invocation{Capability: "email.sendReceipt", Arguments: args, IdempotencyKey: key,
		Principal: d.Person, Caller: bus.Caller{Type: bus.CallerTest}})
}

func TestAReceiptIsMailed(t *testing.T) {
	secure, pool := ownCertificate(t)
	d := desktest.WithoutKeychain(t, pool)
	id := desktest.AnasOrder(t, d)
	for name, tt := range map[string]struct {
		server     *smtpServer
		encryption string
	}{
		"on this computer":      {&smtpServer{}, "none"},
		"with a password":       {&smtpServer{user: "desk", password: "open sesame"}, "none"},
		"encrypted on the way":  {&smtpServer{user: "desk", password: "open sesame", secure: secure}, "starttls"},
		"encrypted throughout":  {&smtpServer{user: "desk", password: "open sesame", secure: secure, fromStart: true}, "tls"},
		"hung up on afterwards": {&smtpServer{say: map[string]string{"RSET": "cut"}}, "none"},
	} {
		t.Run(name, func(t *testing.T) {
			s := startSMTP(t, tt.server)
			mailBy(t, d, s, tt.encryption)
			r := desktest.Must(t, d, bus.CallerTest, "email.sendReceipt", `{"orderId":"`+id+`"}`, nil)
			letters, connected := s.taken()
			if len(letters) != 1 || connected != 1 || s.to[0] != "TO:<ana.ruiz@example.com>" {
				t.Fatalf("%d letters, %d connections, to %v", len(letters), connected, s.to)
			}
			if fact, _ := json.Marshal(r.Facts["recipient"]); string(fact) != `"ana.ruiz@example.com"` {
				t.Errorf("facts %v", r.Facts)
			}
			texts := partsOf(t, letters[0])
			if !strings.Contains(texts["text/plain"], "Hello Ana Ruiz") ||
				!strings.Contains(texts["text/html"], "<p>Hello Ana Ruiz") ||
				!strings.HasPrefix(texts["application/pdf"], "%PDF-") {
				t.Errorf("the letter has the parts %q", texts)
			}
		})
	}
}

// partsOf are the parts of a letter by their type, decoded.
func partsOf(t *testing.T, letter string) map[string]string {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(letter))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	collect(t, m.Header.Get("Content-Type"), m.Body, all)
	return all
}

func collect(t *testing.T, contentType string, body io.Reader, all map[string]string) {
	t.Helper()
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(kind, "multipart/") {
		text, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		all[kind] = string(text)
		return
	}
	parts := multipart.NewReader(body, params["boundary"])
	for {
		p, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		collect(t, p.Header.Get("Content-Type"), decoded(p), all)
	}
}

// decoded decodes the body of a part.
func decoded(p *multipart.Part) io.Reader {
	if p.Header.Get("Content-Transfer-Encoding") == "base64" {
		return base64.NewDecoder(base64.StdEncoding, p)
	}
	return quotedprintable.NewReader(p)
}

func TestMailIsRefusedInPlainWords(t *testing.T) {
	secure, pool := ownCertificate(t)
	friends, strangers := desktest.WithoutKeychain(t, pool), desktest.WithoutKeychain(t, nil)
	for name, tt := range map[string]struct {
		server     *smtpServer
		encryption string
		strangers  bool // nobody vouches for the certificate
		code       bus.Code
		reason     bus.Reason
		says       string
	}{
		"wrong password": {&smtpServer{user: "desk", password: "another"}, "none", false, bus.PreconditionFailed,
			bus.ReasonState, "refused the password of desk"},
		"no such recipient": {&smtpServer{say: map[string]string{"RCPT": "550 5.1.1 no such user\tat all"}}, "none", false,
			bus.PreconditionFailed, bus.ReasonState, "refused the recipient bo@example.com: 5.1.1 no such user at all."},
		"sender not allowed": {&smtpServer{say: map[string]string{"MAIL": "553 not yours"}}, "none", false,
			bus.PreconditionFailed, bus.ReasonState, "refused the sender orders@northlight.example: not yours"},
		"taken for spam": {&smtpServer{say: map[string]string{".": "554 spam"}}, "none", false, bus.PreconditionFailed,
			bus.ReasonState, "refused the mail: spam"},
		"unknown certificate": {&smtpServer{secure: secure}, "starttls", true, bus.PreconditionFailed, bus.ReasonState,
			"is not trusted"},
		"a stranger's TLS": {&smtpServer{secure: secure, fromStart: true}, "tls", true, bus.PreconditionFailed,
			bus.ReasonState, "is not trusted"},
		"no encryption there": {&smtpServer{}, "starttls", false, bus.PreconditionFailed, bus.ReasonState,
			"cannot be used as it is set"},
		"no TLS on that port": {&smtpServer{}, "tls", false, bus.PreconditionFailed, bus.ReasonState, "does not speak TLS"},
		"cut off in the end": {&smtpServer{say: map[string]string{".": "cut"}}, "none", false, bus.Transient,
			bus.ReasonInterrupted, "nobody knows"},
	} {
		t.Run(name, func(t *testing.T) {
			s := startSMTP(t, tt.server)
			d := friends
			if tt.strangers {
				d = strangers
			}
			mailBy(t, d, s, tt.encryption)
			r := sendReceipt(t.Context(), d, desktest.AnasOrder(t, d), "bo@example.com", "")
			if r.OK() || r.Err.Code != tt.code || r.Err.Reason != tt.reason || !strings.Contains(r.Err.Message, tt.says) ||
				r.Err.Hint == "" {
				t.Errorf("%+v", r.Err)
			}
			if _, connected := s.taken(); connected != 1 {
				t.Errorf("%d connections", connected)
			}
		})
	}
}

// TestB4AMailOfUnknownOutcomeIsNotSentAgain: repeating it with the key gives the same error, and reaches no server.
// holds: B4
func TestB4AMailOfUnknownOutcomeIsNotSentAgain(t *testing.T) {
	s := startSMTP(t, &smtpServer{say: map[string]string{".": "cut"}})
	d := mailed(t, s, "none")
	id := desktest.AnasOrder(t, d)
	for range 3 {
		if r := sendReceipt(t.Context(), d, id, "bo@example.com", "once"); r.OK() || r.Err.Reason != bus.ReasonInterrupted ||
			r.Err.Retryable() {
			t.Errorf("%+v", r.Err)
		}
	}
	if letters, connected := s.taken(); len(letters) != 1 || connected != 1 {
		t.Errorf("%d letters over %d connections", len(letters), connected)
	}
}

// TestC10APutOffMailIsTriedAgain: greylisting servers ask for that.
// holds: C10
func TestC10APutOffMailIsTriedAgain(t *testing.T) {
	s := startSMTP(t, &smtpServer{greylist: true})
	d := mailed(t, s, "none")
	if r := sendReceipt(t.Context(), d, desktest.AnasOrder(t, d), "bo@example.com", ""); !r.OK() {
		t.Fatal(r.Err)
	}
	if letters, connected := s.taken(); len(letters) != 1 || connected != 2 {
		t.Errorf("%d letters over %d connections", len(letters), connected)
	}
}

// TestASlowMailServerIsGivenUp when the person says so, wherever it is slow.
func TestASlowMailServerIsGivenUp(t *testing.T) {
	d := desktest.WithoutKeychain(t, nil)
	for _, at := range []string{"EHLO", "RCPT", "."} {
		s := startSMTP(t, &smtpServer{say: map[string]string{at: "wait"}})
		mailBy(t, d, s, "none")
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-s.arrived
			cancel()
		}()
		r := sendReceipt(ctx, d, desktest.AnasOrder(t, d), "bo@example.com", "")
		if r.OK() || r.Err.Reason != bus.ReasonInterrupted {
			t.Errorf("at %s: %+v", at, r.Err)
		}
		cancel()
	}
}

// TestAMailThatIsGivenUpHangsUp at once, and not when the server's time is over.
func TestAMailThatIsGivenUpHangsUp(t *testing.T) {
	s := startSMTP(t, &smtpServer{say: map[string]string{"RCPT": "wait"}})
	ctx, cancel := context.WithCancel(t.Context())
	sent := make(chan error, 1)
	go func() {
		sent <- smtp.Sender{}.Send(ctx, shop.MailServer{Host: "127.0.0.1", Port: s.port, Encryption: "none",
			From: "a@b.example"}, shop.Mail{To: "c@d.example", Date: time.Now()})
	}()
	<-s.arrived
	cancel()
	select {
	case err := <-sent:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	case <-time.After(smtp.AnswerTimeout * 2 / 3):
		t.Error("it still waits for the server")
	}
}

func TestAMailServerThatIsNotThereIsSaid(t *testing.T) {
	s := startSMTP(t, &smtpServer{say: map[string]string{"EHLO": "cut", "HELO": "cut"}})
	err := smtp.Sender{}.Send(t.Context(), shop.MailServer{Host: "127.0.0.1", Port: s.port, Encryption: "none",
		From: "a@b.example"}, shop.Mail{To: "c@d.example", Date: time.Now()})
	var e *bus.Error
	if !errors.As(err, &e) || e.Reason != bus.ReasonNetwork {
		t.Errorf("broken off at once: %v", err)
	}
	err = smtp.Sender{}.Send(t.Context(), shop.MailServer{Host: "127.0.0.1", Port: 1, Encryption: "none",
		From: "a@b.example"}, shop.Mail{To: "c@d.example", Date: time.Now()})
	if !errors.As(err, &e) || e.Reason != bus.ReasonNetwork || !strings.Contains(e.Message, "cannot be reached") {
		t.Errorf("nobody there: %v", err)
	}
}

// TestNoHeaderIsSmuggledIn: what people are called begins no line of its own.
func TestNoHeaderIsSmuggledIn(t *testing.T) {
	s := startSMTP(t, &smtpServer{})
	evil := "Ana\r\nBcc: evil@example.com\r\n\r\nBuy <b>now</b>"
	err := smtp.Sender{}.Send(t.Context(), shop.MailServer{Host: "127.0.0.1", Port: s.port, Encryption: "none",
		From: "a@b.example", FromName: evil},
		shop.Mail{ID: "m1", To: "c@d.example", Subject: evil, Text: "Hi\r\n.\r\nMAIL FROM:<x@y.example>", Date: time.Now(),
			Attachments: []shop.Attachment{{Name: evil, Type: "application/pdf", Data: []byte("%PDF-")}}})
	if err != nil {
		t.Fatal(err)
	}
	letters, _ := s.taken()
	m, err := mail.ReadMessage(bytes.NewReader([]byte(letters[0])))
	if err != nil || len(letters) != 1 || len(s.to) != 1 || m.Header.Get("Bcc") != "" ||
		strings.Contains(letters[0], "\r\nBcc:") {
		t.Errorf("%v: to %v\n%s", err, s.to, letters[0])
	}
	if subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")); err != nil ||
		subject != "Ana Bcc: evil@example.com Buy <b>now</b>" {
		t.Errorf("subject %q, %v", subject, err)
	}
	for _, to := range []string{"c@d.example\r\nBcc: evil@example.com", "c@d.example>\r\nRCPT TO:<evil@example.com",
		"no address", "a@b.example, c@d.example"} {
		var e *bus.Error
		if err := (smtp.Sender{}).Send(t.Context(), shop.MailServer{Host: "127.0.0.1", Port: s.port, Encryption: "none",
			From: "a@b.example"}, shop.Mail{To: to, Date: time.Now()}); !errors.As(err, &e) || e.Code != bus.Validation {
			t.Errorf("to %q: %v", to, err)
		}
	}
	if _, connected := s.taken(); connected != 1 {
		t.Errorf("%d connections", connected)
	}
}

// TestA8ThePreviewIsTheMail: nothing is sent, and a person sees all of it.
// holds: A8
func TestA8ThePreviewIsTheMail(t *testing.T) {
	s := startSMTP(t, &smtpServer{})
	d := mailed(t, s, "none")
	id := desktest.AnasOrder(t, d)
	r := d.Bus.Invoke(t.Context(), bus.Invocation{Capability: "email.sendReceipt",
		Arguments: json.RawMessage(`{"orderId":"` + id + `"}`), DryRun: true,
		Principal: d.Person, Caller: bus.Caller{Type: bus.CallerTest}})
	for _, want := range []string{`"to":"ana.ruiz@example.com"`, `"subject":"Your receipt for order ` + id +
		` from Northlight Coffee"`, `Hello Ana Ruiz`, `"name":"receipt-` + id[1:] + `.pdf"`, `orders@northlight.example`} {
		if !strings.Contains(string(r.Data), want) {
			t.Errorf("no %s in %s", want, r.Data)
		}
	}
	if _, connected := s.taken(); connected != 0 || r.Facts["customerId"] != "cus_201100" {
		t.Errorf("%d connections, facts %v", connected, r.Facts)
	}
}

func TestATestMailIsSent(t *testing.T) {
	s := startSMTP(t, &smtpServer{})
	d := mailed(t, s, "none")
	desktest.Must(t, d, bus.CallerTest, "settings.testMail", `{}`, nil)
	if letters, _ := s.taken(); len(letters) != 1 || !strings.Contains(letters[0], "A test mail from Northlight Coffee") ||
		s.to[0] != "TO:<orders@northlight.example>" {
		t.Errorf("to %v: %q", s.to, letters)
	}
}
