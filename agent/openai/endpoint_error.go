package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/deskhand/deskhand/agent/internal/text"
)

// Problem classifies the failures of a model's endpoint.
type Problem string

// The problems that a person can solve.
const (
	ProblemUnreachable Problem = "unreachable"  // the server does not answer
	ProblemKey         Problem = "key"          // the key is missing or refused
	ProblemModel       Problem = "model"        // the endpoint does not have this model
	ProblemTools       Problem = "tools"        // the model cannot call tools
	ProblemNotAModel   Problem = "not_a_model"  // another kind of server answers
	ProblemBusy        Problem = "busy"         // rate limit or overload
	ProblemTooLong     Problem = "too_long"     // more text than the model can read
	ProblemCut         Problem = "cut"          // the reply did not end properly
	ProblemRefused     Problem = "refused"      // the endpoint refused the request
	ProblemEndpoint    Problem = "endpoint"     // the endpoint failed
	ProblemSettings    Problem = "not_settable" // the address or model is not usable
)

// Error is a failure of a model's endpoint. Its text is a sentence for the person that names a way out.
type Error struct {
	Problem    Problem
	Status     int           // HTTP status, 0 if there was none
	RetryAfter time.Duration // with ProblemBusy, if the endpoint named a time
	Learnt     bool          // with ProblemTooLong: the size of the context is known now

	sentence string
	body     string // of the answer, in small letters
	cause    error
}

// Error implements error.
func (e *Error) Error() string { return e.sentence }

// ForPeople marks errors whose text is for the person; see [model.Model].
func (e *Error) ForPeople() bool { return true }

// FitsLess reports whether a shorter request may succeed: see [agent.Bridge].
func (e *Error) FitsLess() bool { return e.Learnt }

// Unwrap returns the cause, if any.
func (e *Error) Unwrap() error { return e.cause }

func problem(p Problem, format string, args ...any) *Error {
	return &Error{Problem: p, sentence: fmt.Sprintf(format, args...)}
}

// unreachable explains a request without an answer.
func unreachable(address string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e := problem(ProblemUnreachable, "Nothing answers at %s. Is the model's server running, and is the address right?",
		address)
	e.cause = err
	return e
}

// statusProblem turns an answer other than 200 into a sentence. Endpoints share statuses but no codes, so the message
// decides if the status is ambiguous.
func statusProblem(address, model string, resp *http.Response, body []byte) *Error {
	said, words := endpointWords(body), strings.ToLower(string(body))
	status, wait := resp.StatusCode, retryAfter(resp.Header)
	e := problem(ProblemRefused, "The endpoint refused the request: %s", orStatus(said, status))
	switch {
	case status == http.StatusForbidden && mentions(words, "region", "country", "territory", "location"):
		e = problem(ProblemRefused, "%s does not answer requests from here; the key is not the matter. Choose another "+
			"endpoint.%s", address, quoted(said))
	case refusesKey(status, said, words):
		e = problem(ProblemKey, "The key was refused by %s. Check the key in the settings.%s", address, quoted(said))
	case status == http.StatusPaymentRequired, status == http.StatusTooManyRequests && wait == 0 && outOfCredit(words):
		e = problem(ProblemKey, "The account at %s has no credit left.%s", address, quoted(said))
	case status == http.StatusTooManyRequests || status == 529: // several providers' overload
		e = problem(ProblemBusy, "The endpoint is busy or over its limit.%s Try again later.", quoted(said))
		if wait > 0 {
			e.sentence = fmt.Sprintf("The endpoint is busy or over its limit; it asks to come back in %s.",
				text.Duration(wait))
		}
	case tooLong(status, words):
		e = longer(said)
	case status >= 500 || status == http.StatusRequestTimeout:
		e = problem(ProblemEndpoint, "The endpoint failed: %s Try again; if it stays so, look at its own log.",
			orStatus(said, status))
	case status >= 300 && status < 400:
		e = problem(ProblemNotAModel, "%s sends elsewhere (%s). Enter the address it really has.", address,
			text.Clean(resp.Header.Get("Location"), 120))
	case mentions(words, "not support tools", "support tool use", "tools is not supported", "tools are not supported",
		"does not support function", "tool calling is not supported"):
		e = problem(ProblemTools, "The model %s does not support tools, so it cannot do anything here. Choose one that "+
			"does.%s", model, quoted(said))
	case status == http.StatusNotFound && said != "", status == http.StatusBadRequest && unknownModel().MatchString(words):
		e = problem(ProblemModel, "The endpoint does not know the model %q or the path: %s", model, said)
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		e = problem(ProblemNotAModel, "There is no model at %s. The address usually ends in /v1.", address)
	}
	e.Status, e.RetryAfter, e.body = status, wait, words
	return e
}

// refusesKey recognises a refused key. 403 also means an action that no key allows.
func refusesKey(status int, said, words string) bool {
	return status == http.StatusUnauthorized ||
		status == http.StatusForbidden && (said == "" || mentions(words, "key", "token", "auth", "permission")) ||
		status == http.StatusBadRequest && mentions(words, "api key not valid", "invalid api key")
}

// outOfCredit recognises a used-up quota that does not refill with time.
func outOfCredit(words string) bool {
	return mentions(words, "insufficient_quota", "exceeded_current_quota", "insufficient balance", "credit", "billing") &&
		!mentions(words, "retry in", "retrydelay", "try again in")
}

func tooLong(status int, words string) bool {
	return status == http.StatusRequestEntityTooLarge || status < 500 && mentions(words, "context length",
		"context_length", "context size", "context window", "too many tokens", "maximum number of tokens",
		"prompt is too long", "too large for model")
}

// unknownModel recognises an unknown model at endpoints without a status for it.
var unknownModel = text.Late(`model_not_found|(?:invalid|unknown) model\b|not a valid model|model not exist|` +
	`model .{0,120}(?:not found|does not exist)`)

// longer explains a request that exceeds the model's context.
func longer(said string) *Error {
	return problem(ProblemTooLong, "The conversation is longer than the model can read. Start a new one, or give the "+
		"model more room: its server sets the context, 8192 tokens are the least.%s", quoted(said))
}

// inStream returns the error for an error report in place of a reply: e, or a better explanation.
func inStream(e *Error, data []byte) *Error {
	words := strings.ToLower(string(data))
	if tooLong(0, words) {
		e = longer(endpointWords(data))
	}
	e.body = words
	return e
}

// mentions reports whether a text contains one of the parts.
func mentions(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// endpointWords finds the endpoint's explanation in a body: the many shapes of {"error":…}, or short plain text. It
// ignores web pages.
func endpointWords(body []byte) string {
	var document any
	said := strings.TrimSpace(string(body))
	switch {
	case json.Unmarshal(body, &document) == nil:
		said = wordsIn(document)
	case strings.HasPrefix(said, "<") || !utf8.ValidString(said):
		return ""
	}
	return text.Clean(said, 300)
}

func wordsIn(document any) string {
	switch v := document.(type) {
	case string:
		return v
	case []any:
		for _, item := range v {
			if s := wordsIn(item); s != "" {
				return s
			}
		}
	case map[string]any:
		for _, key := range []string{"error", "detail", "message", "msg", "type", "code"} {
			if s := wordsIn(v[key]); s != "" {
				return s
			}
		}
	}
	return ""
}

func quoted(said string) string {
	if said == "" {
		return ""
	}
	return " It says: " + strings.TrimRight(said, ".") + "."
}

func orStatus(said string, status int) string {
	if said == "" && status == 0 {
		return "no reason given."
	}
	if said == "" {
		return fmt.Sprintf("status %d %s.", status, http.StatusText(status))
	}
	return strings.TrimRight(said, ".") + "."
}

// retryAfter returns the wait that an endpoint requests: in seconds, in milliseconds by a second header that several
// endpoints send, or until a time by the endpoint's clock.
func retryAfter(h http.Header) time.Duration {
	said := strings.TrimSpace(h.Get("Retry-After"))
	wait := time.Duration(0)
	if ms, err := strconv.ParseFloat(strings.TrimSpace(h.Get("Retry-After-Ms")), 64); err == nil {
		wait = time.Duration(min(ms, 1e9) * float64(time.Millisecond))
	} else if seconds, err := strconv.ParseFloat(said, 64); err == nil {
		wait = time.Duration(min(seconds, 1e6) * float64(time.Second))
	} else if until, err := http.ParseTime(said); err == nil {
		if now, err := http.ParseTime(h.Get("Date")); err == nil {
			wait = until.Sub(now)
		}
	}
	if wait < 0 || wait > maxRetryAfter {
		return 0
	}
	return wait
}

// maxRetryAfter is the longest plausible wait.
const maxRetryAfter = 24 * time.Hour
