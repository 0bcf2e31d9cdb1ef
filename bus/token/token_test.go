package token_test

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/remote"
	"github.com/deskhand/deskhand/bus/token"
)

const bank = "https://bank.example.com/agent/execute"

func keys(t *testing.T) (ed25519.PublicKey, ed25519.PrivateKey) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return public, private
}

// holds: O5 R10
func TestO5ATokenIsGoodForExactlyOneCall(t *testing.T) {
	public, private := keys(t)
	_, strange := keys(t)
	clock := bustest.NewClock()
	r := token.NewReceiver(bank, public, clock.Now)
	early, err := token.Issuer{Name: "desk", Key: private, Clock: func() time.Time { return clock.Now().Add(-time.Minute) }}.
		Issue(bank, "kim", "check_balance", json.RawMessage(`{"account":"a"}`), "", token.Longest)
	if err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Second)
	desk := token.Issuer{Name: "desk", Key: private, Clock: clock.Now}
	issue := func(i token.Issuer, audience, subject string) string {
		signed, err := i.Issue(audience, subject, "check_balance", json.RawMessage(`{"account":"a","n":1}`), "trace_1", time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		return signed
	}
	by := func(method jwt.SigningMethod, key any, change func(*token.Claims)) string {
		digest, _ := token.Digest(json.RawMessage(`{"account":"a","n":1}`))
		c := token.Claims{Capability: "check_balance", Arguments: digest, RegisteredClaims: jwt.RegisteredClaims{ID: "x",
			Audience: jwt.ClaimStrings{bank}, Subject: "kim", IssuedAt: jwt.NewNumericDate(clock.Now()),
			ExpiresAt: jwt.NewNumericDate(clock.Now().Add(time.Minute))}}
		if change != nil {
			change(&c)
		}
		signed, err := jwt.NewWithClaims(method, c).SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return signed
	}
	good := issue(desk, bank, "kim")
	parts := strings.Split(good, ".")
	other := strings.Split(issue(desk, "https://elsewhere.example.com", "kim"), ".")
	for name, c := range map[string]struct {
		token, capability, arguments string
		after                        time.Duration
		want                         token.Reason
	}{
		"another key":       {token: issue(token.Issuer{Key: strange, Clock: clock.Now}, bank, "kim"), want: token.Signature},
		"widened":           {token: parts[0] + "." + other[1] + "." + parts[2], want: token.Signature},
		"without signature": {token: by(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, nil), want: token.Signature},
		"with our public key as a secret": {token: by(jwt.SigningMethodHS256, []byte(public), nil),
			want: token.Signature},
		"another audience":    {token: issue(desk, "https://elsewhere.example.com", "kim"), want: token.Audience},
		"nobody":              {token: issue(desk, bank, ""), want: token.Subject},
		"another capability":  {token: issue(desk, bank, "kim"), capability: "transfer", want: token.Capability},
		"other arguments":     {token: issue(desk, bank, "kim"), arguments: `{"account":"b","n":1}`, want: token.Arguments},
		"no arguments":        {token: issue(desk, bank, "kim"), arguments: ` `, want: token.Arguments},
		"before the start":    {token: early, arguments: `{"account":"a"}`, want: token.Before},
		"nothing":             {token: "", want: token.Unreadable},
		"some text":           {token: "a.b.c", want: token.Unreadable},
		"good for a day":      {token: by(jwt.SigningMethodEdDSA, private, func(c *token.Claims) { c.ExpiresAt = jwt.NewNumericDate(clock.Now().Add(24 * time.Hour)) }), want: token.TooLong},
		"good for ever":       {token: by(jwt.SigningMethodEdDSA, private, func(c *token.Claims) { c.ExpiresAt = nil }), want: token.Unreadable},
		"without its own id":  {token: by(jwt.SigningMethodEdDSA, private, func(c *token.Claims) { c.ID = "" }), want: token.Unreadable},
		"as it should be":     {token: issue(desk, bank, "kim")},
		"written differently": {token: issue(desk, bank, "kim"), arguments: ` { "n" : 1.0, "account" : "a" } `},
	} {
		if c.capability == "" {
			c.capability = "check_balance"
		}
		if c.arguments == "" {
			c.arguments = `{"account":"a","n":1}`
		}
		claims, err := r.Check(c.token, c.capability, json.RawMessage(c.arguments))
		var refused *token.Error
		switch errors.As(err, &refused); {
		case c.want == "" && (err != nil || claims.Subject != "kim" || claims.TraceID != "trace_1"):
			t.Errorf("%s: %+v %v", name, claims, err)
		case c.want != "" && (refused == nil || refused.Reason != c.want):
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	check := func() error {
		_, err := r.Check(good, "check_balance", json.RawMessage(`{"account":"a","n":1}`))
		return err
	}
	if err := check(); err != nil {
		t.Error(err)
	}
	if err := check(); err == nil || err.Error() != "token: refused: replayed" {
		t.Errorf("the second time: %v", err)
	}
	clock.Advance(token.Longest + time.Second)
	if err := check(); err == nil || err.Error() != "token: refused: expired" {
		t.Errorf("after its minutes: %v", err)
	}
}

// holds: O5 R10
func TestO5ACapabilityElsewhereIsCalledWithItsToken(t *testing.T) {
	public, private := keys(t)
	far := &bustest.Journal{}
	there := bus.New(bus.Options{Journal: far, Name: "bank", Version: "1"})
	there.MustRegister(bus.Define(bus.Capability{Name: "account.check", Title: "Check", Description: "Check a balance.",
		SideEffect: bus.Pure}, func(_ context.Context, call *bus.Call, in struct {
		Account string `json:"account"`
	}) (struct {
		Owner string `json:"owner"`
	}, error) {
		return struct {
			Owner string `json:"owner"`
		}{call.Person.ID}, nil
	}))
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	location := server.URL + "/agent/execute"
	start := func() time.Time { return time.Now().Add(-2 * time.Second) }
	first := true
	receiver := token.NewReceiver(location, public, func() time.Time {
		if first {
			first = false
			return start()
		}
		return time.Now()
	})
	mux.Handle("/agent/execute", receiver.Handler(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		claims, _ := token.FromContext(req.Context())
		_ = json.NewEncoder(w).Encode(there.InvokeJSON(req.Context(), body, func(inv *bus.Invocation) {
			inv.Caller.Type, inv.Principal = bus.CallerCLI, bus.Principal{ID: claims.Subject}
		}))
	})))
	mux.HandleFunc("/closed", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "call me instead", http.StatusUnauthorized)
	})
	mux.Handle("/moved", http.RedirectHandler(location, http.StatusTemporaryRedirect))

	m, err := there.Manifest(t.Context(), bus.View{All: true})
	if err != nil {
		t.Fatal(err)
	}
	at := func(location string, key ed25519.PrivateKey) bus.Result {
		invoke, err := token.Issuer{Name: "desk", Key: key, Clock: time.Now}.Invoker(location, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, _, _ := bustest.New(t, remote.Mount(m, invoke)...)
		return b.Invoke(t.Context(), bus.Invocation{Capability: "account.check", Arguments: json.RawMessage(`{"account":"a"}`),
			TraceID: "trace_1", Caller: bus.Caller{Type: bus.CallerUI}, Principal: bus.Principal{ID: "kim"}})
	}
	if r := at(location, private); !r.OK() || string(r.Data) != `{"owner":"kim"}` || far.Entries()[0].Invocation.TraceID != "trace_1" {
		t.Errorf("answered with %s %v", r.Data, r.Err)
	}
	_, strange := keys(t)
	if r := at(location, strange); r.OK() || r.Err.Code != bus.Forbidden ||
		r.Err.Message != location+" refused the token of this call: signature." {
		t.Errorf("with another key: %v", r.Err)
	}
	if r := at(server.URL+"/moved", private); r.OK() || r.Err.Code != bus.Transient {
		t.Errorf("a redirect was followed: %s %v", r.Data, r.Err)
	}
	if r := at(server.URL+"/closed", private); r.OK() || !strings.Contains(r.Err.Message, "it does not say why") {
		t.Errorf("what others wrote is told: %v", r.Err)
	}
	if n := len(far.Entries()); n != 1 {
		t.Errorf("%d calls arrived", n)
	}
	for _, location := range []string{"http://bank.example.com/", "ftp://127.0.0.1/", "/execute", "https://kim:secret@bank.example.com/"} {
		if _, err := (token.Issuer{}).Invoker(location, nil); err == nil {
			t.Errorf("%s was accepted", location)
		}
	}
}
