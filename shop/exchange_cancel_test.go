package shop_test

import (
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
)

// TestAnImportCanBeCancelled: after a cancellation in the middle of the orders, nothing of the file is in the shop.
func TestAnImportCanBeCancelled(t *testing.T) {
	whole := openSample(t, "owner").export()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	d := &desk{t: t, clock: now}
	b, log, err := start(filepath.Join(t.TempDir(), "shop.db"), shop.Ports{
		OpenFile: func(context.Context, string) (io.ReadCloser, string, error) {
			return io.NopCloser(io.MultiReader(strings.NewReader(whole[:len(whole)/2]), doing(cancel),
				strings.NewReader(whole[len(whole)/2:]))), "shop.json", nil
		},
	}, nil, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	d.bus, d.log = b, log
	d.as("")
	d.must("shop.setUp", `{"from":"empty"}`, nil)
	d.as("")
	before := d.stateHash()
	feed := b.Subscribe()
	defer feed.Close()
	res := b.Invoke(ctx, bus.Invocation{
		Capability: "shop.import", Arguments: json.RawMessage(`{"file":"x"}`), Caller: bus.Caller{Type: bus.CallerTest},
		Principal: d.person,
	})
	if res.OK() || res.Err.Reason != bus.ReasonCancelled {
		t.Errorf("the answer is %s %+v", res.Data, res.Err)
	}
	if d.stateHash() != before {
		t.Error("something of the file is in the shop")
	}
	e, err := feed.Next(context.Background())
	for ; err == nil && e.Type != bus.EventProgress; e, err = feed.Next(context.Background()) {
	}
	if err != nil || e.Message != "products: 1" {
		t.Errorf("the first progress is %+v (%v)", e, err)
	}
}

// doing is a reader without content that does something when it is reached.
type doing func()

func (do doing) Read([]byte) (int, error) {
	do()
	return 0, io.EOF
}
