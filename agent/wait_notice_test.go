package agent_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/openai"
)

// cold returns a model whose answer begins after a delay.
func cold(t *testing.T, after time.Duration, change ...func(*openai.Options)) model.Model {
	o := openai.Options{BaseURL: "http://localhost/v1", Model: "big",
		HTTPClient: &http.Client{
			Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
				select {
				case <-time.After(after):
					return canned{Status: http.StatusOK, Kind: "text/event-stream",
						Body: []byte(says("Hello") + ends("stop") + done)}.RoundTrip(req)
				case <-req.Context().Done():
					return nil, req.Context().Err()
				}
			})}}
	for _, f := range change {
		f(&o)
	}
	return must[model.Model](t)(openai.New(o))
}

// holds: A2
func TestA2AColdModelIsWaitedForAndThePersonIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newRoom(t, cold(t, 4*time.Minute)).Say("hello")
		if got := u.Types(); got != "turn_started waiting delta message turn_ended" || u.Text() != "Hello" {
			t.Errorf("%s: %s", got, u.Text())
		}
		if !strings.Contains(u[1].Text, "waiting for big") {
			t.Errorf("it says %q", u[1].Text)
		}
	})
}

// TestA2AModelThatThinksIsSaidToThink: the notice names the reasoning of a model, if the test of the model found any.
//
// holds: A2
func TestA2AModelThatThinksIsSaidToThink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newRoom(t, cold(t, time.Minute, func(o *openai.Options) { o.Thinks = true })).Say("hello")
		if !strings.Contains(u[1].Text, "big thinks before it answers") {
			t.Errorf("it says %q", u[1].Text)
		}
	})
}

// slow is a model that begins at once and pauses for a minute.
type slow struct{ *script }

func (slow) Stream(_ context.Context, _ model.Request, onDelta func(model.Delta)) (model.Reply, error) {
	onDelta(model.Delta{Text: "Hel"})
	time.Sleep(time.Minute)
	onDelta(model.Delta{Text: "lo"})
	return model.Reply{Text: "Hello"}, nil
}

// holds: A2
func TestA2AModelThatHasBegunIsNotWaitedFor(t *testing.T) {
	for name, m := range map[string]model.Model{"quick": cold(t, 4*time.Second), "slow": slow{&script{}}} {
		synctest.Test(t, func(t *testing.T) {
			if got := newRoom(t, m).Say("hello").Types(); strings.Contains(got, "waiting") {
				t.Errorf("%s: %s", name, got)
			}
		})
	}
}

// holds: A2
func TestA2WaitingForAColdModelCanBeStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRoom(t, cold(t, 4*time.Minute))
		began := time.Now()
		time.AfterFunc(time.Minute, func() { r.Bridge.Stop("chat_1", kim.ID) })
		if u := r.Say("hello"); u.Ended().Status != agent.StatusStopped || time.Since(began) != time.Minute {
			t.Errorf("%s after %s", u.Ended().Status, time.Since(began))
		}
	})
}

// holds: A2
func TestA2AModelThatNeverBeginsIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if e := newRoom(t, cold(t, time.Hour)).Say("hello").Ended(); e.Status != agent.StatusError ||
			!strings.Contains(e.Error, "within 10 minutes") {
			t.Errorf("%+v", e)
		}
	})
}

// holds: A2
func TestA2RetryAfterIsHonoured(t *testing.T) {
	for name, tt := range map[string]struct {
		headers map[string]string
		want    time.Duration
	}{
		"seconds":           {map[string]string{"Retry-After": "3"}, 3 * time.Second},
		"parts of a second": {map[string]string{"Retry-After": "2.5"}, 2500 * time.Millisecond},
		"milliseconds":      {map[string]string{"Retry-After": "60", "Retry-After-Ms": "1500"}, 1500 * time.Millisecond},
		"a moment": {map[string]string{"Retry-After": "Mon, 02 Mar 2026 09:00:07 GMT",
			"Date": "Mon, 02 Mar 2026 09:00:00 GMT"}, 7 * time.Second},
		"a moment that is not": {map[string]string{"Retry-After": "soon"}, 500 * time.Millisecond},
		"nothing":              {nil, 500 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			var waits []time.Duration
			e := newEndpoint(t, func(w http.ResponseWriter, r *http.Request) {
				for k, v := range tt.headers {
					w.Header().Set(k, v)
				}
				answers(429, "application/json", `{"error":"slow down"}`)(w, r)
			}, stream(says("Hello"), ends("stop"), done))
			_, _, err := ask(t, e.Model(t, func(o *openai.Options) {
				o.Sleep = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
			}))
			if err != nil || len(waits) != 1 || waits[0] != tt.want {
				t.Errorf("waited %v (%v)", waits, err)
			}
		})
	}
}
