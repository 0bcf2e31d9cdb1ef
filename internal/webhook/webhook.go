// Package webhook calls the shop's webhooks: signed, over HTTPS, or over HTTP on this computer.
package webhook

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
)

// SignatureHeader contains the time of a call and its signature:
//
//	Deskhand-Signature: t=1773327845,v1=<hex>
//
// where v1 is the HMAC-SHA256, with the webhook's secret as the key, of the digits of t, a point, and the bytes of the
// body.
const SignatureHeader = "Deskhand-Signature"

// answerTimeout limits the time for an answer of a receiver.
const answerTimeout = 10 * time.Second

// Caller implements [shop.Hooks].
type Caller struct {
	UserAgent string
	Roots     *x509.CertPool // trusted certificates; nil: the system's
	Clock     func() time.Time
}

var _ shop.Hooks = Caller{}

// Sign returns the value of the signature header.
func Sign(secret string, at time.Time, body []byte) string {
	t := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(t + "."))
	mac.Write(body)
	return "t=" + t + ",v1=" + hex.EncodeToString(mac.Sum(nil))
}

// Deliver implements [shop.Hooks].
func (c Caller) Deliver(ctx context.Context, d shop.Delivery) (int, error) {
	to, err := url.Parse(d.URL)
	if err != nil || !(to.Scheme == "https" || to.Scheme == "http" && thisComputer(to.Hostname())) {
		return 0, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The webhook has no address that may be called.").
			WithHint("Give it one with https in the settings.")
	}
	limited, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	var sent atomic.Bool // the receiver may have it
	limited = httptrace.WithClientTrace(limited,
		&httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }})
	request, err := http.NewRequestWithContext(limited, http.MethodPost, d.URL, bytes.NewReader(d.Body))
	if err != nil {
		return 0, fmt.Errorf("make the call: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", c.UserAgent)
	request.Header.Set("Idempotency-Key", d.ID)
	request.Header.Set(SignatureHeader, Sign(d.Secret, c.Clock(), d.Body))
	answer, err := c.client().Do(request)
	if err != nil && ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if err != nil {
		return 0, connectProblem(to.Host, sent.Load(), err)
	}
	const enough = 64 << 10 // the body is ignored, but read far enough for a clean close
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, enough))
	_ = answer.Body.Close()
	return answer.StatusCode, statusProblem(to.Host, answer.StatusCode)
}

func thisComputer(host string) bool { return host == "localhost" || net.ParseIP(host).IsLoopback() }

// client returns a client for one call. A shared transport would repeat a call that it sent over a reused connection.
func (c Caller) client() *http.Client {
	return &http.Client{
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, ForceAttemptHTTP2: true,
			TLSClientConfig: &tls.Config{RootCAs: c.Roots, MinVersion: tls.VersionTLS12}},
		CheckRedirect: func(next *http.Request, before []*http.Request) error {
			const most = 3
			first := before[0]
			if len(before) > most || next.Method != first.Method ||
				next.URL.Scheme != first.URL.Scheme || next.URL.Host != first.URL.Host {
				return http.ErrUseLastResponse // the redirect's status is the answer
			}
			return nil
		},
	}
}

// connectProblem explains why there was no answer.
func connectProblem(host string, sent bool, err error) error {
	if sent {
		return bus.Errorf(bus.Transient, bus.ReasonInterrupted,
			"%s broke off before it answered; nobody knows whether it took the call.", host).
			WithCause(err).WithHint("Look there; to call it again use a new idempotency key.")
	}
	if errors.As(err, new(*tls.CertificateVerificationError)) {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState,
			"The certificate of %s is not trusted: somebody else could be in its place.", host).
			WithCause(err).WithHint("Look at the webhook's address in the settings.")
	}
	return bus.Errorf(bus.Transient, bus.ReasonNetwork, "%s cannot be reached.", host).WithCause(err).
		WithHint("Try again in a while; nothing was sent.")
}

// statusProblem returns nil for a 2xx status.
func statusProblem(host string, status int) error {
	switch {
	case status >= 200 && status < 300:
		return nil
	case status >= 300 && status < 400:
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState,
			"%s answered with %d: it wants the call at another address.", host, status).
			WithHint("Set the webhook's address to where it leads, if you trust that place.")
	case status == http.StatusRequestTimeout, status == http.StatusTooManyRequests, status >= 500:
		return bus.Errorf(bus.Transient, bus.ReasonNetwork,
			"%s does not take the call now: it answered with %d.", host, status).WithHint("Try again in a while.")
	}
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonState,
		"%s refused the call: it answered with %d.", host, status).
		WithHint("Compare the webhook's address and secret with what the receiver expects.")
}
