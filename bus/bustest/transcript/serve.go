package transcript

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/deskhand/deskhand/bus"
)

// A command is a line that is no invocation: an action of the test outside the bus.
type command struct {
	Do          string          `json:"do"`
	Application json.RawMessage `json:"application"`
	MS          int64           `json:"ms"`
	State       map[string]any  `json:"state"`
	Person      person          `json:"person"`
	Answers     []answer        `json:"answers"`
	What        string          `json:"what"`
	Caller      bus.CallerType  `json:"caller"`
	Route       string          `json:"route"`
	Invocation  json.RawMessage `json:"invocation"`
	RequestID   string          `json:"request_id"`
	Gate        string          `json:"gate"`
}

// A Hasher answers a line {"do":"hash",…}: the hash of a record, or the digest of a payload, in hexadecimal digits.
type Hasher func(line []byte) (string, error)

// Serve answers each line with a line, by a bus over the application of the last line {"do":"start",…}. hash may be
// nil.
func Serve(in io.Reader, out io.Writer, hash Hasher) error {
	s := server{hash: hash}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for lines.Scan() {
		if err := enc.Encode(s.answer(lines.Bytes())); err != nil {
			return err
		}
	}
	return lines.Err()
}

type server struct {
	hash Hasher
	r    *running
}

func (s *server) answer(line []byte) any {
	var c command
	if json.Unmarshal(line, &c) != nil || c.Do == "" {
		if s.r == nil {
			return map[string]any{"refused": "there is no application"}
		}
		return s.r.invoke(context.Background(), slices.Clone(line))
	}
	result, err := s.do(&c, line)
	if err != nil {
		return map[string]any{"refused": err.Error()}
	}
	if result == nil {
		result = map[string]any{}
	}
	result["done"] = c.Do
	return result
}

func (s *server) do(c *command, line []byte) (result map[string]any, err error) {
	ctx := context.Background()
	switch c.Do {
	case "start":
		if s.r != nil {
			_ = s.r.b.Close(ctx) // ends calls that a case left running
		}
		s.r, err = start(c.Application)
		return nil, err
	case "hash":
		if s.hash == nil {
			return nil, errors.New("this program computes no hashes")
		}
		sum, err := s.hash(line)
		return map[string]any{"hash": sum}, err
	}
	r := s.r
	if r == nil {
		return nil, errors.New("there is no application")
	}
	switch c.Do {
	case "advance":
		r.clock.Advance(ms(c.MS))
	case "set":
		err = r.set(c.State)
	case "sign_in":
		r.person = c.Person
	case "answer":
		r.answers = append(r.answers, c.Answers...)
	case "show":
		return r.show(ctx, c)
	case "begin":
		return nil, r.begin(ctx, c.Invocation)
	case "open":
		r.world.open(c.Gate)
	case "end":
		done := r.begun[c.RequestID]
		if done == nil {
			return nil, fmt.Errorf("no invocation %q was begun", c.RequestID)
		}
		return map[string]any{"result": <-done}, nil
	case "cancel":
		return map[string]any{"cancelled": r.b.Cancel(c.RequestID, r.person.ID)}, nil
	default:
		err = fmt.Errorf("nothing is called %q", c.Do)
	}
	return nil, err
}

// begin starts an invocation, and returns when it waits at a gate, has ended, or neither happens soon.
func (r *running) begin(ctx context.Context, line json.RawMessage) error {
	var inv bus.Invocation
	if err := json.Unmarshal(line, &inv); err != nil || inv.RequestID == "" {
		return fmt.Errorf("an invocation that is begun has a request_id (%w)", err)
	}
	done, ended := make(chan bus.Result, 1), make(chan struct{})
	r.begun[inv.RequestID] = done
	go func() {
		done <- r.invoke(ctx, line)
		close(ended)
	}()
	settled, cancel := context.WithTimeout(ctx, settling)
	defer cancel()
	for {
		select {
		case id := <-r.waiting:
			if id != inv.RequestID {
				continue
			}
		case <-ended:
		case <-settled.Done(): // it waits for its turn, or for the same key
		}
		return nil
	}
}

func (r *running) show(ctx context.Context, c *command) (map[string]any, error) {
	switch c.What {
	case "state":
		return map[string]any{"state": r.state()}, nil
	case "records":
		records := []bus.Record{}
		entries := r.journal.Entries()
		for i := r.seen; i < len(entries); i++ {
			if entries[i].Kind != outside {
				records = append(records, bus.RecordOf(&entries[i]))
			}
		}
		r.seen = len(entries)
		return map[string]any{"records": records}, nil
	case "events":
		return map[string]any{"events": r.news()}, nil
	case "cards":
		cards := []map[string]any{}
		for i, p := range r.cards {
			card := map[string]any{"summary": p.Summary, "data": p.Data, "digest": p.Digest}
			if p.Facts != nil {
				card["facts"] = p.Facts
			}
			if p.Effects != nil {
				card["effects"] = p.Effects
			}
			if r.changed[i] {
				card["changed"] = true
			}
			cards = append(cards, card)
		}
		r.cards, r.changed = nil, nil
		return map[string]any{"cards": cards}, nil
	case "manifest":
		m, err := r.b.Manifest(ctx, bus.View{Caller: c.Caller, Route: c.Route,
			Principal: bus.Principal{ID: r.person.ID, Scopes: r.person.Scopes}})
		return map[string]any{"manifest": m}, err
	}
	return nil, fmt.Errorf("nothing is called %q", c.What)
}

// news are the events since they were last shown. They are published before a result is answered.
func (r *running) news() []bus.Event {
	events := []bus.Event{}
	none, cancel := context.WithCancel(context.Background())
	cancel()
	for {
		e, err := r.events.Next(none)
		if err != nil {
			return events
		}
		events = append(events, e)
	}
}
