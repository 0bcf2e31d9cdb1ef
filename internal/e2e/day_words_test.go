package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/shop"
	"github.com/google/go-cmp/cmp"
)

// TestADayAtTheServiceDeskInWords runs the same day by talking to the built-in
// assistant: what a sentence can say is said (every third of it; make soak says it
// all), every card is allowed, and the shop that is left is the same.
func TestADayAtTheServiceDeskInWords(t *testing.T) {
	t.Parallel()
	const opening = "internal/e2e/testdata/day/shop.json"
	script, sentences := readDayScript(t, "internal/e2e/testdata/day/requests.json"),
		readDaySentences(t, "internal/e2e/testdata/day/sentences.txt")
	folder := t.TempDir()
	room, asks := filepath.Join(folder, "shop"), &daysAnswers{ids: map[string]string{}}
	command(t, "--data", room, "init", "--from", opening)
	text, err := os.ReadFile(opening)
	if err != nil {
		t.Fatal(err)
	}
	r := &reckoner{dayShop: readDayShop(t, text), carts: map[string]*dayCart{}, at: map[string]*dayCart{}}
	owner := desktest.Open(t, desk.Options{Folder: room})
	desktest.Must(t, owner, bus.CallerUI, "staff.setPin", desktest.SignIn("owner"), nil)
	desks, clerk := map[string]*desk.Desk{}, map[string]bool{}
	for _, p := range script.People {
		var saved struct{ ID string }
		desktest.Must(t, owner, bus.CallerUI, "staff.save", fmt.Sprintf(`{"name":%q,"role":%q,"withoutPin":true}`, p.Name,
			p.Role), &saved)
		asks.ids[p.Name], clerk[p.Name] = saved.ID, p.Role == "clerk"
		desks[p.Name] = desktest.Open(t, desk.Options{Folder: room, Person: p.Name, Allow: true,
			Model: builtin.New(shop.Vocabulary())})
	}
	said, understood := 0, 0
	for i, wish := range script.Requests {
		for j, step := range wish.Steps {
			if step.Refused != string(bus.Validation) {
				r.step(wish.Who, clerk[wish.Who], step)
			}
			d, sentence := desks[wish.Who], sentences[fmt.Sprintf("%d.%d", i+1, j+1)]
			if sentence == "" {
				res := d.Bus.Invoke(t.Context(), bus.Invocation{Capability: step.Do, Arguments: asks.fill(step.With),
					Principal: d.Person, Caller: bus.Caller{Type: bus.CallerUI, Source: "test"}})
				asks.read(t, wish, step, res.Data)
				continue
			}
			said++
			res, told := says(t, d, fmt.Sprintf("request_%d", i+1), asks.spoken(sentence), step.Do)
			switch {
			case res == nil && step.Refused == "": // asked, or offered to tap: then it is done by hand
				t.Logf("%s\n%d.%d %s\ndid not lead to %s %s: %s", wish.Says, i+1, j+1, sentence, step.Do, step.With, told)
				byHand := d.Bus.Invoke(t.Context(), bus.Invocation{Capability: step.Do, Arguments: asks.fill(step.With),
					Principal: d.Person, Caller: bus.Caller{Type: bus.CallerUI, Source: "test"}})
				asks.read(t, wish, step, byHand.Data)
				continue
			case res != nil && string(codeOf(*res)) != step.Refused:
				t.Errorf("%s\n%d.%d %s\nanswered %q %v, want %q", wish.Says, i+1, j+1, sentence, codeOf(*res), res.Err,
					step.Refused)
			}
			understood++
			if res != nil {
				asks.read(t, wish, step, res.Data)
			}
		}
	}
	if t.Logf("%d of %d sentences were understood at once", understood, said); 10*understood < 8*said {
		t.Error("too few were")
	}
	closing := exported(t, room, filepath.Join(folder, "closing.json"))
	left := readDayShop(t, asks.name(closing))
	if diff := cmp.Diff(r.plain(), left.plain(), cmp.AllowUnexported(dayAddress{}, dayGoesTo{}, dayLine{})); diff != "" {
		t.Errorf("the day left another shop than the rules (- rules, + shop):\n%s", diff)
	}
}

// says has the assistant take a sentence, and returns the last result of a
// capability, nil when it was not called, and what the assistant said.
func says(t *testing.T, d *desk.Desk, conversation, sentence, capability string) (res *bus.Result, told string) {
	t.Helper()
	err := d.Bridge.Send(t.Context(), agent.Turn{ConversationID: conversation, Text: sentence, Principal: d.Person},
		func(u agent.Update) {
			switch {
			case u.Type == agent.UpdateResult && u.Capability == capability:
				res = u.Result
			case u.Type == agent.UpdateMessage:
				told = u.Text
			}
		})
	if err != nil {
		t.Fatal(err)
	}
	return res, told
}

// TestAValueIsWrittenAsItWasSaidOrNotAtAll: the built-in assistant drops no article of a name, and puts an email and
// a phone number into their own fields.
func TestAValueIsWrittenAsItWasSaidOrNotAtAll(t *testing.T) {
	d := desktest.Sample(t, desk.Options{Allow: true, Model: builtin.New(shop.Vocabulary())})
	for sentence, want := range map[string]string{
		"new customer: Dana Whitfield, dana@example.com, mobile +1 207 555 0199": `{"name":"Dana Whitfield",` +
			`"email":"dana@example.com","phone":"+1 207 555 0199"}`,
		"new customer: Dana Whitfield, mobile +1 207 555 0198": `{"name":"Dana Whitfield","phone":"+1 207 555 0198"}`,
		"new customer: Dana Whitfield":                         `{"name":"Dana Whitfield"}`,
		"new customer The Smiths":                              `{"name":"The Smiths"}`,
		"new customer Jo Smith":                                `{"name":"Jo Smith"}`,
	} {
		res, told := says(t, d, sentence, sentence, "customer.create")
		if res == nil || !res.OK() {
			t.Errorf("%s: %+v, told %s", sentence, res, told)
			continue
		}
		var made struct{ CustomerID string }
		var got struct {
			Name  string `json:"name"`
			Email string `json:"email,omitempty"`
			Phone string `json:"phone,omitempty"`
		}
		if err := json.Unmarshal(res.Data, &made); err != nil {
			t.Fatal(err)
		}
		desktest.Must(t, d, bus.CallerUI, "customer.get", fmt.Sprintf(`{"customerId":%q}`, made.CustomerID), &got)
		if raw, _ := json.Marshal(got); string(raw) != want {
			t.Errorf("%s: stored %s, want %s", sentence, raw, want)
		}
	}
}

// spoken puts the ids that the shop gave into a sentence.
func (a *daysAnswers) spoken(sentence string) string {
	words := strings.Fields(sentence)
	for i, w := range words {
		name := strings.TrimRight(w, ",")
		if id, known := a.ids[name]; known {
			words[i] = id + w[len(name):]
		}
	}
	return strings.Join(words, " ")
}

// readDaySentences reads what is said for a step, by "request.step".
func readDaySentences(t testing.TB, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if step, sentence, ok := strings.Cut(strings.TrimSpace(line), " "); ok && !strings.HasPrefix(line, "#") {
			all[step] = sentence
		}
	}
	return all
}
