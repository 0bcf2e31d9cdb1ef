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
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/remote"
)

// maxAnswer bounds the answer of a call, in bytes.
const maxAnswer = 16 << 20

// Invoker makes calls at a location: one POST of the invocation each, with a token for it. The location is an https
// address, or an http address of this computer. A redirect is not followed: the token is for nobody else. client is nil
// for one without a proxy.
func (i Issuer) Invoker(location, subject string, client *http.Client) (remote.Invoker, error) {
	to, err := url.Parse(location)
	if err != nil || to.Host == "" || to.User != nil || to.Scheme != "https" && !(to.Scheme == "http" && isLoopback(to)) {
		return nil, fmt.Errorf("token: %q is no https address, nor an http address of this computer", location)
	}
	caller := http.Client{Transport: &http.Transport{}}
	if client != nil {
		caller = *client
	}
	caller.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return func(ctx context.Context, inv bus.Invocation, _ func(bus.Event)) bus.Result {
		r, err := i.post(ctx, &caller, location, subject, inv)
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
func (i Issuer) post(ctx context.Context, client *http.Client, location, subject string, inv bus.Invocation,
) (r bus.Result, _ *bus.Error) {
	unsent := bus.Errorf(bus.Transient, bus.ReasonNetwork, "%s cannot be reached: nothing was sent.", location).
		WithHint("See that it is there, then retry.")
	signed, err := i.Issue(location, subject, inv.Capability, inv.Arguments, inv.TraceID, time.Minute)
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
		return r, bus.Errorf(bus.Forbidden, bus.ReasonPermission, "%s does not accept the token of this call.", location).
			WithHint("See that it has the public key of this application.").WithCause(fmt.Errorf("%s", answer))
	case err != nil || res.StatusCode != http.StatusOK:
		return r, remote.Unanswered(inv).WithCause(errors.Join(fmt.Errorf("it answered %s", res.Status), err))
	}
	if err := json.Unmarshal(answer, &r); err != nil {
		return r, bus.Errorf(bus.Internal, bus.ReasonResponse, "%s answered something that is no result.", location).
			WithHint("See what it did by hand.").WithCause(err)
	}
	return r, nil
}
