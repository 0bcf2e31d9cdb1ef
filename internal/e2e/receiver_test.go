package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// TestTheGuideOnWebhooksWorks starts the receiver of docs/examples and calls it with the right secret and with another
// one. The page on webhooks shows what its signature is made of.
func TestTheGuideOnWebhooksWorks(t *testing.T) {
	const source = "docs/examples/receiver/main.go"
	code, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	guide, err := os.ReadFile("docs/mail-receipts-and-webhooks.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindSubmatch(guide)
	if shown == nil || !bytes.Contains(code, shown[1]) {
		t.Errorf("%s is not as the page shows it: %s", source, shown)
	}
	program := filepath.Join(t.TempDir(), "receiver")
	build := exec.Command("go", "build", "-o", program, "./"+filepath.Dir(source))
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	receiver := exec.CommandContext(t.Context(), program, "127.0.0.1:0")
	receiver.Env = append(os.Environ(), "SECRET="+hookSecret)
	said, err := receiver.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := receiver.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = receiver.Wait() }) // the test's end ends it
	lines := bufio.NewScanner(said)
	next := func() string {
		t.Helper()
		if !lines.Scan() {
			t.Fatalf("the receiver ended: %v", lines.Err())
		}
		return lines.Text()
	}
	address, _ := strings.CutPrefix(next(), "listening on ")
	d := desktest.WithoutKeychain(t, nil)
	hookTo(t, d, "http://"+address+"/orders")
	id := desktest.AnasOrder(t, d)
	if r := trigger(t.Context(), d, id, ""); !r.OK() || next() != "order "+id {
		t.Errorf("the right secret: %v", r.Err)
	}
	desktest.Must(t, d, bus.CallerTest, "settings.set",
		fmt.Sprintf(`{"section":"webhooks","values":{"hooks":[{"id":"stock","url":"http://%s/orders","secret":"another one of some length"}]}}`, address), nil)
	if r := trigger(t.Context(), d, id, ""); r.OK() || !strings.Contains(r.Err.Message, "401") {
		t.Errorf("another secret: %+v", r.Err)
	}
}

const hookSecret = "a secret of some length"

// hookTo sets the webhook "stock" to an address.
func hookTo(t *testing.T, d *desk.Desk, url string) {
	t.Helper()
	desktest.Must(t, d, bus.CallerTest, "settings.set",
		fmt.Sprintf(`{"section":"webhooks","values":{"hooks":[{"id":"stock","url":%q,"secret":%q}]}}`, url, hookSecret), nil)
}

func trigger(ctx context.Context, d *desk.Desk, orderID, key string) bus.Result {
	args := map[string]string{"hook": "stock"}
	if orderID != "" {
		args["orderId"] = orderID
	}
	raw, _ := json.Marshal(args)
	return d.Bus.Invoke(ctx, bus.Invocation{Capability: "webhook.trigger", Arguments: raw, IdempotencyKey: key,
		Principal: d.Person, Caller: bus.Caller{Type: bus.CallerTest}})
}
