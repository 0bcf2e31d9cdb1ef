package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/shop"
)

// TestTheAssistantOpensTheFormOfAClosing: filled in with what was counted. It does not close the day itself.
func TestTheAssistantOpensTheFormOfAClosing(t *testing.T) {
	d := desktest.Sample(t, desk.Options{Door: desk.DoorWindow, Model: builtin.New(shop.Vocabulary())})
	for i, said := range []string{"close the day, 214.50 in the drawer", "close the day with $214.50",
		"Tagesabschluss mit 214,50 Dollar", "schließe den Tag ab, 214,50 in der Kasse"} {
		var form *agent.Form
		var texts []string
		if err := d.Bridge.Send(t.Context(), agent.Turn{ConversationID: fmt.Sprint("talk ", i), Text: said,
			Principal: d.Person}, func(u agent.Update) {
			texts = append(texts, u.Text)
			if u.Type == agent.UpdateForm {
				form = u.Form
			}
		}); err != nil {
			t.Fatal(err)
		}
		if form == nil || form.Capability != "day.close" || !strings.Contains(string(form.Arguments), `"amount":21450`) {
			t.Errorf("%s: %+v %q", said, form, texts)
		}
	}
	var closings struct{ Rows []any }
	desktest.Must(t, d, bus.CallerUI, "report.closings", `{}`, &closings)
	if len(closings.Rows) > 0 {
		t.Errorf("the assistant closed the day: %v", closings.Rows)
	}
}

// TestClosingsHaveNoGapWhereProgramsAreKilled: whichever moment ends the program that closes, its closing is there as a
// whole or not at all, the next one has the next number, and each cash move is in one closing.
func TestClosingsHaveNoGapWhereProgramsAreKilled(t *testing.T) {
	const rounds = 14
	folder := desktest.Copy(t)
	random := rand.New(rand.NewPCG(3, 12))
	var whole time.Duration // that a closing takes
	for round := range rounds {
		command(t, "--data", folder, "invoke", "cash.move",
			fmt.Sprintf(`{"amount":{"amount":%d,"currency":"USD"},"reason":"Float"}`,
				round+1), "--approve", "allow")
		closing := exec.Command("deskhand", "--data", folder, "invoke", "day.close",
			`{"counted":{"amount":5000,"currency":"USD"}}`, "--approve", "allow")
		begun := time.Now()
		if err := closing.Start(); err != nil {
			t.Fatal(err)
		}
		moment := time.AfterFunc(time.Duration((0.4+0.7*random.Float64())*float64(whole)), func() {
			if 0 < round && round < rounds-1 { // the first and the last are let be
				_ = closing.Process.Kill()
			}
		})
		_ = closing.Wait() // killed, or done
		moment.Stop()
		if round == 0 {
			whole = time.Since(begun)
		}
	}
	var report struct {
		Rows []struct {
			ClosingNumber int
			Moved         struct{ Amount int64 }
		}
	}
	var result struct{ Data json.RawMessage }
	listed := command(t, "--data", folder, "--json", "invoke", "report.closings", `{}`)
	if err := json.Unmarshal(listed, &result); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(result.Data, &report); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(report.Rows)
	var moved int64
	for i, c := range report.Rows {
		if moved += c.Moved.Amount; c.ClosingNumber != i+1 {
			t.Errorf("closing %d has the number %d", i+1, c.ClosingNumber)
		}
	}
	if moved != rounds*(rounds+1)/2 || len(report.Rows) < 2 {
		t.Errorf("%d closings with moves of %d", len(report.Rows), moved)
	}
	command(t, "--data", folder, "audit", "verify", "--state")
	t.Logf("%d of %d were closed", len(report.Rows), rounds)
}
