package bus_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// BenchmarkEvents delivers events to many subscribers, each with a goroutine of
// its own; the floor is the same events through a channel for each. ns/delivery
// is per event and subscriber.
func BenchmarkEvents(b *testing.B) {
	const subscribers, burst = 1000, 100
	deliveries := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/subscribers/burst, "ns/delivery")
	}
	b.Run("floor: channels", func(b *testing.B) {
		var wg sync.WaitGroup
		var channels []chan bus.Event
		for range subscribers {
			c := make(chan bus.Event, 1024)
			channels = append(channels, c)
			wg.Go(func() {
				for range c {
				}
			})
		}
		e := bus.Event{Type: bus.EventStateChange, RequestID: "r", Domain: "till"}
		for b.Loop() {
			for range burst {
				for _, c := range channels {
					c <- e
				}
			}
		}
		for _, c := range channels {
			close(c)
		}
		wg.Wait()
		deliveries(b)
	})
	b.Run("subscriptions", func(b *testing.B) {
		o, _, _ := bustest.Options()
		o.Journal = forgetful{o.Journal}
		app := bus.New(o)
		app.MustRegister(doing("a.burst", bus.UIOnly, func(_ context.Context, c *bus.Call) (json.RawMessage, error) {
			for range burst - 1 { // and the invocation's own
				c.Changed("a", "coins were added")
			}
			return nil, nil
		}))
		const round = 16 // bursts before all have to have read them: fewer than one may miss
		var wg, read sync.WaitGroup
		var subs []*bus.Subscription
		for range subscribers {
			s := app.Subscribe()
			subs = append(subs, s)
			wg.Go(func() {
				for n := 1; ; n++ {
					e, err := s.Next(context.Background())
					if err != nil {
						return
					}
					if e.Missed > 0 {
						b.Errorf("missed %d", e.Missed)
					}
					if n%(round*burst) == 0 {
						read.Done()
					}
				}
			})
		}
		n := 0
		read.Add(subscribers)
		for b.Loop() {
			app.Invoke(context.Background(), call("a.burst", `{}`))
			if n++; n%round == 0 {
				read.Wait()
				read.Add(subscribers)
			}
		}
		for _, s := range subs {
			s.Close()
		}
		wg.Wait()
		deliveries(b)
	})
}

// forgetful records nothing, so that a benchmark does not grow.
type forgetful struct{ bus.Journal }

func (forgetful) Record(context.Context, *bus.Entry) error { return nil }
