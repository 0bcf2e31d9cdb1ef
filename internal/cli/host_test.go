//go:build host

package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/internal/cli"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/tills"
)

// output can be read while a command writes it.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// await waits until the output has a text.
func (o *output) await(t *testing.T, text string) {
	t.Helper()
	for range 3000 {
		if strings.Contains(o.String(), text) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("no %q in:\n%s", text, o)
}

// TestAHostServesATillByItsCommands: host, pair, join and tills, as somebody types them on two computers.
//
// holds: N3
func TestAHostServesATillByItsCommands(t *testing.T) {
	t.Setenv("DESKHAND_HOST_KEY", "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")
	t.Setenv("DESKHAND_TILL_KEY", "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXphYmNkZWY=")
	shop, other := t.TempDir(), t.TempDir()
	run := func(ctx context.Context, in, folder string, out *output, args ...string) int {
		return cli.Run(ctx, cli.Process{Args: append([]string{"--data", folder}, args...), In: strings.NewReader(in),
			Out: out, ErrOut: out})
	}
	must := func(in, folder string, args ...string) string {
		t.Helper()
		out := &output{}
		if code := run(t.Context(), in, folder, out, args...); code != 0 {
			t.Fatalf("%v: code %d: %s", args, code, out)
		}
		return out.String()
	}
	must("", shop, "init", "--sample")
	refused := &output{}
	if run(t.Context(), "", shop, refused, "pair") == 0 || !strings.Contains(refused.String(), "serves no tills") {
		t.Errorf("a code without a host: %s", refused)
	}
	ctx, end := context.WithCancel(t.Context())
	serving := &output{}
	var inside sync.WaitGroup
	inside.Go(func() { run(ctx, "", shop, serving, "host", "--listen", "127.0.0.1:0") })
	defer inside.Wait()
	defer end()
	serving.await(t, "Tills are served at 127.0.0.1:")

	var made struct{ Code string }
	if err := json.Unmarshal([]byte(must("", shop, "--json", "pair")), &made); err != nil {
		t.Fatal(err)
	}
	joining := &output{}
	joined := make(chan int, 1)
	inside.Go(func() { joined <- run(ctx, "", other, joining, "join", made.Code, "--name", "Stockroom") })
	for deadline := time.Now().Add(30 * time.Second); !strings.Contains(must("", shop, "tills"), "asks to work here"); {
		if time.Now().After(deadline) {
			t.Fatalf("it does not ask: %s", joining)
		}
	}
	must("", shop, "tills", "add", "Stockroom")
	if code := <-joined; code != 0 || !strings.Contains(joining.String(), "Joined.") {
		t.Errorf("join: code %d: %s", code, joining)
	}
	if kept, err := os.ReadFile(filepath.Join(other, "till.json")); err != nil || strings.Contains(string(kept), "YWJj") {
		t.Errorf("what the till keeps: %s, %v", kept, err)
	}
	out := &output{}
	if run(t.Context(), "", other, out, "--as", "june park", "invoke", "cart.getSummary") == 0 ||
		!strings.Contains(out.String(), "has a PIN yet") {
		t.Errorf("a clerk without a PIN signed in at a till: %s", out)
	}
	must("", shop, "invoke", "staff.setPin", `{"staffId":"june_park","pin":"804613"}`)
	var cart struct{ Cart struct{ ID string } }
	summary := must("804613\n", other, "--as", "june park", "--pin-fd", "0", "invoke", "cart.getSummary")
	if err := json.Unmarshal([]byte(summary), &cart); err != nil {
		t.Error(err)
	}
	lines := must("804613\n"+`{"capability":"session.get"}`+"\n"+`{"capability":"staff.list"}`+"\n", other, "--as", "june_park",
		"--pin-fd", "0", "bus")
	if !strings.Contains(lines, `"name":"June Park"`) || !strings.Contains(lines, `"FORBIDDEN"`) {
		t.Errorf("what a clerk is told: %s", lines)
	}
	for what, args := range map[string][]string{"say who you are": {"invoke", "cart.getSummary"},
		"is a till of": {"audit", "tail"}} {
		out := &output{}
		if run(t.Context(), "", other, out, args...) == 0 || !strings.Contains(out.String(), what) {
			t.Errorf("%v: %s", args, out)
		}
	}
	if got := must("", shop, "tills", "remove", "Stockroom"); !strings.Contains(got, "is removed") {
		t.Error(got)
	}

	refuses := func(folder, says string, args ...string) {
		t.Helper()
		out := &output{}
		if run(t.Context(), "804613\n", folder, out, args...) == 0 || !strings.Contains(out.String(), says) {
			t.Errorf("%v: %s, want %q", args, out, says)
		}
	}
	for out := (&output{}); !strings.Contains(out.String(), "removed this desk"); { // once the host has heard of it
		out = &output{}
		if run(t.Context(), "804613\n", other, out, "--as", "june park", "--pin-fd", "0", "invoke", "cart.getSummary") == 0 {
			time.Sleep(10 * time.Millisecond)
		}
	}
	refuses(other, "deskhand --data "+other+" join CODE", "--as", "june park", "invoke", "cart.getSummary")
	refuses(other, "removed this desk", "doctor")
	refuses(shop, "There is a shop in this folder.", "join", made.Code)
	refuses(other, "not the code", "join", "K7QM-2RTX")
	if unfilled, err := desk.Open(t.Context(), desk.Options{Folder: other, Create: true}); err != nil {
		t.Fatal(err) // as a window leaves it in which no shop was made
	} else if err := unfilled.Close(); err != nil {
		t.Fatal(err)
	}

	pairing := &output{}
	answers, says := io.Pipe()
	inside.Go(func() {
		cli.Run(ctx, cli.Process{Args: []string{"--data", shop, "pair"}, In: answers, Out: pairing, ErrOut: pairing})
	})
	pairing.await(t, "deskhand join ")
	_, code, _ := strings.Cut(pairing.String(), "deskhand join ")
	code, _, _ = strings.Cut(code, "\n")
	inside.Go(func() { // a yes that was there before the question is none; the word in it is
		_, _ = io.WriteString(says, "y\n")
		pairing.await(t, "to allow it.")
		_, word, _ := strings.Cut(pairing.String(), "other computer shows? [")
		word, _, _ = strings.Cut(word, "/")
		_, _ = io.WriteString(says, word+"\n")
	})
	must("", other, "join", code, "--name", "Office")
	pairing.await(t, "Office is let in.")
	must("804613\n", other, "--as", "june park", "--pin-fd", "0", "invoke", "cart.getSummary")
	refuses(other, "already", "join", code)
}

// TestAHostServesUntilItsWindowEnds and prints one line: its address, or the reason why it does not serve.
//
// holds: N3
func TestAHostServesUntilItsWindowEnds(t *testing.T) {
	t.Setenv("DESKHAND_HOST_KEY", "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")
	shop := t.TempDir()
	host := func(in io.Reader, out *output, listen string) int {
		return cli.Run(t.Context(), cli.Process{Args: []string{"--data", shop, "--json", "host", "--attached", "--listen", listen},
			In: in, Out: out, ErrOut: io.Discard})
	}
	if code := cli.Run(t.Context(), cli.Process{Args: []string{"--data", shop, "init", "--sample"}, In: strings.NewReader(""),
		Out: io.Discard, ErrOut: io.Discard}); code != 0 {
		t.Fatal("no shop")
	}
	input, window := io.Pipe()
	serving, ended := &output{}, make(chan int)
	go func() { ended <- host(input, serving, "127.0.0.1:0") }()
	serving.await(t, "}\n")
	var started, refused tills.Started
	if err := json.Unmarshal([]byte(serving.String()), &started); err != nil || started.Problem != "" {
		t.Fatalf("%s, %v", serving, err)
	}
	second := &output{}
	open, _ := io.Pipe()
	code := host(open, second, started.Address)
	if err := json.Unmarshal([]byte(second.String()), &refused); err != nil || code == 0 ||
		refused.Problem != "Nothing can listen at "+started.Address+"." || refused.Remedy == "" {
		t.Errorf("a taken port: code %d, %s, %v", code, second, err)
	}
	if err := window.Close(); err != nil {
		t.Fatal(err)
	}
	if code := <-ended; code != 0 {
		t.Errorf("it ends with code %d", code)
	}
}
