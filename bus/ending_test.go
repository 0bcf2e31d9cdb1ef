package bus_test

import (
	"errors"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

func TestE1ADryRunIsAnnouncedAsOne(t *testing.T) {
	b, _, _ := bustest.New(t, add())
	s := b.Subscribe()
	defer s.Close()
	inv := call("till.add", `{"coins":1}`)
	inv.DryRun = true
	wantOK(t, b.Invoke(t.Context(), inv))
	if e, err := s.Next(t.Context()); err != nil || !e.DryRun {
		t.Errorf("%+v %v", e, err)
	}
}

func TestE2SubscriptionsEndWithTheirBusAfterTheLastEvent(t *testing.T) {
	b, _, _ := bustest.New(t, add())
	before := b.Subscribe()
	wantOK(t, b.Invoke(t.Context(), call("till.add", `{"coins":1}`)))
	if err := b.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	var seen int
	for {
		_, err := before.Next(t.Context())
		if errors.Is(err, bus.ErrClosed) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		seen++
	}
	if seen == 0 {
		t.Error("what came before the end is lost")
	}
	if _, err := b.Subscribe().Next(t.Context()); !errors.Is(err, bus.ErrClosed) {
		t.Errorf("later: %v", err)
	}
}
