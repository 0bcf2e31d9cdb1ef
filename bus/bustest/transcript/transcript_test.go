package transcript

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the answers of the bus into the transcripts: review each change")

const folder = "../transcripts/testdata"

// withBus is a player whose program is Serve in this process.
func withBus(t *testing.T) *Player {
	t.Helper()
	in, toProgram := io.Pipe()
	fromProgram, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := Serve(in, out, nil)
		_ = out.CloseWithError(err)
		ended <- err
	}()
	t.Cleanup(func() {
		_ = toProgram.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return NewPlayer(toProgram, fromProgram)
}

// read returns all cases but those of hashes, which package chain plays.
func read(t *testing.T) []Case {
	t.Helper()
	cases, err := Read(os.DirFS(folder))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(cases, func(c Case) bool { return strings.Contains(c.File, "hash") })
}

// TestTheBusAnswersAsInTheTranscripts plays them with package bus.
func TestTheBusAnswersAsInTheTranscripts(t *testing.T) {
	p := withBus(t)
	news := map[string]map[int]string{}
	var of *Case
	var names map[string]string // of made ids in the case
	if *update {
		p.heard = func(c *Case, e *Exchange, answer map[string]any, now int64) {
			if news[c.File] == nil {
				news[c.File] = map[int]string{}
			}
			if of != c {
				of, names = c, map[string]string{}
			}
			news[c.File][e.Line] = expectation(c, answer, now, names)
		}
	}
	cases := read(t)
	for i := range cases {
		c := &cases[i]
		if differs, err := p.Play(c); err != nil {
			t.Fatalf("%s: %s: %v", c.File, c.Name, err)
		} else if differs != "" {
			t.Errorf("%s: %s", c.Name, differs)
		}
	}
	for file, of := range news {
		rewrite(t, filepath.Join(folder, file), of)
	}
}

// rewrite puts answers behind the lines that are sent.
func rewrite(t *testing.T, file string, answers map[int]string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	n := 0
	for l := range strings.Lines(string(text)) {
		n++
		_, changed := answers[n-1]
		if !changed || !strings.HasPrefix(l, `{"out":`) {
			b.WriteString(l)
		}
		if answer := answers[n]; answer != "" {
			fmt.Fprintf(&b, `{"out":%s}`+"\n", answer)
		}
	}
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

var (
	madeID = regexp.MustCompile(`^[a-z]+_[0-9a-z]{16}$`)
	madeBy = regexp.MustCompile(`^req_[0-9]+$`)
	ofPlan = regexp.MustCompile(`^[0-9]+\. |^[0-9]+ × `)
	digest = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// expectation returns an answer with marks for values that may differ in another program. It returns "" if the answer
// only confirms a command.
func expectation(c *Case, answer map[string]any, now int64, names map[string]string) string {
	if len(answer) == 1 && answer["done"] != nil {
		return ""
	}
	said := string(c.App)
	for _, e := range c.Exchanges {
		said += string(e.In)
	}
	var walk func(key string, v any) any
	walk = func(key string, v any) any {
		switch t := v.(type) {
		case map[string]any:
			for _, name := range notCompared {
				delete(t, name)
			}
			for name := range t {
				t[name] = walk(name, t[name])
			}
		case []any:
			for i := range t {
				t[i] = walk(key, t[i])
			}
		case int64:
			if t == now && (key == "timestamp" || key == "time") {
				return "$now"
			}
		case string:
			quoted, _ := json.Marshal(t)
			ofBus := !strings.Contains(said, string(quoted)) && !strings.Contains(t, "://")
			switch key {
			case "refused", "generated_at":
				return "$text"
			case "recovery_hint":
				if ofBus {
					return "$text?"
				}
			case "message", "unavailable_reason":
				if ofBus {
					return "$text"
				}
			case "summary":
				if ofPlan.MatchString(t) {
					return "$text"
				}
			}
			switch {
			case madeID.MatchString(t), madeBy.MatchString(t), digest.MatchString(t):
				if names[t] == "" {
					names[t] = fmt.Sprint("$=made", len(names)+1)
				}
				return names[t]
			}
		}
		return v
	}
	raw, _ := json.Marshal(walk("", answer))
	return string(raw)
}
