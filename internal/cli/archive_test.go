//go:build host

package cli

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/deskhand/deskhand/internal/natstest"
)

// output is what a command writes while it runs.
type output struct {
	mu sync.Mutex // guards b
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// command runs a command line to its end.
func command(ctx context.Context, args ...string) (code int, out string) {
	var o output
	code = Run(ctx, Process{Args: args, In: strings.NewReader(""), Out: &o, ErrOut: &o})
	return code, o.String()
}

// jetStream starts a server that takes messages of so many bytes, 0: as many as it does by itself, and is its address.
func jetStream(t *testing.T, maxPayload int32) string {
	t.Helper()
	return natstest.Start(t, server.Options{Port: -1, JetStream: true, MaxPayload: maxPayload}).Server().ClientURL()
}

// holds: N7
func TestN7AHostSaysWhichRecordIsTooLargeToBePublished(t *testing.T) {
	url := jetStream(t, 8<<10)
	t.Setenv("DESKHAND_HOST_KEY", base64.StdEncoding.EncodeToString(make([]byte, 32)))
	shop, folder := filepath.Join(t.TempDir(), "shop"), filepath.Join(t.TempDir(), "archive")
	ctx, cancel := context.WithCancel(t.Context())
	if code, out := command(ctx, "--data", shop, "init", "--sample"); code != 0 {
		t.Fatal(out)
	}
	command(ctx, "--data", shop, "invoke", "cart.setNote", `{"note":"`+strings.Repeat("long ", 4000)+`"}`) // it is refused
	var all sync.WaitGroup
	var host output
	all.Go(func() {
		command(ctx, "archive", "--folder", folder, "run", "--nats", url, "--create", "1")
	})
	all.Go(func() {
		Run(ctx, Process{Args: []string{"--data", shop, "host", "--listen", "127.0.0.1:0", "--publish", url,
			"--shop", "berlin"}, In: strings.NewReader(""), Out: &host, ErrOut: &host})
	})
	for end := time.Now().Add(time.Minute); !strings.Contains(host.String(), "berlin: Record 2 needs a message of ") ||
		!strings.Contains(host.String(), "Set max_payload of the server"); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the host says\n%s", host.String())
		}
	}
	cancel()
	all.Wait()
}

// holds: N7
func TestN7AHostPublishesAndTheArchiveAnswersTheSameCommands(t *testing.T) {
	url := jetStream(t, 0)
	seed := make([]byte, 32)
	_, _ = rand.Read(seed)
	t.Setenv("DESKHAND_HOST_KEY", base64.StdEncoding.EncodeToString(seed))
	shop, folder := filepath.Join(t.TempDir(), "shop"), filepath.Join(t.TempDir(), "archive")
	ctx, cancel := context.WithCancel(t.Context())
	must := func(args ...string) string {
		t.Helper()
		code, out := command(ctx, args...)
		if code != 0 {
			t.Fatalf("%v: code %d\n%s", args, code, out)
		}
		return out
	}
	must("--data", shop, "init", "--sample")
	var all sync.WaitGroup
	for _, args := range [][]string{
		{"archive", "--folder", folder, "run", "--nats", url, "--create", "1"},
		{"--data", shop, "host", "--listen", "127.0.0.1:0", "--publish", url, "--shop", "berlin"},
	} {
		all.Go(func() {
			if code, out := command(ctx, args...); code != 0 {
				t.Errorf("%v: code %d\n%s", args, code, out)
			}
		})
	}
	want := strings.TrimPrefix(must("--data", shop, "audit", "verify"), "The log is whole: ")
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		_, out := command(ctx, "archive", "--folder", folder, "audit", "--shop", "berlin", "verify")
		if got, is := strings.CutPrefix(out, "The log is whole: "); is && got == want {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the archive has\n%s\nand the shop\n%s", out, want)
		}
		want = strings.TrimPrefix(must("--data", shop, "audit", "verify"), "The log is whole: ")
	}
	if there, here := must("--data", shop, "audit", "tail"), must("archive", "--folder", folder, "audit", "--shop", "berlin",
		"tail"); there != here {
		t.Errorf("the shop has\n%s\nthe archive\n%s", there, here)
	}
	if out := must("archive", "--folder", folder, "list"); !strings.HasPrefix(out, "berlin 1: ") ||
		!strings.HasSuffix(out, ", goes on\n") {
		t.Errorf("list: %s", out)
	}
	if out := must("archive", "--folder", folder, "verify"); !strings.HasPrefix(out, "berlin 1: whole: ") {
		t.Errorf("verify: %s", out)
	}
	if out := must("archive", "--folder", folder, "report"); !strings.Contains(out, "berlin  1     ") ||
		!strings.Contains(out, "  0        whole  ") {
		t.Errorf("report: %s", out)
	}
	if out := must("archive", "--folder", folder, "alarms"); out != "" {
		t.Errorf("alarms: %s", out)
	}
	if code, out := command(ctx, "archive", "--folder", folder, "audit", "--shop", "rome", "verify"); code == 0 {
		t.Errorf("a shop that is not there: %s", out)
	}
	cancel()
	all.Wait()
}

// holds: N7
func TestN7AnArchiveRefusesASchemeThatWouldNotBeEncrypted(t *testing.T) {
	server := jetStream(t, 0)
	_, address, _ := strings.Cut(server, "://")
	for _, url := range []string{"https://" + address, "nats+tls://" + address, server + ", SSL://" + address} {
		// It would dial the server in clear and go on.
		code, out := command(t.Context(), "archive", "run", "--folder", t.TempDir(), "--nats", url)
		if code == 0 || !strings.Contains(out, "use tls://") {
			t.Errorf("%s: code %d, %s", url, code, out)
		}
	}
}
