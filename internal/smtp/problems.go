package smtp

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
	"github.com/wneessen/go-mail"
)

const checkSettings = "Look at the mail settings; settings.testMail tries them."

// retry returns the error of a failure before the server had the mail, so that a retry is safe.
func retry(cause error, format string, args ...any) error {
	return bus.Errorf(bus.Transient, bus.ReasonNetwork, format, args...).WithCause(cause).
		WithHint("Try again in a while; nothing was sent.")
}

// connectProblem explains why no session with the server started. Nothing was sent.
func connectProblem(server shop.MailServer, err error) error {
	var answer *textproto.Error
	var lookup *net.DNSError
	refused := func(format string, args ...any) *bus.Error {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, format, args...).WithCause(err).
			WithHint(checkSettings)
	}
	switch {
	case errors.As(err, &answer) && answer.Code >= 400 && answer.Code < 500:
		return retry(err, "The mail server %s is not ready: %s.", server.Host, oneLine(answer.Msg))
	case errors.As(err, &answer) && slices.Contains([]int{530, 534, 535, 538}, answer.Code):
		return refused("The mail server %s refused the password of %s.", server.Host, server.Username)
	case errors.As(err, &answer):
		return refused("The mail server %s refused to talk: %s.", server.Host, oneLine(answer.Msg))
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return refused("The certificate of the mail server %s is not trusted: somebody else could be in its place.",
			server.Host)
	case errors.As(err, new(tls.RecordHeaderError)):
		return refused("The mail server %s does not speak TLS on port %d.", server.Host, server.Port)
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return refused("There is no mail server called %s.", server.Host)
	case errors.As(err, new(net.Error)), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return retry(err, "The mail server %s cannot be reached on port %d.", server.Host, server.Port)
	}
	// Otherwise the server lacks encryption or a way to sign in.
	return refused("The mail server %s cannot be used as it is set: %s.", server.Host, oneLine(err.Error()))
}

// sendProblem explains why a mail was refused, or that the outcome is unknown.
func sendProblem(server shop.MailServer, m shop.Mail, err error) error {
	var problem *mail.SendError
	if !errors.As(err, &problem) {
		return outcomeUnknown(server, err)
	}
	code := problem.ErrorCode()
	if code == 0 { // no answer
		if problem.Reason == mail.ErrSMTPDataClose {
			return outcomeUnknown(server, err)
		}
		return retry(err, "The mail server %s broke off before it had the mail.", server.Host)
	}
	if code < 500 {
		return retry(err, "The mail server %s does not take the mail now: %s.", server.Host, serverAnswer(problem))
	}
	what, hint := "the mail", checkSettings
	switch problem.Reason {
	case mail.ErrSMTPMailFrom:
		what = "the sender " + server.From
	case mail.ErrSMTPRcptTo:
		what, hint = "the recipient "+m.To, "Ask for the right address; customer.update changes it."
	}
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The mail server %s refused %s: %s.", server.Host, what,
		serverAnswer(problem)).WithCause(err).WithHint("%s", hint)
}

// outcomeUnknown returns the error for a mail that was sent without an answer.
func outcomeUnknown(server shop.MailServer, err error) error {
	return bus.Errorf(bus.Transient, bus.ReasonInterrupted,
		"The mail server %s broke off after it had the mail; nobody knows whether it is delivered.", server.Host).
		WithCause(err).WithHint("Ask the recipient; to send it again use a new idempotency key.")
}

// serverAnswer returns the server's text after its code, on one line. The client library only provides it within a
// sentence.
func serverAnswer(problem *mail.SendError) string {
	said := problem.Error()
	if _, after, found := strings.Cut(said, fmt.Sprintf("%d ", problem.ErrorCode())); found {
		said = after
	}
	said, _, _ = strings.Cut(said, ", affected ")
	if plain, err := strconv.Unquote(said); err == nil {
		said = plain
	}
	return strings.TrimRight(oneLine(said), ".")
}
