package e2e

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/google/go-cmp/cmp"
)

// TestADayAtTheServiceDesk runs what a hundred people ask for through `deskhand
// bus`, and compares the shop that is left with what the rules say it must be.
// Every refusal is expected by its code, and changes nothing.
func TestADayAtTheServiceDesk(t *testing.T) {
	const opening = "internal/e2e/testdata/day/shop.json"
	script := readDayScript(t, "internal/e2e/testdata/day/requests.json")
	folder := t.TempDir()
	shop, asks := filepath.Join(folder, "shop"), &daysAnswers{ids: map[string]string{}}
	command(t, "--data", shop, "init", "--from", opening)
	text, err := os.ReadFile(opening)
	if err != nil {
		t.Fatal(err)
	}
	if string(exported(t, shop, filepath.Join(folder, "opening.json"))) != string(text) {
		t.Fatalf("%s is not as shop.export writes it, so the rules would begin with another shop", opening)
	}
	r := &reckoner{dayShop: readDayShop(t, text), carts: map[string]*dayCart{}, at: map[string]*dayCart{}}
	seats := map[string]*daySeat{}
	command(t, "--data", shop, "invoke", "staff.setPin", desktest.SignIn("owner"))
	for _, p := range script.People {
		arguments, err := json.Marshal(map[string]any{"name": p.Name, "role": p.Role, "withoutPin": true})
		if err != nil {
			t.Fatal(err)
		}
		var saved struct{ ID string }
		if err := json.Unmarshal(command(t, "--data", shop, "invoke", "staff.save", string(arguments)), &saved); err != nil {
			t.Fatal(err)
		}
		asks.ids[p.Name] = saved.ID
		seats[p.Name] = takeSeat(t, shop, p.Name)
		seats[p.Name].clerk = p.Role == "clerk"
	}
	for _, wish := range script.Requests {
		for _, step := range wish.Steps {
			if step.Refused != string(bus.Validation) { // the rules are about what has its form
				if refused := r.step(wish.Who, seats[wish.Who].clerk, step); string(refused) != step.Refused {
					t.Errorf("%s\n%s %s: the rules say %q, the script %q", wish.Says, step.Do, step.With, refused, step.Refused)
				}
			}
			res := seats[wish.Who].ask(t, step.Do, asks.fill(step.With))
			if got := string(codeOf(res)); got != step.Refused {
				t.Errorf("%s\n%s %s: answered %q %v, want %q", wish.Says, step.Do, step.With, got, res.Err, step.Refused)
			}
			asks.read(t, wish, step, res.Data)
		}
	}
	for _, s := range seats {
		s.leave(t)
	}
	if len(script.Requests) < 100 {
		t.Errorf("the day has only %d requests", len(script.Requests))
	}
	closing := exported(t, shop, filepath.Join(folder, "closing.json"))
	left := readDayShop(t, asks.name(closing))
	if diff := cmp.Diff(r.plain(), left.plain(), cmp.AllowUnexported(dayAddress{}, dayGoesTo{}, dayLine{})); diff != "" {
		t.Errorf("the day left another shop than the rules (- rules, + shop):\n%s", diff)
	}

	moved := filepath.Join(folder, "moved")
	command(t, "--data", moved, "init", "--from", filepath.Join(folder, "closing.json"))
	if again := exported(t, moved, filepath.Join(folder, "again.json")); string(again) != string(closing) {
		t.Error("what the day left is another file once it has moved")
	}
}

// command runs deskhand and returns what it printed.
func command(t testing.TB, args ...string) []byte {
	t.Helper()
	program := exec.Command("deskhand", append([]string{"--pin-fd", "0"}, args...)...)
	program.Stdin = strings.NewReader(desktest.OwnersPIN + "\n") // read once the owner has one
	out, err := program.Output()
	if exit := (&exec.ExitError{}); err != nil {
		if e, ok := err.(*exec.ExitError); ok {
			exit = e
		}
		t.Fatalf("%s: %v %s", args, err, exit.Stderr)
	}
	return out
}

func exported(t testing.TB, shop, file string) []byte {
	t.Helper()
	command(t, "--data", shop, "invoke", "shop.export", `{"file":`+strconv.Quote(file)+`}`)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// daySeat is a person at a running `deskhand bus`.
type daySeat struct {
	clerk   bool
	in      io.WriteCloser
	out     *bufio.Scanner
	program *exec.Cmd
}

func takeSeat(t testing.TB, shop, name string) *daySeat {
	t.Helper()
	s := &daySeat{program: exec.Command("deskhand", "--data", shop, "bus", "--as", name)}
	s.program.Stderr = os.Stderr
	out, err := s.program.StdoutPipe()
	if err == nil {
		s.in, err = s.program.StdinPipe()
	}
	if err == nil {
		err = s.program.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	s.out = bufio.NewScanner(out)
	s.out.Buffer(nil, 1<<20)
	t.Cleanup(func() { _ = s.program.Process.Kill() }) // it has ended unless the test failed
	return s
}

// ask writes one invocation and reads its result.
func (s *daySeat) ask(t testing.TB, capability string, args json.RawMessage) bus.Result {
	t.Helper()
	line, err := json.Marshal(bus.Invocation{Capability: capability, Arguments: args})
	if err == nil {
		_, err = s.in.Write(append(line, '\n'))
	}
	if err != nil {
		t.Fatal(err)
	}
	if !s.out.Scan() {
		t.Fatalf("%s %s was not answered: %v", capability, args, s.out.Err())
	}
	var r bus.Result
	if err := json.Unmarshal(s.out.Bytes(), &r); err != nil {
		t.Fatalf("%v in %s", err, s.out.Bytes())
	}
	return r
}

func (s *daySeat) leave(t testing.TB) {
	t.Helper()
	if err := s.in.Close(); err != nil {
		t.Error(err)
	}
	if err := s.program.Wait(); err != nil {
		t.Error(err)
	}
}

// daysAnswers keep the ids that the shop gave, by the names the script has for
// them.
type daysAnswers struct{ ids map[string]string }

// fill puts ids in the place of names.
func (a *daysAnswers) fill(args json.RawMessage) json.RawMessage {
	var pairs []string
	for name, id := range a.ids {
		pairs = append(pairs, strconv.Quote(name), strconv.Quote(id))
	}
	return json.RawMessage(strings.NewReplacer(pairs...).Replace(string(args)))
}

// name puts names in the place of ids.
func (a *daysAnswers) name(file []byte) []byte {
	var pairs []string
	for name, id := range a.ids {
		pairs = append(pairs, strconv.Quote(id), strconv.Quote(name))
	}
	return []byte(strings.NewReplacer(pairs...).Replace(string(file)))
}

// read takes from an answer what the script keeps, and checks what it gives.
func (a *daysAnswers) read(t testing.TB, wish dayWish, step dayStep, data json.RawMessage) {
	t.Helper()
	if len(step.Keep)+len(step.Gives) == 0 {
		return
	}
	var answer any
	if err := json.Unmarshal(data, &answer); err != nil {
		t.Errorf("%s\n%s %s: %v", wish.Says, step.Do, step.With, err)
		return
	}
	for name, path := range step.Keep {
		id, ok := valueAt(answer, path).(string)
		if !ok {
			t.Fatalf("%s\n%s %s: there is no %s in %s", wish.Says, step.Do, step.With, path, data)
		}
		a.ids[name] = id
	}
	for path, want := range step.Gives {
		if diff := cmp.Diff(want, valueAt(answer, path)); diff != "" {
			t.Errorf("%s\n%s %s: %s is not as said (- script, + answer):\n%s", wish.Says, step.Do, step.With, path, diff)
		}
	}
}

// valueAt is the value at a dotted path, nil where there is none.
func valueAt(v any, path string) any {
	for _, part := range strings.Split(path, ".") {
		switch node := v.(type) {
		case map[string]any:
			v = node[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(node) {
				return nil
			}
			v = node[i]
		default:
			return nil
		}
	}
	return v
}
