package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
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

// signatureHeader says when a call was sent, and that it is ours:
//
//	Deskhand-Signature: t=1773327845,v1=<hex>
//
// where v1 is the HMAC-SHA256, with the webhook's secret as the key, of the digits
// of t, a point, and the bytes of the body.
const signatureHeader = "Deskhand-Signature"

// hookTimeout is how long a receiver may take to answer.
const hookTimeout = 10 * time.Second

// hooks is shop.Hooks: webhooks are called over HTTPS, or over HTTP on this
// computer.
type hooks struct {
	roots *x509.CertPool // whose certificates are trusted; nil: the system's
	clock func() time.Time
}

var _ shop.Hooks = hooks{}

// sign is the value of the signature header.
func sign(secret string, at time.Time, body []byte) string {
	t := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(t + "."))
	mac.Write(body)
	return "t=" + t + ",v1=" + hex.EncodeToString(mac.Sum(nil))
}

// Deliver implements [shop.Hooks].
func (h hooks) Deliver(ctx context.Context, d shop.Delivery) (int, error) {
	to, err := url.Parse(d.URL)
	if err != nil || !(to.Scheme == "https" || to.Scheme == "http" && thisComputer(to.Hostname())) {
		return 0, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The webhook has no address that may be called.").WithHint("Give it one with https in the settings.")
	}
	patient, cancel := context.WithTimeout(ctx, hookTimeout)
	defer cancel()
	var begun atomic.Bool // the receiver may have it
	patient = httptrace.WithClientTrace(patient, &httptrace.ClientTrace{WroteHeaders: func() { begun.Store(true) }})
	request, err := http.NewRequestWithContext(patient, http.MethodPost, d.URL, bytes.NewReader(d.Body))
	if err != nil {
		return 0, fmt.Errorf("make the call: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "Deskhand/"+version)
	request.Header.Set("Idempotency-Key", d.ID)
	request.Header.Set(signatureHeader, sign(d.Secret, h.clock(), d.Body))
	answer, err := h.client().Do(request)
	if err != nil && ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if err != nil {
		return 0, hookProblem(to.Host, begun.Load(), err)
	}
	const enough = 64 << 10 // of an answer that nobody reads
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, enough))
	_ = answer.Body.Close()
	return answer.StatusCode, statusProblem(to.Host, answer.StatusCode)
}

func thisComputer(host string) bool { return host == "localhost" || net.ParseIP(host).IsLoopback() }

// client is made for one call: the transport repeats by itself what it sent over
// a connection it had kept.
func (h hooks) client() *http.Client {
	return &http.Client{
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, ForceAttemptHTTP2: true,
			TLSClientConfig: &tls.Config{RootCAs: h.roots, MinVersion: tls.VersionTLS12}},
		CheckRedirect: func(next *http.Request, before []*http.Request) error {
			const most = 3
			first := before[0]
			if len(before) > most || next.Method != first.Method || next.URL.Scheme != first.URL.Scheme || next.URL.Host != first.URL.Host {
				return http.ErrUseLastResponse // and its status is the answer
			}
			return nil
		},
	}
}

// hookProblem says why there was no answer.
func hookProblem(host string, begun bool, err error) error {
	if begun {
		return bus.Errorf(bus.Transient, bus.ReasonInterrupted, "%s broke off before it answered; nobody knows whether it took the call.", host).
			WithCause(err).WithHint("Look there; to call it again use a new idempotency key.")
	}
	if certificateProblem(err) {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The certificate of %s is not trusted: somebody else could be in its place.", host).
			WithCause(err).WithHint("Look at the webhook's address in the settings.")
	}
	return bus.Errorf(bus.Transient, bus.ReasonNetwork, "%s cannot be reached.", host).WithCause(err).WithHint("Try again in a while; nothing was sent.")
}

// statusProblem is nil for what counts as taken.
func statusProblem(host string, status int) error {
	switch {
	case status >= 200 && status < 300:
		return nil
	case status >= 300 && status < 400:
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s answered with %d: it wants the call at another address.", host, status).
			WithHint("Set the webhook's address to where it leads, if you trust that place.")
	case status == http.StatusRequestTimeout, status == http.StatusTooManyRequests, status >= 500:
		return bus.Errorf(bus.Transient, bus.ReasonNetwork, "%s does not take the call now: it answered with %d.", host, status).WithHint("Try again in a while.")
	}
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s refused the call: it answered with %d.", host, status).
		WithHint("Compare the webhook's address and secret with what the receiver expects.")
}
