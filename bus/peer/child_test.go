package peer_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/peer"
)

// TestMain is a peer when it is started as one: with -peer and how it behaves.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "-peer" {
		play(os.Args[2])
		return
	}
	os.Exit(m.Run())
}

// play is a label printer on standard input and output.
func play(how string) {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	switch how {
	case "dead":
		return
	case "silent":
		for lines.Scan() {
		}
		return
	}
	fmt.Println(`{"type":"hello","body":{"protocol":1}}`)
	for lines.Scan() {
		var f struct {
			Type string
			ID   int
			Body struct {
				RequestID string `json:"request_id"`
				Arguments struct{ Text string }
			}
		}
		_ = json.Unmarshal(lines.Bytes(), &f)
		if f.Type != "invoke" {
			continue
		}
		result := func(id int, request, data string) string {
			return fmt.Sprintf(`{"type":"result","id":%d,"body":{"status":"success","request_id":%q,"data":%s}}`, id, request, data)
		}
		good := result(f.ID, f.Body.RequestID, fmt.Sprintf(`{"printed":%d}`, len(f.Body.Arguments.Text)))
		switch how {
		case "slow":
		case "lying":
			fmt.Println(result(f.ID, f.Body.RequestID, `{"printed":"many"}`))
		case "twice":
			fmt.Println(good + "\n" + good)
		case "another's":
			fmt.Println(result(f.ID, "req_of_another", `{"printed":1}`))
		case "a call not made":
			fmt.Println(result(f.ID+1, f.Body.RequestID, `{"printed":1}`))
		case "in the middle":
			fmt.Print(good[:len(good)/2])
			return
		case "environment":
			fmt.Println(result(f.ID, f.Body.RequestID, fmt.Sprintf(`{"printed":%d}`, len(os.Environ()))))
		default:
			fmt.Println(good)
		}
	}
}

const printer = `
version: 1
agent: agent://label-printer
transports:
  - kind: stdio
    command: [COMMAND, -peer, HOW]
capabilities:
  - name: print-label
    description: Print a label.
    timeoutMs: 4000
    inputSchema:
      type: object
      properties: { text: { type: string, maxLength: 100 } }
      required: [text]
    outputSchema:
      type: object
      properties: { printed: { type: integer } }
      required: [printed]
`

// printing is a bus with a label printer that behaves so.
func printing(t *testing.T, how string) (*bus.Bus, *bustest.Journal) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer("COMMAND", program, "HOW", how).Replace(printer)
	f, err := peer.Read(strings.NewReader(text), "capabilities.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p := peer.New(f, peer.Child(f.Transports[0].Command))
	t.Cleanup(func() { p.Close() })
	b, j, _ := bustest.New(t, f.Capabilities(p.Invoke)...)
	return b, j
}

// holds: O4 R5
func TestO4WhateverAPeerDoesIsAClearResultAndOneRecord(t *testing.T) {
	for how, want := range map[string]struct {
		code   bus.Code
		reason bus.Reason
	}{
		"well":            {},
		"twice":           {},
		"dead":            {bus.Transient, bus.ReasonNetwork},
		"silent":          {bus.Transient, bus.ReasonInterrupted},
		"slow":            {bus.Transient, bus.ReasonInterrupted},
		"lying":           {bus.Internal, bus.ReasonResponse},
		"another's":       {bus.Transient, bus.ReasonInterrupted},
		"a call not made": {bus.Transient, bus.ReasonInterrupted},
		"in the middle":   {bus.Transient, bus.ReasonInterrupted},
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			b, j := printing(t, how)
			r := b.Invoke(t.Context(), ask("peer.label_printer.print_label", `{"text":"#W1001"}`))
			switch {
			case want.code == "" && (!r.OK() || string(r.Data) != `{"printed":6}`):
				t.Errorf("answered with %s %v", r.Data, r.Err)
			case want.code != "" && (r.OK() || r.Err.Code != want.code || r.Err.Reason != want.reason || r.Err.Message == ""):
				t.Errorf("answered with %s %v, want %s/%s", r.Data, r.Err, want.code, want.reason)
			}
			if n := len(j.Entries()); n != 1 || len(j.Inflight()) != 0 {
				t.Errorf("%d records, in flight %v", n, j.Inflight())
			}
		})
	}
}

// holds: O4
func TestO4APeerThatEndedIsStartedAgain(t *testing.T) {
	b, _ := printing(t, "twice") // each second answer ends the link
	for range 3 {
		r := b.Invoke(t.Context(), ask("peer.label_printer.print_label", `{"text":"again"}`))
		for !r.OK() && r.Err.Reason != bus.ReasonResponse { // the end of the last link may be met
			r = b.Invoke(t.Context(), ask("peer.label_printer.print_label", `{"text":"again"}`))
		}
		if !r.OK() {
			t.Fatal(r.Err)
		}
	}
}

// holds: R5
func TestR5APeerSeesNothingOfOurEnvironment(t *testing.T) {
	t.Setenv("DESKHAND_SECRET", "do not tell")
	b, _ := printing(t, "environment")
	r := b.Invoke(t.Context(), ask("peer.label_printer.print_label", `{"text":"a"}`))
	if !r.OK() || string(r.Data) != `{"printed":1}` {
		t.Errorf("answered with %s %v: it sees more than LANG", r.Data, r.Err)
	}
	for _, command := range [][]string{nil, {"printer"}, {"./printer"}} {
		if _, err := peer.Child(command)(t.Context()); err == nil {
			t.Errorf("%q was started", command)
		}
	}
}
