package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"

	"github.com/deskhand/deskhand/agent/model"
)

var doneMark = []byte("[DONE]")

// maxLine bounds one line of a stream; a longer one is not a chunk.
const maxLine = 4 << 20

func writeData(b *bytes.Buffer, data []byte) {
	b.WriteString("data: ")
	b.Write(data)
	b.WriteString("\n\n")
}

// streamBody reads server-sent events as endpoints really send them and gives
// them on as plain "data: {…}" lines: no comments, no event names, always a
// final [DONE]. How the stream ended is kept in end, since the client's reader
// cannot tell a proper end from a cut.
type streamBody struct {
	from  io.ReadCloser
	lines *bufio.Reader
	end   *ending
	key   string // never handed on

	out    bytes.Buffer // normalised bytes not yet read by the client
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

// Close implements io.Closer.
func (s *streamBody) Close() error { return s.from.Close() }

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
		chunk, err := normaliseChunk(data, s.end)
		if err != nil {
			s.end.err = err
			s.close()
			return
		}
		writeData(&s.out, chunk)
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

// close ends the stream for the client's reader.
func (s *streamBody) close() {
	s.closed = true
	writeData(&s.out, doneMark)
}

// normaliseChunk rewrites one chunk (or one whole reply) so that the client's
// strict decoding keeps everything: numbers as strings, objects where a string
// of JSON belongs, a message where a delta belongs.
func normaliseChunk(data []byte, end *ending) ([]byte, error) {
	var chunk map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&chunk); err != nil {
		return nil, cutOff(err)
	}
	if e, ok := chunk["error"]; ok && e != nil {
		return nil, problem(ProblemEndpoint, "The endpoint reports an error: %s", orStatus(endpointWords(data), 0))
	}
	choices, _ := chunk["choices"].([]any)
	kept := make([]any, 0, 1)
	for _, c := range choices {
		choice, ok := c.(map[string]any)
		if !ok {
			continue
		}
		normaliseChoice(choice, end)
		kept = append(kept, choice)
		break // one reply was asked for
	}
	out := map[string]any{"choices": kept}
	if usage, ok := chunk["usage"].(map[string]any); ok {
		out["usage"] = counts(usage)
	}
	return json.Marshal(out)
}

func normaliseChoice(choice map[string]any, end *ending) {
	delta, _ := choice["delta"].(map[string]any)
	message, whole := choice["message"].(map[string]any)
	if whole = whole && delta == nil; whole { // some repeat all that was said beside each piece
		delta = message
	}
	finish, _ := choice["finish_reason"].(string)
	if whole && finish == "" && !end.pieces { // one document that could be read is at its end
		finish = string(model.FinishStop)
	}
	if finish != "" {
		end.finish = true
	}
	clear(choice)
	choice["finish_reason"] = finish
	choice["delta"] = normaliseDelta(delta, whole)
}

func normaliseDelta(delta map[string]any, whole bool) map[string]any {
	out := map[string]any{}
	if text, ok := delta["content"].(string); ok {
		out["content"] = text
	}
	calls, _ := delta["tool_calls"].([]any)
	var kept []any
	for i, c := range calls {
		call, ok := c.(map[string]any)
		if !ok {
			continue
		}
		kept = append(kept, normaliseCall(call, i, whole))
	}
	if kept != nil {
		out["tool_calls"] = kept
	}
	return out
}

func normaliseCall(call map[string]any, position int, whole bool) map[string]any {
	out := map[string]any{"type": "function"}
	switch id := call["id"].(type) {
	case string:
		out["id"] = id
	case json.Number:
		out["id"] = id.String()
	}
	switch index := call["index"].(type) {
	case json.Number:
		if n, err := index.Int64(); err == nil {
			out["index"] = n
		}
	case string:
		if n, err := strconv.Atoi(index); err == nil {
			out["index"] = n
		}
	}
	if whole {
		out["index"] = position
	}
	function, _ := call["function"].(map[string]any)
	f := map[string]any{}
	if name, ok := function["name"].(string); ok {
		f["name"] = name
	}
	switch args := function["arguments"].(type) {
	case nil:
	case string:
		f["arguments"] = args
	default:
		text, _ := json.Marshal(args) // decoded from JSON a moment ago
		f["arguments"] = string(text)
	}
	out["function"] = f
	return out
}

// counts keeps the token counts, whatever else an endpoint reports.
func counts(usage map[string]any) map[string]any {
	out := map[string]any{}
	for _, k := range []string{"prompt_tokens", "completion_tokens"} {
		if n, ok := usage[k].(json.Number); ok {
			if i, err := n.Int64(); err == nil && i >= 0 {
				out[k] = min(i, maxTokens)
			}
		}
	}
	return out
}

// maxTokens is the most that is believed of one reply: what an endpoint sends may
// be anything.
const maxTokens = 100_000_000
