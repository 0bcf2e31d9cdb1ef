package mcp_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/mcp"
)

// malformed are lines that are no messages, with the codes of their answers.
func malformed() map[string]int {
	lines := map[string]int{
		`hello`: -32700, `{`: -32700, `{"jsonrpc":"2.0","id":7,"method":"ping"`: -32700, `}`: -32700, `"`: -32700,
		`{'jsonrpc':'2.0'}`: -32700, `{"jsonrpc":"2.0","id":7,"method":"ping"}}`: -32700, "\x00\x01\x02": -32700,
		`{"jsonrpc":"2.0","id":7,"method":"ping"}{"jsonrpc":"2.0","id":8,"method":"ping"}`: -32700, "\xff\xfe{\x00": -32700,
		`{"jsonrpc":"2.0","id":7,"method":"pi` + "\xc3" + `"}`: -32700, `{"jsonrpc":"2.0","id":NaN,"method":"ping"}`: -32700,
		`Content-Length: 40`: -32700, `{"jsonrpc":"2.0","id":01,"method":"ping"}`: -32700, "\ufeff{}": -32700,
		`// comment`: -32700, `{"jsonrpc":"2.0","id":7,"method":"ping",}`: -32700,
		strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000): -32700,

		`null`: -32600, `true`: -32600, `42`: -32600, `"ping"`: -32600, `{}`: -32600, `[]`: -32600,
		`[{"jsonrpc":"2.0","id":7,"method":"ping"}]`: -32600, `[1,2]`: -32600,
		`{"jsonrpc":"1.0","id":7,"method":"ping"}`: -32600, `{"jsonrpc":2.0,"id":7,"method":"ping"}`: -32600,
		`{"id":7,"method":"ping"}`: -32600, `{"jsonrpc":"2.0","id":null,"method":"ping"}`: -32600,
		`{"jsonrpc":"2.0","id":true,"method":"ping"}`: -32600, `{"jsonrpc":"2.0","id":{},"method":"ping"}`: -32600,
		`{"jsonrpc":"2.0","id":[7],"method":"ping"}`: -32600, `{"jsonrpc":"2.0","id":7.5,"method":"ping"}`: -32600,
		`{"jsonrpc":"2.0","id":1e400,"method":"ping"}`: -32600, `{"jsonrpc":"2.0","id":7,"method":9}`: -32600,
		`{"jsonrpc":"2.0","id":7,"method":null}`: -32600, `{"jsonrpc":"2.0","id":7}`: -32600,
		`{"jsonrpc":"2.0","id":7,"method":"ping","params":5}`:                                                                 -32600,
		`{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}`:                                                               -32600,
		`{"jsonrpc":"2.0","id":7,"method":"ping","id":8}`:                                                                     -32600,
		`{"jsonrpc":"2.0","method":"a","method":"b"}`:                                                                         -32600,
		`{"jsonrpc":"2.0","result":{}}`:                                                                                       -32600,
		`{"jsonrpc":"2.0","id":99999999999999999999,"method":"ping"}`:                                                         -32600,
		`{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}}`: -32600,
		`{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"` + strings.Repeat("x", 5<<20) + `"}}`:                        -32600,
		strings.Repeat("y", 5<<20):                                                                                            -32600,
	}
	return lines
}

// TestALineThatIsNoMessageIsAnswered and the server goes on.
func TestALineThatIsNoMessageIsAnswered(t *testing.T) {
	c := connect(t, "", nil)
	in, send := io.Pipe()
	receive, out := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- mcp.New(c.o).Run(t.Context(), mcp.Lines(in, out)) }()
	answers := bufio.NewReaderSize(receive, 1<<20)
	next := func() (a struct {
		ID    any
		Error struct{ Code int }
	}) {
		for { // notifications have no id
			line, err := answers.ReadBytes('\n')
			if err != nil {
				t.Fatal(err)
			}
			var told map[string]any
			if err := json.Unmarshal(line, &told); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if _, has := told["id"]; has && told["method"] == nil {
				_ = json.Unmarshal(line, &a) // it was JSON
				return a
			}
		}
	}
	write := func(line string) {
		go func() { _, _ = io.WriteString(send, line) }()
	}
	write(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"probe","version":"1"}}}` + "\n")
	next()
	write(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n\n\r\n")
	n := 100
	for line, code := range malformed() {
		write(line + "\r\n")
		if a := next(); a.Error.Code != code {
			t.Errorf("%.80q is answered with %d, want %d", line, a.Error.Code, code)
		}
		n++
		write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", n))
		if a := next(); a.ID != float64(n) || a.Error.Code != 0 {
			t.Fatalf("after %.80q a ping is answered with %+v", line, a)
		}
	}
	if n < 132 {
		t.Errorf("only %d lines were tried", n-100)
	}
	if err := send.Close(); err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil {
		t.Errorf("at the end: %v", err)
	}
}

// TestNullForAnOptionalArgumentIsNone over MCP, in lists too.
func TestNullForAnOptionalArgumentIsNone(t *testing.T) {
	c := connect(t, "", nil)
	if r := c.call("order_search", `{"query":null,"status":null,"limit":null}`); r.Status != "success" {
		t.Errorf("%+v", r)
	}
	if r := c.call("capability_call", `{"name":"order.search","arguments":{"minTotal":null}}`); r.Status != "success" {
		t.Errorf("%+v", r)
	}
	if r := c.call("order_get", `{"orderId":null}`); r.Code != bus.Validation {
		t.Errorf("a required one: %+v", r)
	}
}

// TestNoFormIsShownOverMCP: nothing is shown, and so nothing is said to be.
func TestNoFormIsShownOverMCP(t *testing.T) {
	c := connect(t, "", nil)
	r := c.call("capability_call", `{"name":"form.fill","arguments":{"capability":"order.cancel","arguments":{}}}`)
	if r.Status != "error" || r.Code != bus.PreconditionFailed {
		t.Errorf("%+v", r)
	}
}
