package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/deskhand/deskhand/internal/jsondepth"
)

// maxLine is the maximum length of a message in bytes.
const maxLine = 4 << 20

// maxNesting limits the nesting of a message.
const maxNesting = 200

// Lines is the transport of a client whose messages are lines of in and out. It answers an invalid line with a JSON-RPC
// error and continues, where the SDK would end the session.
func Lines(in io.Reader, out io.Writer) sdk.Transport {
	w := &lineWriter{out: out}
	return &sdk.IOTransport{Reader: &lineReader{in: bufio.NewReaderSize(in, 1<<16), answer: w}, Writer: w,
		MaxLineLength: 2 * maxLine}
}

// lineWriter writes whole messages of the SDK and of the reader.
type lineWriter struct {
	mu  sync.Mutex
	out io.Writer
}

// Write implements io.Writer.
func (w *lineWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(p)
}

// Close implements io.Closer. The output outlives the session.
func (w *lineWriter) Close() error { return nil }

// lineReader passes on the valid messages and answers the other lines.
type lineReader struct {
	in     *bufio.Reader
	answer *lineWriter
	left   []byte // rest of the current line
}

// Close implements io.Closer.
func (r *lineReader) Close() error { return nil }

// Read implements io.Reader.
func (r *lineReader) Read(p []byte) (int, error) {
	for len(r.left) == 0 {
		line, err := r.line()
		if line = bytes.TrimSpace(line); len(line) > 0 || errors.Is(err, errTooLong) {
			if wrong := wrongIn(line, err); wrong == nil {
				r.left = append(line, '\n')
				break
			} else if err := wrong.send(r.answer); err != nil {
				return 0, err
			}
		}
		if err != nil && !errors.Is(err, errTooLong) {
			return 0, err
		}
	}
	n := copy(p, r.left)
	r.left = r.left[n:]
	return n, nil
}

var errTooLong = errors.New("the line is too long")

// line reads the next line. It skips a line that is too long.
func (r *lineReader) line() (line []byte, err error) {
	long := false
	for {
		part, err := r.in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case long:
			return nil, errors.Join(errTooLong, err)
		default:
			return line, err
		}
	}
}

// lineError is the answer to an invalid line.
type lineError struct {
	id      json.RawMessage // of the request, null if unknown
	code    int64
	message string
}

func (e *lineError) send(to io.Writer) error {
	raw, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": e.id,
		"error": map[string]any{"code": e.code, "message": e.message}})
	if err == nil {
		_, err = to.Write(append(raw, '\n'))
	}
	return err
}

// wrongIn returns the answer to an invalid line, or nil for a valid message.
func wrongIn(line []byte, err error) *lineError {
	none := json.RawMessage("null")
	switch {
	case errors.Is(err, errTooLong):
		return &lineError{none, jsonrpc.CodeInvalidRequest, "The message is longer than 4 MB."}
	case !utf8.Valid(line) || !json.Valid(line):
		return &lineError{none, jsonrpc.CodeParseError, "The line is not JSON in UTF-8. Each message is one line."}
	case line[0] == '[':
		return &lineError{none, jsonrpc.CodeInvalidRequest, "Send each message of the batch in a line."}
	case line[0] != '{':
		return &lineError{none, jsonrpc.CodeInvalidRequest, "A message is an object."}
	}
	fields, twice := membersOf(line)
	id, named := fields["id"]
	known := named && isID(id)
	if !known {
		id = none
	}
	invalid := func(message string) *lineError { return &lineError{id, jsonrpc.CodeInvalidRequest, message} }
	_, asks := fields["method"]
	switch {
	case jsondepth.Exceeds(line, maxNesting):
		return invalid("The message is nested too deeply.")
	case twice != "":
		return invalid("The member " + twice + " is there twice.")
	case named && !known && (asks || string(fields["id"]) != "null"):
		return invalid("An id is a string or a whole number.")
	case !asks && fields["result"] == nil && fields["error"] == nil:
		return invalid("A message has a method, a result or an error.")
	case asks && fields["method"][0] != '"':
		return invalid("The method is a name.")
	case asks && fields["params"] != nil && fields["params"][0] != '{':
		return invalid("The params of a message are an object.")
	}
	if _, err := jsonrpc.DecodeMessage(line); err != nil {
		return invalid(`A message has "jsonrpc": "2.0" and, as a request, the name of a method.`)
	}
	return nil
}

// membersOf returns the members of an object, and the name of a duplicate member.
func membersOf(line []byte) (fields map[string]json.RawMessage, twice string) {
	fields = map[string]json.RawMessage{}
	d := json.NewDecoder(bytes.NewReader(line))
	_, _ = d.Token() // it is a JSON object
	for d.More() {
		name, _ := d.Token()
		var value json.RawMessage
		if d.Decode(&value) != nil {
			break
		}
		key, _ := name.(string)
		if _, has := fields[key]; has {
			twice = key
		}
		fields[key] = value
	}
	return fields, twice
}

// isID reports whether a value can be the id of a request.
func isID(raw json.RawMessage) bool {
	_, err := strconv.ParseInt(string(raw), 10, 64)
	return raw[0] == '"' || err == nil
}
