package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/peer"
	"github.com/deskhand/deskhand/bus/remote"
	"github.com/deskhand/deskhand/bus/token"
)

func TestTheSupplierAnswersWhoHasTheKey(t *testing.T) {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	log.SetOutput(&said)
	defer log.SetOutput(os.Stderr)
	clock := bustest.NewClock()
	receiver := token.NewReceiver("http://"+address+path, public, clock.Now)
	clock.Advance(time.Second)
	server := httptest.NewServer(receiver.Handler(execute(supplier())))
	defer server.Close()

	text, err := os.ReadFile("../supplier.yaml")
	if err != nil {
		t.Fatal(err)
	}
	f, err := peer.Read(bytes.NewReader(text), "supplier.yaml")
	if err != nil {
		t.Fatal(err)
	}
	called := func(key ed25519.PrivateKey) bus.Result {
		p := peer.New(f, nil)
		p.At = func(_ context.Context, location string) (remote.Invoker, error) {
			client := server.Client()
			client.Transport = to{server.URL}
			return token.Issuer{Name: "shop", Key: key, Clock: clock.Now}.Invoker(location, client)
		}
		b, _, _ := bustest.New(t, f.Capabilities(p.Invoke)...)
		return b.Invoke(t.Context(), bus.Invocation{Capability: "peer.supplier.stock_check", TraceID: "trace_1",
			Arguments: json.RawMessage(`{"sku":"MUG"}`), Caller: bus.Caller{Type: bus.CallerUI},
			Principal: bus.Principal{ID: "kim"}})
	}
	if r := called(private); !r.OK() || string(r.Data) != `{"available":3}` ||
		!strings.Contains(said.String(), "stock.check for kim of shop, trace trace_1") {
		t.Errorf("answered with %s %v, and said %q", r.Data, r.Err, said.String())
	}
	_, strange, err := ed25519.GenerateKey(nil)
	if r := called(strange); err != nil || r.OK() || r.Err.Code != bus.Forbidden {
		t.Errorf("another key was answered with %s %v", r.Data, r.Err)
	}
}

// to sends what is for the supplier's address to a server of the test.
type to struct{ url string }

func (s to) RoundTrip(req *http.Request) (*http.Response, error) {
	at, err := url.Parse(s.url)
	if err != nil {
		return nil, err
	}
	req = req.Clone(req.Context())
	req.URL.Host = at.Host
	return http.DefaultTransport.RoundTrip(req)
}
