package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
	"github.com/wneessen/go-mail"
)

// Hints of more than one problem.
const (
	lookAtMailSettings = "Look at the mail settings; settings.testMail tries them."
	mailTriedAgain     = "Try again in a while; nothing was sent."
)

// connectProblem says why no talk with the server began. Nothing was sent.
func connectProblem(server shop.MailServer, err error) error {
	var noTLS tls.RecordHeaderError
	var answer *textproto.Error
	var lookup *net.DNSError
	var network net.Error
	refused := func(format string, args ...any) *bus.Error {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, format, args...).WithCause(err).WithHint(lookAtMailSettings)
	}
	switch {
	case errors.As(err, &answer) && answer.Code >= 400 && answer.Code < 500:
		return bus.Errorf(bus.Transient, bus.ReasonNetwork, "The mail server %s is not ready: %s.", server.Host, oneLine(answer.Msg)).WithCause(err).WithHint(mailTriedAgain)
	case errors.As(err, &answer) && (answer.Code == 530 || answer.Code == 534 || answer.Code == 535 || answer.Code == 538):
		return refused("The mail server %s refused the password of %s.", server.Host, server.Username)
	case errors.As(err, &answer):
		return refused("The mail server %s refused to talk: %s.", server.Host, oneLine(answer.Msg))
	case certificateProblem(err):
		return refused("The certificate of the mail server %s is not trusted: somebody else could be in its place.", server.Host)
	case errors.As(err, &noTLS):
		return refused("The mail server %s does not speak TLS on port %d.", server.Host, server.Port)
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return refused("There is no mail server called %s.", server.Host)
	case errors.As(err, &network), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return bus.Errorf(bus.Transient, bus.ReasonNetwork, "The mail server %s cannot be reached on port %d.", server.Host, server.Port).WithCause(err).WithHint(mailTriedAgain)
	}
	// What is left is what the server lacks: encryption, or a way to sign in.
	return refused("The mail server %s cannot be used as it is set: %s.", server.Host, oneLine(err.Error()))
}

// certificateProblem reports whether the other side could not show who it is.
func certificateProblem(err error) bool {
	var verification *tls.CertificateVerificationError
	return errors.As(err, &verification)
}

// sendProblem says why a letter was not taken, or that nobody knows.
func sendProblem(server shop.MailServer, m shop.Mail, err error) error {
	var problem *mail.SendError
	if !errors.As(err, &problem) {
		return unknownMail(server, err)
	}
	code := problem.ErrorCode()
	if code == 0 { // no answer
		if problem.Reason == mail.ErrSMTPDataClose {
			return unknownMail(server, err)
		}
		return bus.Errorf(bus.Transient, bus.ReasonNetwork, "The mail server %s broke off before it had the mail.", server.Host).WithCause(err).WithHint(mailTriedAgain)
	}
	if code < 500 {
		return bus.Errorf(bus.Transient, bus.ReasonNetwork, "The mail server %s does not take the mail now: %s.", server.Host, serverWords(problem)).WithCause(err).WithHint(mailTriedAgain)
	}
	what, hint := "the mail", lookAtMailSettings
	switch problem.Reason {
	case mail.ErrSMTPMailFrom:
		what = "the sender " + server.From
	case mail.ErrSMTPRcptTo:
		what, hint = "the recipient "+m.To, "Ask for the right address; customer.update changes it."
	}
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The mail server %s refused %s: %s.", server.Host, what, serverWords(problem)).WithCause(err).WithHint("%s", hint)
}

// unknownMail is for a letter that was handed over without an answer.
func unknownMail(server shop.MailServer, err error) error {
	return bus.Errorf(bus.Transient, bus.ReasonInterrupted, "The mail server %s broke off after it had the mail; nobody knows whether it is delivered.", server.Host).
		WithCause(err).WithHint("Ask the recipient; to send it again use a new idempotency key.")
}

// serverWords are what the server said after its code, on one line. The client
// hands them on, quoted, in its own sentence only.
func serverWords(problem *mail.SendError) string {
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
