package capabilities_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/capabilities"
	"github.com/deskhand/deskhand/bus"
)

// The log is read through the bus that it records.
func Example() {
	dir, err := os.MkdirTemp("", "capabilities-example-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	journal, err := audit.Open(ctx, filepath.Join(dir, "log.db"), audit.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer journal.Close()
	b := bus.New(bus.Options{Journal: journal})
	b.MustRegister(capabilities.New(journal, capabilities.Options{})...)

	invoke := func(scope, name, arguments string) bus.Result {
		return b.Invoke(ctx, bus.Invocation{Capability: name, Arguments: []byte(arguments),
			Caller:    bus.Caller{Type: bus.CallerUI},
			Principal: bus.Principal{ID: "ann", Scopes: []string{scope}}})
	}
	fmt.Println(invoke("notes:read", "audit.search", `{}`).Err.Code)

	var out struct {
		Records []audit.Record `json:"records"`
	}
	if err := json.Unmarshal(invoke("audit:read", "audit.search", `{"code":"FORBIDDEN"}`).Data, &out); err != nil {
		log.Fatal(err)
	}
	for _, r := range out.Records {
		fmt.Println(r.Caller.Person, r.Capability, r.Code)
	}
	// Output:
	// FORBIDDEN
	// ann audit.search FORBIDDEN
}
