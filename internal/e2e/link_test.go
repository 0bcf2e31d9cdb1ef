package e2e

import (
	"encoding/json"
	"io"
	"os/exec"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/remote"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// childPipes are the standard streams of a child process.
type childPipes struct {
	io.Reader
	io.WriteCloser
}

// linked starts deskhand on a shop, as a child whose bus this program calls.
func linked(t *testing.T, folder string, o remote.Options) (*remote.Link, *exec.Cmd) {
	t.Helper()
	child := exec.Command("deskhand", "--data", folder, "bus", "--link")
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = child.Process.Kill() // it may have ended
		_ = child.Wait()
	})
	l, err := remote.Open(t.Context(), childPipes{out, in}, o)
	if err != nil {
		t.Fatal(err)
	}
	return l, child
}

// holds: N4 O6 R6
func TestO6AGoProgramCallsTheShopOfAChildProcess(t *testing.T) {
	folder := desktest.Copy(t)
	heard := make(chan bus.Event, 1000)
	l, child := linked(t, folder, remote.Options{OnEvent: func(e bus.Event) { heard <- e }})
	args := json.RawMessage(`{"name":"Linked Roast","variants":[{"sku":"LINK-1","price":{"amount":1200,"currency":"USD"}}]}`)
	inv := bus.Invocation{Capability: "catalog.createProduct", Arguments: args, RequestID: "req_linked", IdempotencyKey: "linked"}
	first := l.Invoke(t.Context(), inv, nil)
	if !first.OK() {
		t.Fatal(first.Err)
	}
	for e := range heard {
		if e.Type == bus.EventInvocation && e.RequestID == "req_linked" {
			break
		}
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-l.Done()
	if r := l.Invoke(t.Context(), inv, nil); r.OK() || !r.Err.Retryable() {
		t.Errorf("without the other program: %v", r.Err)
	}
	l, _ = linked(t, folder, remote.Options{})
	again := l.Invoke(t.Context(), inv, nil)
	if !again.OK() || !again.Replayed || string(again.Data) != string(first.Data) {
		t.Errorf("asked for again: %s %v", again.Data, again.Err)
	}
	if len(l.Manifest().Capabilities) < 50 {
		t.Errorf("%d capabilities are served", len(l.Manifest().Capabilities))
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	<-l.Done()
}
