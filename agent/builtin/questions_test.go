package builtin_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// build/cards.sh gives each round another seed.
var (
	cardSeed  = flag.Uint64("card-seed", 1, "make the sentences of this seed")
	sentences = flag.Int("card-sentences", 400, "say this many random sentences")
)

// crateNames are the crates of the random sentences by their ids, as questions call them.
var crateNames = map[string]string{"cr_1": "red oak", "cr_2": "old oak", "cr_3": "pine", "cr_4": "constructor",
	"cr_5": "crate 12"}

// value is a value of a random sentence in its words, and as a question may write it.
type value struct {
	said   string
	number string
}

// sentence is a random one that may need a question: names that several crates have, numbers in digits and words, and
// values that no field takes.
func sentence(r *rand.Rand) (said string, values []value) {
	one := func(list ...string) string { return list[r.IntN(len(list))] }
	number := func() value {
		n := []value{{"five", "5"}, {"7", "7"}, {"1,000", "1000"}, {"twenty-five", "25"}, {"1.5", "1.5"}, {"12", "12"}}
		v := n[r.IntN(len(n))]
		values = append(values, v)
		return v
	}
	money := func() string {
		v := number()
		return v.said + one(" dollars", " euros")
	}
	name := one("oak", "red oak", "old oak", "pine", "pin", "constructor", "constr", "crate 12", "larch")
	switch r.IntN(5) {
	case 0:
		said = fmt.Sprintf("make the %s %s", name, number().said)
	case 1:
		said = fmt.Sprintf("set the %s to %s", name, number().said)
	case 2:
		said = fmt.Sprintf("set the price of the %s to %s", name, money())
	case 3:
		said = fmt.Sprintf("make the %s %s", name, money())
	default:
		said = fmt.Sprintf("set the %s to", name)
	}
	switch r.IntN(5) {
	case 0:
		said += " instead of " + number().said
	case 1:
		said += ", ana@example.com"
	case 2:
		said += " instead of " + money()
	}
	return said, values
}

// TestA3AnAnswerDoesWhatItsQuestionShowed: of random sentences, each value that is written after a question was answered
// was in the question, or in the answer. So no answer writes a value or a record that the person did not see.
//
// holds: A3
func TestA3AnAnswerDoesWhatItsQuestionShowed(t *testing.T) {
	r := rand.New(rand.NewPCG(*cardSeed, 6))
	crateList := make([]string, 0, len(crateNames))
	for n := range len(crateNames) {
		id := fmt.Sprint("cr_", n+1)
		crateList = append(crateList, fmt.Sprintf(`{"id":%q,"name":%q}`, id, crateNames[id]))
	}
	results := map[string]string{"crate_list": `{"crates":[` + strings.Join(crateList, ",") + `]}`}
	asked, written := 0, 0
	for range *sentences {
		said, values := sentence(r)
		answer := []string{"yes", "1", "2", "red oak", "pine", "9", "the first one"}[r.IntN(7)]
		tools := crates(r.IntN(2) == 0)
		before, offered := stage{tools: tools, results: results, said: []string{said}}.playWithChoices(t)
		if isDone(before) {
			continue
		}
		asked++
		after := stage{tools: tools, results: results, said: []string{said, answer}}.play(t)
		done := strings.TrimPrefix(after, before)
		for line := range strings.Lines(done) {
			name, arguments, is := strings.Cut(strings.TrimSpace(line), " {")
			if !is || name == "crate_list" || name == "suggest_next_steps" || name == "form_fill" {
				continue // a form shows its values itself, and a button does
			}
			written++
			shown := strings.Join(append(offered, wordsOf(before), answer), "\n")
			for _, leaf := range leavesOf(t, "{"+arguments) {
				if !shows(shown, leaf, values) {
					t.Errorf("seed %d: %q, then %q writes %s, which was not shown:\n%s", *cardSeed, said, answer, leaf, after)
				}
			}
		}
	}
	t.Logf("%d sentences: %d questions, %d answers that write", *sentences, asked, written)
	if asked < *sentences/10 || written < *sentences/100 {
		t.Errorf("%d questions, %d answers that write", asked, written)
	}
}

// wordsOf returns the sentences of a talk, without its calls.
func wordsOf(log string) string {
	var said []string
	for line := range strings.Lines(log) {
		if name, _, is := strings.Cut(line, " {"); !is || !strings.Contains(name, "_") {
			said = append(said, line)
		}
	}
	return strings.Join(said, "")
}

// isDone reports whether a sentence was carried out, or its form is open, without a question.
func isDone(log string) bool {
	return strings.Contains(log, "\ncrate_") && strings.Contains(log, "Done: ") || strings.Contains(log, "is open")
}

// leavesOf are the values of arguments; the currency of an amount goes with its number.
func leavesOf(t *testing.T, arguments string) (leaves []string) {
	t.Helper()
	var args map[string]any
	if err := json.Unmarshal([]byte(arguments), &args); err != nil {
		t.Fatal(err)
	}
	for _, v := range args {
		if m, is := v.(map[string]any); is {
			leaves = append(leaves, fmt.Sprint(m["amount"].(float64)/100))
			continue
		}
		leaves = append(leaves, fmt.Sprint(v))
	}
	return leaves
}

// shows reports whether a text contains a value: as the name of a crate, in digits, or in the words of the sentence.
func shows(text, leaf string, values []value) bool {
	if name, is := crateNames[leaf]; is {
		return strings.Contains(text, name)
	}
	for _, v := range values {
		if v.number == leaf && strings.Contains(text, v.said) {
			return true
		}
	}
	return strings.Contains(text, leaf)
}
