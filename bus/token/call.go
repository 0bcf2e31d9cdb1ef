package token

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/remote"
)

// maxAnswer limits the response to a call, in bytes.
const maxAnswer = 16 << 20

// CheckLocation returns the reason why calls may not go to a location. Valid are https addresses, and http addresses of
// this computer.
func CheckLocation(location string) error {
	to, err := url.Parse(location)
	if err != nil || to.Host == "" || to.User != nil || to.Scheme != "https" && !(to.Scheme == "http" && isLoopback(to)) {
		return fmt.Errorf("%q is no https address, nor an http address of this computer", location)
	}
	return nil
}

// Invoker returns an invoker for calls to a location. Each call is one POST of the invocation, with a token for it and
// for the person of the invocation. It follows no redirect, because a token is for one audience. Without a client it
// uses one without a proxy.
func (i Issuer) Invoker(location string, client *http.Client) (remote.Invoker, error) {
	if err := CheckLocation(location); err != nil {
		return nil, fmt.Errorf("token: %w", err)
	}
	caller := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // a kept connection may repeat a call
	if client != nil {
		caller = *client
	}
	caller.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return func(ctx context.Context, inv bus.Invocation, _ func(bus.Event)) bus.Result {
		r, err := i.post(ctx, &caller, location, inv)
		if err != nil {
			return bus.Result{Status: bus.StatusError, RequestID: inv.RequestID, Err: err}
		}
		return r
	}, nil
}

func isLoopback(to *url.URL) bool {
	ip := net.ParseIP(to.Hostname())
	return to.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// post makes one call.
func (i Issuer) post(ctx context.Context, client *http.Client, location string, inv bus.Invocation) (r bus.Result,
	_ *bus.Error) {
	unsent := bus.Errorf(bus.Transient, bus.ReasonNetwork, "%s cannot be reached: nothing was sent.", location).
		WithHint("See that it is there, then retry.")
	signed, err := i.Issue(location, inv.Principal.ID, inv.Capability, inv.Arguments, inv.TraceID, time.Minute)
	if err != nil {
		return r, unsent.WithCause(err)
	}
	body, err := json.Marshal(inv)
	if err != nil {
		return r, unsent.WithCause(err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, location, bytes.NewReader(body))
	if err != nil {
		return r, unsent.WithCause(err)
	}
	req.Header.Set("Authorization", "Bearer "+signed)
	req.Header.Set("Content-Type", "application/json")
	res, err := client.Do(req)
	if dial := (*net.OpError)(nil); errors.As(err, &dial) && dial.Op == "dial" {
		return r, unsent.WithCause(err)
	}
	if err != nil {
		return r, remote.Unanswered(inv).WithCause(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	switch {
	case res.StatusCode == http.StatusUnauthorized:
		return r, refused(location, answer)
	case err != nil || res.StatusCode != http.StatusOK:
		return r, remote.Unanswered(inv).WithCause(errors.Join(fmt.Errorf("it answered %s", res.Status), err))
	}
	err = json.Unmarshal(answer, &r)
	if err == nil && inv.RequestID != "" && r.RequestID != inv.RequestID {
		err = fmt.Errorf("it is the result of %q", r.RequestID)
	}
	if err != nil {
		return bus.Result{}, bus.Errorf(bus.Internal, bus.ReasonResponse,
			"%s answered something that is no result of this call.", location).
			WithHint("See what it did by hand.").WithCause(err)
	}
	return r, nil
}

// refused returns the error for a response without a result. It contains the reason if a receiver of this package sent
// one.
func refused(location string, answer []byte) *bus.Error {
	hint := "See that it has the public key of this application."
	why, _ := strings.CutPrefix(strings.TrimSpace(string(answer)), refusal)
	switch Reason(why) {
	case Before, Expired:
		hint = "Retry; if it is refused again, compare the clocks of both computers."
	case Audience:
		hint = "See that it is known there by the location that its file says."
	case Signature, Unreadable, TooLong, Subject, Capability, Arguments, Replayed:
	default:
		why = "it does not say why" // text from other programs must not appear in messages
	}
	return bus.Errorf(bus.Forbidden, bus.ReasonPermission, "%s refused the token of this call: %s.", location, why).
		WithHint("%s", hint).WithCause(fmt.Errorf("%s", answer))
}
