package archive_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/deskhand/deskhand/audit/archive"
)

// holds: N7
func TestN7ARecordThatIsTooLargeIsNamedAndWaitedForAndHarmsNoOtherLog(t *testing.T) {
	for name, large := range map[string]func(t *testing.T) (role, argument string){
		"its message": func(*testing.T) (string, string) { return strings.Repeat("r", 100_000), "" },
		"its payload": func(*testing.T) (string, string) { return "clerk", strings.Repeat("a", 100_000) },
	} {
		t.Run(name, func(t *testing.T) {
			e := start(t, server.Options{MaxPayload: 64 << 10})
			js := e.connect(t)
			_, err := js.CreateStream(t.Context(), archive.Options{}.StreamConfig(1))
			must(t, err)
			a := newArchive(t, archive.Options{})
			runArchive(t, a, js)
			one, _ := newLog(t, options())
			two, _ := newLog(t, options())
			write(t, one, "before", 5)
			record := entry("large")
			role, argument := large(t)
			record.Invocation.Principal.Role = role
			record.Invocation.Arguments = fmt.Appendf(nil, `{"name":%q}`, argument)
			must(t, one.Record(context.Background(), record))
			write(t, one, "after", 5)
			heard := make(chan archive.Alarm, 10)
			p, err := archive.NewPublisher("one", archive.Options{Alarm: func(one archive.Alarm) { heard <- one }})
			must(t, err)
			running(t, func(ctx context.Context) error { return p.Run(ctx, js, one) })
			publish(t, js, "two", two)
			write(t, two, "other", 20)
			waitFor(t, "the other log", func() bool { return has(t, a, "two", two) })
			alarm := <-heard
			if alarm.Kind != archive.AlarmSize || alarm.Source != "one" || alarm.Seq != 6 || alarm.Head != 5 ||
				!strings.Contains(alarm.Problem, "Record 6 needs a message of 10") ||
				!strings.Contains(alarm.Problem, "max_payload") || p.Problem() != alarm.Problem {
				t.Errorf("%+v, %q", alarm, p.Problem())
			}
			waitFor(t, "what was before", func() bool { return p.Published().Seq == 5 })

			// The loop waits between attempts, and it logs the problem once.
			before := received(t, e)
			time.Sleep(300 * time.Millisecond)
			if n := received(t, e) - before; n > 20 || len(heard) > 0 {
				t.Errorf("%d messages, %d more alarms", n, len(heard))
			}

			e.Stop()
			e.RunWith(func(o *server.Options) { o.MaxPayload = 1 << 20 })
			waitFor(t, "the rest", func() bool { return has(t, a, "one", one) })
			sameRecords(t, a, "one", 0, one)
			noAlarms(t, a)
			waitFor(t, "that it goes on", func() bool { return p.Problem() == "" })
		})
	}
}

// received is the number of messages that a server got.
func received(t *testing.T, e *engine) int64 {
	v, err := e.Server.Server().Varz(nil)
	must(t, err)
	return v.InMsgs
}
