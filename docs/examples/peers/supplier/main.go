// Command supplier tells a shop what it has of an article: a program elsewhere, which takes calls that are signed with
// the shop's key and no others.
package main

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/token"
)

const address, path = "127.0.0.1:8377", "/agent/execute"

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: supplier PUBLIC-KEY")
	}
	key, err := base64.StdEncoding.DecodeString(os.Args[1])
	if err != nil || len(key) != ed25519.PublicKeySize {
		log.Fatal("supplier: the public key is 32 bytes in base64, as deskhand peers prints it")
	}
	receiver := token.NewReceiver("http://"+address+path, key, time.Now)
	http.Handle(path, receiver.Handler(execute(supplier())))
	log.Fatal(http.ListenAndServe(address, nil))
}

// execute runs a call whose token is good, for the person in it.
func execute(b *bus.Bus) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		call, _ := io.ReadAll(req.Body) // the receiver has read it
		claims, _ := token.FromContext(req.Context())
		log.Printf("%s for %s of %s, trace %s", claims.Capability, claims.Subject, claims.Issuer, claims.TraceID)
		_ = json.NewEncoder(w).Encode(b.InvokeJSON(req.Context(), call, func(inv *bus.Invocation) {
			inv.Caller.Type, inv.Principal = bus.CallerCLI, bus.Principal{ID: claims.Subject}
		}))
	}
}

type article struct {
	SKU string `json:"sku" jsonschema:"minLength=1,maxLength=40"`
}

type stock struct {
	Available int `json:"available"`
}

func supplier() *bus.Bus {
	b := bus.New(bus.Options{Journal: &bustest.Journal{}, Name: "supplier", Version: "1.0.0"})
	b.MustRegister(bus.Define(bus.Capability{Name: "stock.check", Title: "Check the stock", SideEffect: bus.Pure,
		Description: "Say how many of an article can be had. Use it before it is ordered; it reserves nothing."},
		func(_ context.Context, _ *bus.Call, in article) (stock, error) { return stock{len(in.SKU)}, nil }))
	return b
}
