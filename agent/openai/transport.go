package openai

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
)

// maxBody is how much of an answer that is not a stream is read.
const maxBody = 8 << 20

// streamEnd is how the body of a streamed reply ended. The transport writes it
// while the client reads; both belong to one request and one goroutine.
type streamEnd struct {
	done   bool  // [DONE] was seen
	pieces bool  // it came as a stream
	err    error // the stream reported an error, or broke
}

type streamEndKey struct{}

// transport stands under the client: it adds the key, turns every answer that
// is not a stream of chunks into an error that says what to do, and rewrites
// the stream into the one form the client reads without loss.
type transport struct{ *endpoint }

// RoundTrip implements http.RoundTripper. A request without a streamEnd gets its answer as it is.
func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	key := ""
	if t.o.Key != nil {
		var err error
		if key, err = t.o.Key(); err != nil {
			e := problem(ProblemKey, "The key could not be read: %v.", err)
			e.cause = err
			return nil, e
		}
		if key != "" {
			req = req.Clone(req.Context())
			req.Header.Set("Authorization", "Bearer "+key)
		}
	}
	resp, err := t.base.RoundTrip(req)
	if err != nil {
		return nil, unreachable(t.address, err)
	}
	if resp.StatusCode != http.StatusOK { // a redirect too: it would carry the key elsewhere
		body, _ := io.ReadAll(io.LimitReader(resp.Body, maxBody))
		_ = resp.Body.Close()
		return nil, statusProblem(t.address, t.o.Model, resp, withoutKey(body, key))
	}
	if end, streams := req.Context().Value(streamEndKey{}).(*streamEnd); streams {
		body, err := t.normalise(resp, end, key)
		if err != nil {
			_ = resp.Body.Close()
			return nil, err
		}
		resp.Body, resp.ContentLength = body, -1
	}
	return resp, nil
}

// normalise looks at what really came. The content type alone is not believed:
// streams come as text/plain, errors as text/event-stream.
func (t transport) normalise(resp *http.Response, end *streamEnd, key string) (io.ReadCloser, error) {
	r := bufio.NewReaderSize(resp.Body, 64<<10)
	if bom, _ := r.Peek(3); bytes.Equal(bom, []byte("\xef\xbb\xbf")) {
		_, _ = r.Discard(3)
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch first := firstByte(r); {
	case first == '<' || kind == "text/html":
		return nil, problem(ProblemNotAModel,
			"%s answers with a web page, not with a model's reply. The address usually ends in /v1.", t.address)
	case first == '{':
		return wholeReply(r, resp.Body, end, key)
	}
	end.pieces = true
	return &streamBody{Closer: resp.Body, lines: r, end: end, key: key}, nil
}

// firstByte peeks at the first byte that is not white space.
func firstByte(r *bufio.Reader) byte {
	for n := 1; n <= 4096; n++ {
		seen, _ := r.Peek(n) // an empty or broken body is found out by reading it
		if len(seen) < n {
			return 0
		}
		if c := seen[n-1]; !strings.ContainsRune(" \t\r\n", rune(c)) {
			return c
		}
	}
	return 0
}

// wholeReply handles 200 with one JSON document: an error, or a reply from an
// endpoint that does not stream, which is given on as a stream of one chunk.
func wholeReply(r io.Reader, body io.Closer, end *streamEnd, key string) (io.ReadCloser, error) {
	var document json.RawMessage
	if err := json.NewDecoder(io.LimitReader(r, maxBody)).Decode(&document); err != nil {
		return nil, cutOff(err)
	}
	var line bytes.Buffer
	if err := json.Compact(&line, withoutKey(document, key)); err != nil {
		return nil, cutOff(err)
	}
	whole := &streamBody{Closer: body, end: end}
	whole.write(line.Bytes())
	end.done = true
	whole.close()
	return whole, nil
}

// withoutKey takes the key out of what an endpoint says: some quote it when they
// refuse it, and what they say is shown, kept and recorded.
func withoutKey(said []byte, key string) []byte {
	if key == "" {
		return said
	}
	return bytes.ReplaceAll(said, []byte(key), []byte(text.Redacted))
}

func cutOff(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e := problem(ProblemCut, "The reply was cut off, so nothing in it was run. Try again.")
	e.cause = err
	return e
}
