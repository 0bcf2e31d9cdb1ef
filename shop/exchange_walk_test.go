package shop_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
	"github.com/google/go-cmp/cmp"
)

// TestExportAfterRandomDeskWork: the results of a few hundred actions survive an export and an import completely: open
// returns, exchanges, split lines, removed methods and addresses, and erased customers.
func TestExportAfterRandomDeskWork(t *testing.T) {
	seeds, steps := soak(2, 40), 700
	if *soaking > 0 {
		steps = 1000
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := newWalk(t, uint64(1000+seed))
			for range steps {
				w.step()
			}
			d := exporter(w)
			first := d.export()
			for _, rare := range []string{`"removed":true`, `"status":"cancelled"`, `"changes":`, `"kind":"refund"`} {
				if !strings.Contains(first, rare) {
					t.Errorf("the walk left no %s: it tests little", rare)
				}
			}
			imported := openImported(t, first)
			if second := imported.export(); second != first {
				t.Errorf("the second export differs: %.3000s", cmp.Diff(strings.Split(first, "\n"), strings.Split(second, "\n")))
			}
			sameShop(t, d, imported)
			imported.clock = w.clock
			imported.addsUp()
			imported.derived()
		})
	}
}

// exporter is the owner at the desk of a walk, with a door to files.
func exporter(w *walk) *desk {
	d := *w.desk
	d.files = map[string]string{}
	requests := 0
	d.bus = bus.New(bus.Options{
		Journal: d.log, Conditions: shop.Conditions(), Clock: func() time.Time { return w.clock },
		NewRequestID: func() string { requests++; return fmt.Sprint("export_", requests) },
	})
	d.bus.MustRegister(shop.Capabilities(shop.Ports{CreateFile: d.createFile})...)
	d.as("owner")
	return &d
}
