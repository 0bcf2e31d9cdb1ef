package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/token"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// holds: O5 R10
func TestO5AShopCallsWhatIsExecutedElsewhereAndBothLogsHaveTheTrace(t *testing.T) {
	folder := desktest.Copy(t)
	seedOf := func(key byte) []byte {
		sum := sha256.Sum256([]byte{key})
		return sum[:]
	}
	run := func(key byte, args ...string) (string, error) {
		c := exec.Command("deskhand", append([]string{"--data", folder, "--json"}, args...)...)
		c.Env = append(os.Environ(), "DESKHAND_PEER_KEY="+base64.StdEncoding.EncodeToString(seedOf(key)))
		out, err := c.CombinedOutput()
		return string(out), err
	}

	// The supplier's program: its receiver is made when the key of the shop is known.
	var receiver *token.Receiver
	var mu sync.Mutex // guards the rest: the receiver's program has a goroutine for each call
	var heard []*token.Claims
	var header http.Header
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		body, _ = io.ReadAll(r.Body)
		r.Body, header = io.NopCloser(bytes.NewReader(body)), r.Header.Clone()
		receiver.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			claims, _ := token.FromContext(r.Context())
			heard = append(heard, claims)
			var inv bus.Invocation
			_ = json.NewDecoder(r.Body).Decode(&inv)
			_, _ = fmt.Fprintf(w, `{"status":"success","request_id":%q,"data":{"available":3}}`, inv.RequestID)
		})).ServeHTTP(w, r)
	}))
	defer server.Close()
	location := server.URL + "/agent/execute"
	text, err := os.ReadFile("docs/examples/peers/supplier.yaml")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "supplier.yaml")
	text = bytes.Replace(text, []byte("http://127.0.0.1:8377/agent/execute"), []byte(location), 1)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}

	if out, err := run(1, "peers", "test", file); err != nil || !strings.Contains(out, "at "+location) {
		t.Fatalf("tested: %s %v", out, err)
	}
	if out, err := run(1, "peers", "add", file, "--yes"); err != nil ||
		!strings.Contains(out, "public key of this shop: ") {
		t.Fatalf("added: %s %v", out, err)
	}
	out, err := run(1, "peers")
	var listed struct {
		Data struct{ Peers []struct{ PublicKey string } }
	}
	if err != nil || json.Unmarshal([]byte(out), &listed) != nil || len(listed.Data.Peers) != 1 {
		t.Fatalf("listed: %s %v", out, err)
	}
	public, err := base64.StdEncoding.DecodeString(listed.Data.Peers[0].PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	begun := false
	mu.Lock()
	receiver = token.NewReceiver(location, public, func() time.Time {
		if !begun { // a token has whole seconds
			begun = true
			return time.Now().Add(-time.Second)
		}
		return time.Now()
	})
	mu.Unlock()
	calls := func() []*token.Claims {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(heard)
	}

	const name, arguments = "peer.supplier.stock_check", `{"sku":"MUG"}`
	if out, err := run(1, "invoke", name, arguments); err != nil || !strings.Contains(out, `"available":3`) ||
		len(calls()) != 1 {
		t.Fatalf("called: %s %v, heard %v", out, err, calls())
	}
	claims := calls()[0]
	if claims.Capability != "stock.check" || claims.Subject == "" || claims.TraceID == "" {
		t.Errorf("its token says %+v", claims)
	}
	out, err = run(1, "audit", "query", "--capability", name)
	if err != nil || strings.Count(out, `"trace_id":"`+claims.TraceID+`"`) != 1 {
		t.Errorf("the shop's record has not the trace %s: %s %v", claims.TraceID, out, err)
	}

	mu.Lock()
	again, err := http.NewRequest(http.MethodPost, location, bytes.NewReader(slices.Clone(body)))
	if err == nil {
		again.Header = header
	}
	mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	answer, err := server.Client().Do(again)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if why, _ := io.ReadAll(answer.Body); answer.StatusCode != 401 || string(why) != "token: refused: replayed\n" {
		t.Errorf("the same call again: %s %s", answer.Status, why)
	}
	if out, err := run(2, "invoke", name, arguments); err == nil ||
		!strings.Contains(out, "refused the token of this call: signature") {
		t.Errorf("with another key: %s %v", out, err)
	}
	if n := len(calls()); n != 1 {
		t.Errorf("%d calls were executed", n)
	}
	if out, err := run(1, "audit", "verify"); err != nil {
		t.Errorf("%s %v", out, err)
	}
	seed := seedOf(1)
	err = filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		kept, err := os.ReadFile(path)
		if bytes.Contains(kept, seed) || bytes.Contains(kept, []byte(base64.StdEncoding.EncodeToString(seed))) {
			t.Errorf("the private key is in %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
