package openai

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
)

type eventsKey struct{}

// transport is the HTTP transport of the client. It adds the key, turns every failed answer into an error that names a
// way out, and reads the reply itself, because the client's reader cannot distinguish an end from a cut.
type transport struct{ *endpoint }

// RoundTrip implements http.RoundTripper. It returns the answer to a request without events unchanged.
func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	key := ""
	if t.o.Key != nil {
		var err error
		if key, err = t.o.Key(); err != nil {
			e := problem(ProblemKey, "The key could not be read: %v.", err)
			e.cause = err
			return nil, e
		}
	}
	req = req.Clone(req.Context())
	req.URL.RawQuery = t.query
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
		if strings.Contains(t.query, "api-version=") {
			req.Header.Set("Api-Key", key) // Azure's older form
		}
	}
	resp, err := t.base.RoundTrip(req)
	if err != nil {
		return nil, unreachable(t.address, err)
	}
	if resp.StatusCode != http.StatusOK { // a redirect too: it would send the key to another address
		body, _ := io.ReadAll(io.LimitReader(resp.Body, maxEvent))
		_ = resp.Body.Close()
		return nil, statusProblem(t.address, t.o.Model, resp, withoutKey(body, key))
	}
	if body, streams := req.Context().Value(eventsKey{}).(*events); streams {
		body.lines, body.key = bufio.NewScanner(&bounded{resp.Body, maxBody}), key
		body.lines.Buffer(nil, maxEvent)
	}
	return resp, nil
}

// bounded fails beyond its limit instead of ending, so that a cut does not look like the end.
type bounded struct {
	io.Reader
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, problem(ProblemCut, "The reply is larger than %d MB, so it was stopped and nothing in it was run.",
			maxBody>>20)
	}
	n, err := b.Reader.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// withoutKey removes the key from an endpoint's answer: some quote it when they refuse it, and the answer is shown,
// kept and recorded.
func withoutKey(said []byte, key string) []byte {
	if len(key) < minKey {
		return said
	}
	return bytes.ReplaceAll(said, []byte(key), []byte(text.Redacted))
}

func cutOff(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.As(err, new(*Error)) {
		return err
	}
	e := problem(ProblemCut, "The reply was cut off, so nothing in it was run. Try again.")
	e.cause = err
	return e
}
