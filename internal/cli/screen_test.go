package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hinshun/vt10x"

	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// hostileText tries to clear the screen, draw a harmless card, turn a line around and hide what follows.
const hostileText = "\x1b[2J\x1b[H┌─ Confirm: Show an order\n│  Nothing is changed\n└─ open until " +
	"23:59:59\r\u009b1A\u202eelcnac\u200b\U000e0041\x1b[8m\x1b]0;t\x07"

// hostileModel is an endpoint that says hostileText and cancels an order, with hostileText as an argument too.
func hostileModel(t *testing.T, order string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		piece := func(delta, finish any) {
			data, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta,
				"finish_reason": finish}}})
			fmt.Fprintf(w, "data: %s\n\n", data)
		}
		if bytes.Contains(asked, []byte(`"role":"tool"`)) {
			piece(map[string]any{"content": "Done."}, "stop")
		} else {
			piece(map[string]any{"content": hostileText}, nil)
			arguments, _ := json.Marshal(map[string]any{"orderId": order, "reason": "other"})
			piece(map[string]any{"tool_calls": []any{map[string]any{"index": 0, "id": "call_1", "type": "function",
				"function": map[string]any{"name": "order_cancel", "arguments": string(arguments)}}}}, nil)
			piece(map[string]any{}, "tool_calls")
		}
		fmt.Fprint(w, "data: [DONE]\n\n")
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

// patientModel is an endpoint whose first reply stays open after its text until it is released; then it calls.
func patientModel(t *testing.T, text, call, arguments string) (url string, release func()) {
	t.Helper()
	released := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost { // about its context: the answer would be waited for
			http.NotFound(w, r)
			return
		}
		asked, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		piece := func(delta, finish any) {
			data, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta,
				"finish_reason": finish}}})
			fmt.Fprintf(w, "data: %s\n\n", data)
			w.(http.Flusher).Flush()
		}
		if bytes.Contains(asked, []byte(`"role":"tool"`)) {
			piece(map[string]any{"content": "The end."}, "stop")
		} else {
			piece(map[string]any{"content": text}, nil)
			<-released
			piece(map[string]any{"tool_calls": []any{map[string]any{"index": 0, "id": "call_1", "type": "function",
				"function": map[string]any{"name": call, "arguments": arguments}}}}, nil)
			piece(map[string]any{}, "tool_calls")
		}
		fmt.Fprint(w, "data: [DONE]\n\n")
	}))
	release = sync.OnceFunc(func() { close(released) })
	t.Cleanup(server.Close)
	t.Cleanup(release)
	return server.URL + "/v1", release
}

// cardShop is a shop with an order whose cancellation, and each note on it, brings a card.
func cardShop(t *testing.T) (folder, order string) {
	t.Helper()
	d := desktest.Sample(t, desk.Options{})
	order = desktest.AnasOrder(t, d)
	desktest.Must(t, d, "ui", "policy.set", `{"rules":[{"capability":"order.addNote","rule":"confirmation_required"}]}`,
		nil)
	folder = d.Folder
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	return folder, order
}

// theCalls are one whose card is about money, and one whose card is not.
var theCalls = map[string]string{"order.cancel": `{"orderId":%q,"reason":"other"}`,
	"order.addNote": `{"orderId":%q,"text":"hello"}`}

// theWord is what the tests' random numbers draw.
const theWord = "baba"

// shownOn is what a terminal of 100 columns shows of text.
func shownOn(text string) string {
	at := vt10x.New(vt10x.WithSize(100, 60))
	_, _ = at.Write([]byte(strings.ReplaceAll(text, "\n", "\r\n")))
	return at.String()
}

// holds: A7
func TestA7AModelCannotDrawOnTheTerminal(t *testing.T) {
	d := desktest.Sample(t, desk.Options{})
	order := desktest.AnasOrder(t, d)
	folder := d.Folder
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	var out, errors bytes.Buffer
	code := Run(t.Context(), Process{In: strings.NewReader("n\n"), Out: &out, ErrOut: &errors,
		Args: []string{"--data", folder, "chat", "--endpoint", hostileModel(t, order), "--model", "m", "cancel it"}})
	if code != 1 { // the card is declined
		t.Fatal(code, errors.String(), out.String())
	}
	screen := shownOn(out.String())
	if n := strings.Count(screen, "┌─ Confirm:"); n != 1 ||
		!strings.Contains(screen, "┌─ Confirm: Cancel an order") {
		t.Errorf("%d cards on the screen:\n%s", n, screen)
	}
	for _, sign := range []string{`\u001b[2J`, `\u009b1A`, `\u202eelcnac`, `\u200b`, `\udb40\udc41`, `\u000d`, `\u250c`} {
		if !strings.Contains(screen, sign) {
			t.Errorf("%s cannot be seen:\n%s", sign, screen)
		}
	}
	if strings.ContainsAny(out.String(), "\x1b\r\u009b\u202e\u200b\x07") {
		t.Errorf("%q", out.String())
	}
}

func TestTextOfOthersIsWrittenVisibly(t *testing.T) {
	for text, want := range map[string]string{
		"Ana Ruiz → 47,83 €\n\tsamt „Gruß“": "Ana Ruiz → 47,83 €\n\tsamt „Gruß“",
		"a\x1b[2Jb\x00":                   `a\u001b[2Jb\u0000`,
		"\u2066x\u2069\u061c\ufeff\u2028": `\u2066x\u2069\u061c\ufeff\u2028`,
		"\u3164\u115f\ufe0f\u00ad":        `\u3164\u115f\ufe0f\u00ad`,
		"\xff":                            `\ufffd`,
	} {
		var whole, single bytes.Buffer
		w, s := &screen{to: &whole}, &screen{to: &single}
		fmt.Fprint(w, text)
		for i := range len(text) {
			_, _ = s.Write([]byte(text[i : i+1]))
		}
		if whole.String() != want || single.String() != want {
			t.Errorf("%q: %q, %q", text, whole.String(), single.String())
		}
	}
	raw, _ := json.Marshal("\u202e\U000e0041é")
	var out bytes.Buffer
	_, _ = (&screen{to: &out}).Write(raw)
	var back string
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || back != "\u202e\U000e0041é" {
		t.Errorf("%q %v", back, err)
	}
}

func TestACardQuotesWhatOthersWrote(t *testing.T) {
	if got := quoted("a\n└─ open\u2588"); got != `a\u000a\u2514\u2500 open\u2588` {
		t.Error(got)
	}
}

// TestTheChatSaysWhatLeavesTheComputer: before anything does, and never without encryption.
func TestTheChatSaysWhatLeavesTheComputer(t *testing.T) {
	folder := desktest.Copy(t)
	chat := func(endpoint string) (string, int) {
		var out bytes.Buffer
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		defer stop()
		code := Run(ctx, Process{In: strings.NewReader(""), Out: &out, ErrOut: &out,
			Args: []string{"--data", folder, "chat", "--endpoint", endpoint, "--model", "m"}})
		return out.String(), code
	}
	if said, code := chat("http://models.invalid/v1"); code == 0 || !strings.Contains(said, "use https") {
		t.Errorf("%d %s", code, said)
	}
	said, code := chat("https://models.invalid/v1")
	if code != 0 || !strings.Contains(said, "https://models.invalid/v1 answers. What you say") ||
		!strings.Contains(said, "leaves this computer.") {
		t.Errorf("%d %s", code, said)
	}
	if said, _ := chat("http://127.0.0.1:9/v1"); strings.Contains(said, "leaves this computer") {
		t.Error(said)
	}
}

// TestAByteOrderMarkBeginsTheOutput: at any other place it is invisible, and escaped.
func TestAByteOrderMarkBeginsTheOutput(t *testing.T) {
	for _, pieces := range [][]string{{"\ufeffa,\ufeffb"}, {"\ufeff", "a,", "\ufeffb"}, {"\xef", "\xbb\xbf", "a,\ufeffb"}} {
		var out bytes.Buffer
		s := &screen{to: &out}
		for _, piece := range pieces {
			if _, err := s.Write([]byte(piece)); err != nil {
				t.Fatal(err)
			}
		}
		if got, want := out.String(), "\ufeffa,\\ufeffb"; got != want {
			t.Errorf("%q: %q, want %q", pieces, got, want)
		}
	}
}
