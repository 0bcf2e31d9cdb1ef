package till

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/deskhand/deskhand/agent/page"
	"github.com/deskhand/deskhand/bus"
)

// Copy is the data that a till reads while it has no link. It is safe for concurrent use.
type Copy interface {
	Names() []string          // the capabilities that it answers
	Takes(domain string) bool // whether a state change of the domain makes it outdated

	// Fill reads all data again. call makes a call for the person at the page.
	Fill(call func(capability string, arguments any) (json.RawMessage, error)) error
	Forget()
	// Answer answers a call. is is false if the copy cannot answer it.
	Answer(capability string, arguments json.RawMessage) (data any, is bool, err error)
}

// copyAge is the maximum age of an outdated copy. Reading one takes as many calls as the list has pages.
const copyAge = 10 * time.Minute

// copyPause is the pause after a failed read. Each further pause is eight times as long, as long as that is less than
// copyAge.
const copyPause = time.Second

// copied manages the copy of a till.
type copied struct {
	c      *Client
	old    chan struct{} // holds an element when the copy must be read again
	person chan struct{} // holds an element when the person at the page has changed or left

	mu      sync.Mutex // guards the other fields
	at      time.Time  // time of the copy; zero if there is none
	persons int        // number of changes of the person
}

// said returns the data about the copy in the page's report of the link.
func (c *copied) said() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at.IsZero() {
		return nil
	}
	return append([]string{strconv.FormatInt(c.at.UnixMilli(), 10)}, c.c.Copy.Names()...)
}

// keep reads the copy, and again when it is outdated, until ctx ends.
func (c *copied) keep(ctx context.Context) {
	var again <-chan time.Time
	for pause := copyPause; c.c.Copy != nil; {
		select {
		case <-c.old:
			pause = copyPause
		case <-again:
		case <-ctx.Done():
			return
		}
		again = nil
		select {
		case <-c.person: // the copy depends on the person
		default:
		}
		if err := c.read(ctx); err != nil {
			slog.Debug("there is no copy to read without the link", "cause", err)
			refused, is := errors.AsType[*bus.Error](err)
			// A refusal stays the same until another person signs in. A failure that lasted for all pauses lasts long.
			if forbidden := is && refused.Code == bus.Forbidden; !forbidden && pause < copyAge {
				again = time.After(pause)
				pause *= 8
			}
			continue
		}
		select {
		case <-time.After(copyAge):
		case <-c.person:
		case <-ctx.Done():
			return
		}
	}
}

// read reads the copy for the person at the page.
func (c *copied) read(ctx context.Context) error {
	before, at := c.changes(), time.Now()
	err := c.c.Copy.Fill(func(capability string, arguments any) (json.RawMessage, error) {
		raw, err := json.Marshal(arguments)
		if err != nil {
			return nil, err
		}
		if raw, err = json.Marshal(bus.Invocation{Capability: capability, Arguments: raw,
			Caller: bus.Caller{Source: "copy"}}); err != nil {
			return nil, err
		}
		answer, _ := c.c.make(ctx, pageRequest{Method: "invoke", Request: raw})
		var r bus.Result
		if err := json.Unmarshal([]byte(answer), &r); err != nil {
			return nil, err
		}
		return r.Data, r.Error()
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err != nil:
	case before != c.persons:
		c.c.Copy.Forget()
	default:
		c.at = at
	}
	return err
}

// changes returns the number of sign-ins, sign-outs and locks that the host has reported.
func (c *copied) changes() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.persons
}

// hear handles state changes from the host.
func (c *copied) hear(stream string, payload json.RawMessage) {
	if c.c.Copy == nil || stream != "bus" || !bytes.Contains(payload, []byte(bus.EventStateChange)) {
		return
	}
	var e bus.Event
	switch err := json.Unmarshal(payload, &e); {
	case err != nil || e.Type != bus.EventStateChange:
	case e.Domain == "session" || e.Domain == "lock" || e.Domain == renewed.Domain:
		c.another()
	case c.c.Copy.Takes(e.Domain):
		signal(c.old)
	}
}

// another forgets the copy, because the person at the page has changed or left, and another may have other rights.
func (c *copied) another() {
	if c.c.Copy == nil {
		return
	}
	c.mu.Lock()
	c.persons++
	c.at = time.Time{}
	c.mu.Unlock()
	c.c.Copy.Forget()
	signal(c.person)
	signal(c.old)
}

// invoke answers a call of the page from the copy, if there is no link and the copy can answer.
func (c *copied) invoke(invocation string) (answer string, is bool) {
	if !c.c.isCut() || len(c.said()) == 0 {
		return "", false
	}
	var in struct {
		Capability string
		Arguments  json.RawMessage
		RequestID  string `json:"request_id"`
	}
	if json.Unmarshal([]byte(invocation), &in) != nil {
		return "", false
	}
	data, is, err := c.c.Copy.Answer(in.Capability, in.Arguments)
	if !is {
		return "", false
	}
	if err != nil {
		return page.Refusal(err), true
	}
	raw, err := json.Marshal(data)
	if err != nil {
		return page.Refusal(err), true
	}
	if raw, err = json.Marshal(bus.Result{Status: bus.StatusSuccess, RequestID: in.RequestID, Data: raw,
		Time: time.Now()}); err != nil {
		return page.Refusal(err), true
	}
	return string(raw), true
}
