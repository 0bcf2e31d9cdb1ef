package openai_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/openai"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// composed is a stream that a test puts together from pieces. So the test knows which calls are complete in it and
// whether it ended properly.
type composed struct {
	body    []byte
	whole   []int // n of each box that it wholly asks to be opened
	ended   bool  // it said that it was at its end, and nothing came after that…
	failed  bool  // …or that it failed
	finish  string
	done    bool // nothing counts any more
	open    int  // n of the call whose arguments have begun; 0 for none
	counted int  // calls so far
}

// proper reports whether the calls of the stream may run.
func (c *composed) proper() bool {
	return c.ended && !c.failed && (c.finish == "" || c.finish == "stop" || c.finish == "tool_calls")
}

// piece adds one piece; left is the number of bytes until the cut.
func (c *composed) piece(kind byte, left int) {
	text, meant := "", func() {}
	ending := func(reason string) {
		text, meant = ends(reason), func() { c.ended, c.finish = true, reason }
	}
	switch kind % 18 {
	case 0:
		text, meant = says("a box"), func() { c.ended = false }
	case 1, 2:
		n := c.counted + 1
		text = calls(fmt.Sprintf(`{"index":%d,"id":"c%d","function":{"name":"box_open","arguments":"{\"n\":%d}"}}`, n, n, n))
		meant = func() { c.counted, c.whole, c.open, c.ended = n, append(c.whole, n), 0, false }
	case 3:
		n := c.counted + 1
		text = calls(fmt.Sprintf(`{"index":%d,"id":"c%d","function":{"name":"box_open","arguments":"{\"n\":"}}`, n, n))
		meant = func() { c.counted, c.open, c.ended = n, n, false }
	case 4:
		n := c.open
		if n == 0 {
			return
		}
		text = calls(fmt.Sprintf(`{"index":%d,"function":{"arguments":"%d}"}}`, n, n))
		meant = func() { c.whole, c.open, c.ended = append(c.whole, n), 0, false }
	case 5:
		text = ": still thinking\n"
	case 6, 7:
		ending("stop")
	case 8:
		ending("tool_calls")
	case 9:
		ending("length")
	case 10:
		ending("content_filter")
	case 11:
		ending("error")
	case 12:
		text, meant = "data: [DONE]\n", func() { c.ended, c.done = true, true }
	case 13:
		text, meant = "event: error\ndata: {\"message\":\"out of memory\"}\n", func() { c.failed, c.done = true, true }
	case 14:
		text, meant = `data: {"error":{"message":"overloaded"}}`+"\n", func() { c.failed, c.done = true, true }
	case 15:
		text = `data: {"choices":[{"delta":{"content":"[DONE] \"finish_reason\":\"stop\""},"finish_reason":null}]}` + "\n"
		meant = func() { c.ended = false }
	case 16:
		text = `data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2}}` + "\n"
	case 17:
		text = "event: message\nid: 4\n"
	}
	text += "\n"
	if !c.done && left >= len(strings.TrimRight(text, "\n")) {
		meant()
	}
	c.body = append(c.body, text[:min(left, len(text))]...)
}

// compose makes a stream of a byte for each piece and cuts it off.
func compose(pieces []byte, cut int) *composed {
	c := &composed{}
	for _, kind := range pieces {
		c.piece(kind, cut-len(c.body))
		if len(c.body) >= cut {
			break
		}
	}
	return c
}

// opening is a bus whose one capability notes which boxes were opened, and a
// bridge to a model that sends this body, and then nothing more to do.
func opening(body []byte) (opened []int, err error) {
	o, _, clock := bustest.Options()
	policy := policy.New(policy.Options{Clock: clock.Now})
	o.Approver = policy
	b := bus.New(o)
	b.MustRegister(bus.Capability{Name: "box.open", Title: "Open a box", Description: "Opens a box.",
		SideEffect: bus.UIOnly, Resources: []string{"database:write"},
		InputSchema: object("n", `"n":{"type":"integer"}`), Handler: func(_ context.Context, call *bus.Call) (json.RawMessage,
			error) {
			var in struct{ N int }
			err := call.Decode(&in)
			opened = append(opened, in.N)
			return nil, err
		}})
	var asked atomic.Int64
	client := &http.Client{Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
		if asked.Add(1) > 1 {
			body = []byte(says("That is all.") + "\n" + ends("stop") + "\n" + done)
		}
		return canned{Status: http.StatusOK, Kind: "text/event-stream", Body: body}.RoundTrip(req)
	})}
	m, err := openai.New(openai.Options{BaseURL: "http://localhost/v1", Model: "m", Context: 1 << 20, HTTPClient: client, Retries: -1,
		Sleep: func(context.Context, time.Duration) error { return nil }})
	if err != nil {
		return nil, err
	}
	bridge := agent.New(agent.Options{Bus: b, Policy: policy, Model: func() model.Model { return m }, Clock: clock.Now,
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	defer bridge.Close()
	err = bridge.Send(context.Background(), agent.Turn{ConversationID: "chat_1", Text: "open", Principal: kim}, nil)
	return opened, err
}

// endingsKnown lists pieces and cuts with the boxes that they open.
var endingsKnown = []struct {
	pieces []byte
	cut    int
	opened []int
}{
	{[]byte{0, 1, 8, 12}, 1 << 16, []int{1}},
	{[]byte{1, 2, 6}, 1 << 16, []int{1, 2}},
	{[]byte{3, 5, 4, 12}, 1 << 16, []int{1}},
	{[]byte{1, 9, 12}, 1 << 16, nil},
	{[]byte{1, 10, 12}, 1 << 16, nil},
	{[]byte{1, 11, 12}, 1 << 16, nil},
	{[]byte{1, 8, 14}, 1 << 16, nil},
	{[]byte{1, 13, 8, 12}, 1 << 16, nil},
	{[]byte{1, 15, 16, 17}, 1 << 16, nil},
	{[]byte{1, 8}, 120, nil},
	{[]byte{1, 2}, 1 << 16, nil},
	{[]byte{1, 8, 2}, 1 << 16, nil},
	{[]byte{1, 8, 3}, 1 << 16, nil},
	{[]byte{1, 8, 0}, 1 << 16, nil},
	{[]byte{1, 8, 2, 8}, 1 << 16, []int{1, 2}},
	{[]byte{1, 8, 2, 12}, 1 << 16, []int{1, 2}},
	{[]byte{1, 8, 16}, 1 << 16, []int{1}},
}

// holds: A2
func TestA2ToolsRunOfAProperEndOnly(t *testing.T) {
	for _, tt := range endingsKnown {
		c := compose(tt.pieces, tt.cut)
		if opened, err := opening(c.body); err != nil || !slices.Equal(opened, tt.opened) {
			t.Errorf("pieces %v up to %d: opened %v, want %v (%v)", tt.pieces, tt.cut, opened, tt.opened, err)
		}
	}
}

// FuzzA2NoToolRunsOfAnImproperEnd: no tool runs after a reply that did not end properly. After a proper end only
// complete calls run.
//
// holds: A2
func FuzzA2NoToolRunsOfAnImproperEnd(f *testing.F) {
	for _, tt := range endingsKnown {
		f.Add(tt.pieces, uint16(min(tt.cut, 1<<16-1)))
	}
	f.Fuzz(func(t *testing.T, pieces []byte, cut uint16) {
		c := compose(pieces[:min(len(pieces), 64)], int(cut))
		opened, err := opening(c.body)
		if err != nil {
			t.Fatal(err)
		}
		if len(opened) > 0 && !c.proper() {
			t.Errorf("boxes %v were opened of\n%s", opened, c.body)
		}
		for _, n := range opened {
			if !slices.Contains(c.whole, n) {
				t.Errorf("box %d was opened of\n%s", n, c.body)
			}
		}
		if bytes.Count(c.body, []byte("box_open")) < len(opened) {
			t.Errorf("%v were opened of\n%s", opened, c.body)
		}
	})
}
