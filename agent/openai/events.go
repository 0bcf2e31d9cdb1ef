package openai

import (
	"bufio"
	"bytes"
	"errors"

	"github.com/deskhand/deskhand/internal/jsondepth"
)

// The bounds of a body after decompression, in bytes and levels.
const (
	maxBody    = 64 << 20
	maxEvent   = 8 << 20              // of one event, and of a reply in one document
	minKey     = 8                    // of a key to remove: words such as none are not keys
	maxNesting = jsondepth.Limit + 16 // of an event: arguments as JSON are eight levels down
)

// events reads server-sent events, or bare JSON documents, in the forms that endpoints send: without comments and
// event names, up to the first end mark.
type events struct {
	lines *bufio.Scanner
	key   string // of the request; it is removed from all output

	seen      int   // events so far
	documents int   // those without "data:", which are not part of a stream
	done      bool  // [DONE] was seen
	err       error // the endpoint reported an error, or the body broke off

	ready  [][]byte        // events not returned yet
	event  string          // the name of the present event
	data   []byte          // its data lines so far
	meter  jsondepth.Meter // of data
	bare   bool            // data is a document without "data:"
	closed bool
}

// next returns the next event, nil at the end; done and err give the reason.
func (s *events) next() (event []byte) {
	for len(s.ready) == 0 && !s.closed {
		if s.lines.Scan() {
			s.line(bytes.TrimSpace(bytes.TrimPrefix(s.lines.Bytes(), []byte("\xef\xbb\xbf"))))
			continue
		}
		if s.lines.Err() == nil {
			s.dispatch() // a last event without its blank line still counts
		}
		s.close(s.lines.Err())
	}
	if len(s.ready) > 0 {
		event, s.ready = s.ready[0], s.ready[1:]
	}
	return event
}

// close ends the reading. Only the first reason counts.
func (s *events) close(err error) {
	if errors.Is(err, bufio.ErrTooLong) {
		err = problem(ProblemCut, "The reply has a piece of more than %d MB, so nothing in it was run.", maxEvent>>20)
	}
	if err != nil && !s.closed {
		s.err = cutOff(err)
	}
	s.closed = true
}

func (s *events) line(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	switch {
	case s.bare:
		s.take(line)
	case len(line) == 0:
		s.dispatch()
	case s.seen == 0 && (line[0] == '<' || line[0] == '['):
		s.close(notAModel())
	case line[0] == ':': // a comment that keeps the connection alive
	case line[0] == '{': // some servers report errors this way, or send the complete reply
		s.dispatch()
		s.bare = true
		s.take(line)
	case string(name) == "event":
		s.event = string(bytes.TrimSpace(value))
	case string(name) == "error": // llama.cpp
		s.dispatch()
		s.event = "error"
		s.take(value)
	case string(name) == "data":
		// Endpoints that omit the blank line between events are more common than data split over lines.
		if s.meter.Whole() {
			s.dispatch()
		}
		s.take(value)
	}
}

// take adds a line of data to the event.
func (s *events) take(value []byte) {
	s.data = append(s.data, value...)
	s.meter.Add(string(value))
	switch {
	case len(s.data) > maxEvent:
		s.close(bufio.ErrTooLong)
	case s.bare && s.meter.Whole(), len(value) < 32 && string(bytes.TrimSpace(value)) == "[DONE]":
		s.dispatch()
	}
}

// notAModel is the error for an answer that is not a model's.
func notAModel() *Error {
	return problem(ProblemNotAModel, "The endpoint answered with something that is not a model's reply. The address "+
		"usually ends in /v1.")
}

// dispatch ends the present event.
func (s *events) dispatch() {
	data, event, bare := withoutKey(bytes.TrimSpace(s.data), s.key), s.event, s.bare
	s.data, s.event, s.meter, s.bare = nil, "", jsondepth.Meter{}, false
	switch {
	case s.closed || len(data) == 0:
	case string(data) == "[DONE]":
		s.done = true
		s.close(nil)
	case event == "error":
		s.close(inStream(problem(ProblemEndpoint, "The endpoint broke off with an error: %s",
			orStatus(endpointWords(data), 0)), data))
	case jsondepth.Exceeds(data, maxNesting):
		s.close(problem(ProblemCut, "The reply is nested more than %d levels deep, so nothing in it was run.", maxNesting))
	default:
		s.seen++
		if bare {
			s.documents++
		}
		s.ready = append(s.ready, data)
	}
}
