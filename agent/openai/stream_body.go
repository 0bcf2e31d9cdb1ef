package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

var doneMark = []byte("[DONE]")

// maxLine bounds one line of a stream; a longer one is not a chunk.
const maxLine = 4 << 20

// streamBody reads server-sent events as endpoints really send them and gives
// them on as plain "data: {…}" lines: no comments, no event names, always a
// final [DONE]. How the stream ended is kept in end, since the client's reader
// cannot tell a proper end from a cut.
type streamBody struct {
	io.Closer
	lines *bufio.Reader
	end   *streamEnd
	key   string // never handed on

	out    bytes.Buffer // lines not yet read by the client
	event  string       // the name of the event being read
	data   []byte       // its data lines so far
	closed bool
}

// Read implements io.Reader. It returns io.EOF at any end; end says which.
func (s *streamBody) Read(p []byte) (int, error) {
	for s.out.Len() == 0 {
		if s.closed {
			return 0, io.EOF
		}
		line, err := s.readLine()
		if len(line) > 0 || err == nil {
			s.line(bytes.TrimRight(line, "\r\n"))
		}
		if err != nil && !s.closed {
			s.dispatch() // a last line without its newline still counts
			if !errors.Is(err, io.EOF) && s.end.err == nil {
				s.end.err = cutOff(err)
			}
			s.close()
		}
	}
	return s.out.Read(p)
}

func (s *streamBody) readLine() ([]byte, error) {
	var line []byte
	for {
		part, err := s.lines.ReadSlice('\n')
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
		if len(line) > maxLine {
			return nil, errors.New("a line of the stream is too long")
		}
	}
}

func (s *streamBody) line(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch {
	case len(bytes.TrimSpace(line)) == 0:
		s.dispatch()
	case line[0] == ':': // a comment that keeps the connection alive
	case line[0] == '{': // a bare JSON line: some servers report errors so
		s.dispatch()
		s.data = append(s.data, line...)
		s.dispatch()
	case string(name) == "event":
		s.event = string(bytes.TrimSpace(value))
	case string(name) == "data":
		// One data line is one chunk: endpoints that leave out the blank line
		// between events are more common than data split over lines.
		if len(s.data) > 0 && json.Valid(s.data) {
			s.dispatch()
		}
		s.data = append(s.data, value...)
		if bytes.Equal(bytes.TrimSpace(s.data), doneMark) {
			s.dispatch()
		}
	}
}

// dispatch hands on the event that was read.
func (s *streamBody) dispatch() {
	data, event := withoutKey(bytes.TrimSpace(s.data), s.key), s.event
	s.data, s.event = nil, ""
	switch {
	case s.closed || len(data) == 0:
	case bytes.Equal(data, doneMark):
		s.end.done = true
		s.close()
	case event == "error":
		s.fail(data)
	default:
		s.write(data)
	}
}

func (s *streamBody) fail(data []byte) {
	said := endpointWords(data)
	if said == "" {
		said = "no reason given"
	}
	s.end.err = problem(ProblemEndpoint, "The endpoint broke off with an error: %s", orStatus(said, 0))
	s.close()
}

// write hands a line on. The client keeps lines that begin with {"error" to itself; with a space in them it does not.
func (s *streamBody) write(data []byte) {
	if rest, is := bytes.CutPrefix(data, []byte("{")); is {
		s.out.WriteString("data: { ")
		s.out.Write(rest)
	} else {
		s.out.WriteString("data: ")
		s.out.Write(data)
	}
	s.out.WriteString("\n\n")
}

// close ends the stream for the client's reader.
func (s *streamBody) close() {
	s.closed = true
	s.write(doneMark)
}
