package webhook_test

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/internal/webhook"
	"github.com/deskhand/deskhand/shop"
	"github.com/zalando/go-keyring"
)

const hookSecret = "a secret of some length"

// receiver is another program that webhooks call.
type receiver struct {
	*httptest.Server
	mu    sync.Mutex // guards calls
	calls []heardCall
}

type heardCall struct {
	path, key, signature string
	body                 []byte
}

// receive starts one that answers the n-th call, from 0, as answer says.
func receive(t *testing.T, secure bool, answer func(n int, w http.ResponseWriter, r *http.Request)) *receiver {
	t.Helper()
	rec := &receiver{}
	handle := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		rec.mu.Lock()
		n := len(rec.calls)
		rec.calls = append(rec.calls, heardCall{r.URL.Path, r.Header.Get("Idempotency-Key"),
			r.Header.Get(webhook.SignatureHeader), body})
		rec.mu.Unlock()
		if answer != nil {
			answer(n, w, r)
		}
	})
	if secure {
		rec.Server = httptest.NewUnstartedServer(handle)
		rec.Config.ErrorLog = nil
		rec.StartTLS()
	} else {
		rec.Server = httptest.NewServer(handle)
	}
	t.Cleanup(rec.Close)
	return rec
}

func (r *receiver) heard() []heardCall {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]heardCall{}, r.calls...)
}

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

func TestAWebhookIsCalledSigned(t *testing.T) {
	keyring.MockInitWithError(keyring.ErrUnsupportedPlatform)
	far := receive(t, true, nil)
	pool := x509.NewCertPool()
	pool.AddCert(far.Certificate())
	d := desktest.Sample(t, desk.Options{Roots: pool})
	for _, rec := range []*receiver{far, receive(t, false, nil)} {
		hookTo(t, d, rec.URL+"/orders?x=1")
		r := trigger(t.Context(), d, desktest.AnasOrder(t, d), "")
		if !r.OK() {
			t.Fatal(r.Err)
		}
		call := rec.heard()[0]
		var out struct{ DeliveryID string }
		if err := json.Unmarshal(r.Data, &out); err != nil || call.key != out.DeliveryID || call.key == "" ||
			call.path != "/orders" {
			t.Errorf("%s: key %q, answer %s", call.path, call.key, r.Data)
		}
		var stamp int64
		if _, err := fmt.Sscanf(call.signature, "t=%d,", &stamp); err != nil {
			t.Fatal(err)
		}
		if want := webhook.Sign(hookSecret, time.Unix(stamp, 0), call.body); call.signature != want {
			t.Errorf("signature %q, want %q", call.signature, want)
		}
		if strings.Contains(string(call.body), hookSecret) || strings.Contains(string(r.Data), hookSecret) {
			t.Error("the secret was told")
		}
	}
}

// TestASignatureIsWhatTheGuideSays, by the bytes: receivers rely on it.
func TestASignatureIsWhatTheGuideSays(t *testing.T) {
	got := webhook.Sign("0123456789abcdef", time.Unix(1773327845, 0), []byte(`{"event":"ping"}`))
	if want := "t=1773327845,v1=13f0fcd12d11c1af4c88c8a966e48247f7d597f39be44dfa54ab111ad28090e1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestC10AWebhookThatIsBusyIsCalledAgain with the same key.
// holds: C10
func TestC10AWebhookThatIsBusyIsCalledAgain(t *testing.T) {
	rec := receive(t, false, func(n int, w http.ResponseWriter, _ *http.Request) {
		if n == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	d := desktest.WithoutKeychain(t, nil)
	hookTo(t, d, rec.URL)
	if r := trigger(t.Context(), d, "", ""); !r.OK() {
		t.Fatal(r.Err)
	}
	if calls := rec.heard(); len(calls) != 2 || calls[0].key != calls[1].key ||
		string(calls[0].body) != string(calls[1].body) {
		t.Errorf("%+v", calls)
	}
}

func TestAWebhookThatRefusesIsSaid(t *testing.T) {
	elsewhere := receive(t, false, nil)
	status := func(code int) func(int, http.ResponseWriter, *http.Request) {
		return func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	redirect := func(code int, to string) func(int, http.ResponseWriter, *http.Request) {
		return func(_ int, w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, code) }
	}
	d := desktest.WithoutKeychain(t, nil)
	for name, tt := range map[string]struct {
		secure bool
		answer func(int, http.ResponseWriter, *http.Request)
		reason bus.Reason
		says   string
		heard  int
	}{
		"not found":           {false, status(404), bus.ReasonState, "answered with 404", 1},
		"not allowed":         {false, status(401), bus.ReasonState, "refused", 1},
		"sent elsewhere":      {false, redirect(307, elsewhere.URL), bus.ReasonState, "another address", 1},
		"sent off as a look":  {false, redirect(302, "/other"), bus.ReasonState, "another address", 1},
		"sent in a circle":    {false, redirect(308, "/again"), bus.ReasonState, "another address", 4},
		"unknown certificate": {true, nil, bus.ReasonState, "not trusted", 0},
		"broken off": {false, func(_ int, w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_ = conn.Close()
			}
		}, bus.ReasonInterrupted, "nobody knows", 1},
	} {
		t.Run(name, func(t *testing.T) {
			rec := receive(t, tt.secure, tt.answer)
			hookTo(t, d, rec.URL)
			r := trigger(t.Context(), d, "", "")
			if r.OK() || r.Err.Reason != tt.reason || !strings.Contains(r.Err.Message, tt.says) || r.Err.Hint == "" {
				t.Errorf("%+v", r.Err)
			}
			if heard := len(rec.heard()); heard != tt.heard {
				t.Errorf("heard %d calls, want %d", heard, tt.heard)
			}
		})
	}
	if calls := elsewhere.heard(); len(calls) != 0 {
		t.Errorf("another host heard %+v", calls)
	}
}

// TestARedirectWithinTheHostIsFollowed as the same call.
func TestARedirectWithinTheHostIsFollowed(t *testing.T) {
	rec := receive(t, false, func(n int, w http.ResponseWriter, r *http.Request) {
		if n == 0 {
			http.Redirect(w, r, "/new", http.StatusPermanentRedirect)
		}
	})
	status, err := webhook.Caller{Clock: time.Now}.Deliver(t.Context(),
		shop.Delivery{URL: rec.URL + "/old", Secret: hookSecret, ID: "d1", Body: json.RawMessage(`{}`)})
	if calls := rec.heard(); err != nil || status != 200 || len(calls) != 2 || calls[1].path != "/new" ||
		calls[1].signature != calls[0].signature || string(calls[1].body) != `{}` {
		t.Errorf("%d %v, heard %+v", status, err, calls)
	}
}

// TestB4ACallOfUnknownOutcomeIsNotMadeAgain by its key.
// holds: B4
func TestB4ACallOfUnknownOutcomeIsNotMadeAgain(t *testing.T) {
	entered := make(chan struct{}, 1)
	rec := receive(t, false, func(_ int, _ http.ResponseWriter, r *http.Request) {
		entered <- struct{}{}
		<-r.Context().Done()
	})
	d := desktest.WithoutKeychain(t, nil)
	hookTo(t, d, rec.URL)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-entered
		cancel()
	}()
	for range 2 {
		if r := trigger(ctx, d, "", "once"); r.OK() || r.Err.Reason != bus.ReasonInterrupted {
			t.Errorf("%+v", r.Err)
		}
		ctx = t.Context()
	}
	if heard := len(rec.heard()); heard != 1 {
		t.Errorf("heard %d calls", heard)
	}
}

func TestAWebhookGoesNowhereUnencrypted(t *testing.T) {
	for _, address := range []string{"http://example.com/", "http://127.0.0.1.example.com/", "ftp://127.0.0.1/", "://",
		"file:///etc/passwd"} {
		var e *bus.Error
		if _, err := (webhook.Caller{Clock: time.Now}).Deliver(t.Context(), shop.Delivery{URL: address}); !errors.As(err,
			&e) || e.Code != bus.PreconditionFailed {
			t.Errorf("%s: %v", address, err)
		}
	}
	var e *bus.Error
	if _, err := (webhook.Caller{Clock: time.Now}).
		Deliver(t.Context(), shop.Delivery{URL: "http://127.0.0.1:1/"}); !errors.As(err, &e) ||
		e.Reason != bus.ReasonNetwork {
		t.Errorf("nobody there: %v", err)
	}
}
