package e2e

import (
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// TestA6ADayAsksOnlyWhereSomethingIsAtStake says fifty tasks to the built-in
// assistant. A person is asked once for each that changes what cannot be taken back
// or leaves the shop, and never for reading or the cart; the trust report tells the
// same.
// holds: A6
func TestA6ADayAsksOnlyWhereSomethingIsAtStake(t *testing.T) {
	tasks := readPhrases(t, "internal/e2e/testdata/tasks/day.txt")
	if len(tasks) != 50 {
		t.Fatalf("the day has %d tasks", len(tasks))
	}
	r := newTalkRoom(t, phraseShop, desk.DoorWindow)
	asked := map[string]int64{}
	var total int64
	for _, task := range tasks {
		of := r.say(t, task.said, false)
		calls, text := of.calls, of.text
		if why := judge(task, calls, text); why != "" {
			t.Errorf("%s: %s\n    %s\n    %s", task.where, task.said, why, text)
		}
		var cards int64
		for _, w := range task.want {
			if w.kind == "card" {
				cards++
				asked[w.name]++
			}
		}
		total += cards
		if got := int64(len(r.cards)); got != cards || got > 1 {
			t.Errorf("%s: %s\n    a person was asked %d times", task.where, task.said, got)
		}
	}
	var stats audit.Stats
	desktest.Must(t, r.desk, bus.CallerTest, "audit.stats", `{}`, &stats)
	if trust := stats.Trust; trust.Asked != total || trust.Allowed != total {
		t.Errorf("the trust report has %d asked and %d allowed, the day had %d", trust.Asked, trust.Allowed, total)
	}
	for _, c := range stats.Trust.ByCapability {
		if c.Answers[string(bus.AnswerAllow)] != asked[c.Capability] {
			t.Errorf("the trust report has %v for %s, the day had %d", c.Answers, c.Capability, asked[c.Capability])
		}
		delete(asked, c.Capability)
	}
	for name, n := range asked {
		t.Errorf("the trust report lacks %d times %s", n, name)
	}
}
