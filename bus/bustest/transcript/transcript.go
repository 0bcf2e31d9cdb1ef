// Package transcript sends requests of a file, as lines of JSON, to any program that answers each line with a line, and
// compares the answers with those of the file. bus/bustest/transcripts/README.md describes the files.
package transcript

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// Case is one transcript: lines that are sent to a program, with its answers.
type Case struct {
	File string   `json:"-"`
	Name string   `json:"case"`
	Core bool     `json:"core"` // a bus without approvals, plans, and hashes can pass it
	Of   []string `json:"of"`   // the promises of the specification that it is about

	Exchanges []Exchange      `json:"-"`
	App       json.RawMessage `json:"-"`
}

// Exchange is a line that is sent, and the answer; none is that of a command that is only done.
type Exchange struct {
	Line    int // of the file, from 1
	In, Out json.RawMessage
}

// line is one line of a file.
type line struct {
	Application map[string]json.RawMessage `json:"application"`
	Capability  json.RawMessage            `json:"capability"`
	Case
	In  json.RawMessage `json:"in"`
	Out json.RawMessage `json:"out"`
}

// Read reads every file *.jsonl of a folder.
func Read(folder fs.FS) (cases []Case, err error) {
	names, err := fs.Glob(folder, "*.jsonl")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		more, err := readFile(name, text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		cases = append(cases, more...)
	}
	return cases, nil
}

func readFile(name string, text []byte) (cases []Case, err error) {
	var app map[string]json.RawMessage
	var capabilities []json.RawMessage
	seen := map[string]bool{}
	n := 0
	for text := range bytes.Lines(text) {
		n++
		var l line
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&l); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		switch {
		case l.Application != nil:
			app, capabilities = l.Application, nil
		case l.Capability != nil:
			capabilities = append(capabilities, l.Capability)
		case l.Name != "":
			if seen[l.Name] || app == nil {
				return nil, fmt.Errorf("line %d: the case %q stands twice, or before an application", n, l.Name)
			}
			seen[l.Name] = true
			whole := maps.Clone(app)
			if whole["capabilities"], err = json.Marshal(capabilities); err != nil {
				return nil, err
			}
			l.File = name
			if l.App, err = json.Marshal(whole); err != nil {
				return nil, err
			}
			cases = append(cases, l.Case)
		case len(cases) > 0 && l.In != nil:
			last := &cases[len(cases)-1]
			last.Exchanges = append(last.Exchanges, Exchange{Line: n, In: l.In})
		case len(cases) > 0 && l.Out != nil:
			last := cases[len(cases)-1].Exchanges
			last[len(last)-1].Out = l.Out
		default:
			return nil, fmt.Errorf("line %d is none of application, capability, case, in and out", n)
		}
	}
	return cases, nil
}

// Player sends lines to a program, and reads its answers.
type Player struct {
	to   io.Writer
	from *bufio.Reader

	heard func(c *Case, e *Exchange, answer map[string]any, now int64) // told of answers that are not as expected
}

// NewPlayer makes a player for the standard input and output of a program.
func NewPlayer(to io.Writer, from io.Reader) *Player {
	return &Player{to: to, from: bufio.NewReaderSize(from, 1<<20)}
}

// Play plays a case from the start of its application. It returns the difference, "" if there is none. The error is an
// error of the connection.
func (p *Player) Play(c *Case) (differs string, err error) {
	start, err := json.Marshal(map[string]any{"do": "start", "application": c.App})
	if err != nil {
		return "", err
	}
	answer, err := p.ask(start)
	if err != nil {
		return "", err
	}
	m := match{known: map[string]any{}}
	if _, refused := answer["refused"]; refused {
		return fmt.Sprintf("the application was refused: %v", answer["refused"]), nil
	}
	if m.now, err = startOf(c.App); err != nil {
		return "", err
	}
	for i, e := range c.Exchanges {
		in, err := m.line(e.In)
		if err != nil {
			return "", err
		}
		if answer, err = p.ask(in); err != nil {
			return "", err
		}
		m.moved(in)
		if p.heard != nil {
			want, err := object(e.Out)
			if err != nil || m.differs(want, answer, "") != "" {
				p.heard(c, &c.Exchanges[i], answer, m.now)
			}
			continue
		}
		if e.Out == nil {
			if answer["done"] == nil {
				return fmt.Sprintf("%s:%d: %s: %v", c.File, e.Line, in, answer["refused"]), nil
			}
			continue
		}
		want, err := object(e.Out)
		if err != nil {
			return "", fmt.Errorf("%s:%d: %w", c.File, e.Line+1, err)
		}
		if why := m.differs(want, answer, ""); why != "" {
			raw, _ := json.Marshal(answer)
			return fmt.Sprintf("%s:%d: %s\n  sent     %s\n  expected %s\n  answered %s", c.File, e.Line+1, why, in, e.Out,
				raw), nil
		}
	}
	return "", nil
}

// ask sends a line and reads one.
func (p *Player) ask(in []byte) (map[string]any, error) {
	if _, err := p.to.Write(append(bytes.TrimSpace(in), '\n')); err != nil {
		return nil, err
	}
	text, err := p.from.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("no answer to %s: %w", in, err)
	}
	answer, err := object(text)
	if err != nil {
		return nil, fmt.Errorf("the answer is no object of JSON: %s", text)
	}
	return answer, nil
}

func object(text []byte) (o map[string]any, err error) {
	v, err := decode(text)
	o, is := v.(map[string]any)
	if err == nil && !is {
		err = fmt.Errorf("no object: %s", text)
	}
	return o, err
}

// defaultClock is the start time of an application that names none.
const defaultClock = 1772442000000

func startOf(app []byte) (now int64, err error) {
	var a struct{ Clock int64 }
	err = json.Unmarshal(app, &a)
	if now = a.Clock; now == 0 {
		now = defaultClock
	}
	return now, err
}

// match compares answers with the expected ones.
type match struct {
	known map[string]any // captured values
	now   int64
}

// line makes the line to send: a text unchanged, or JSON with captured values filled in.
func (m *match) line(in json.RawMessage) ([]byte, error) {
	var text string
	if json.Unmarshal(in, &text) == nil {
		return []byte(text), nil
	}
	for name, v := range m.known {
		raw, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		in = bytes.ReplaceAll(in, []byte(`"$=`+name+`"`), raw)
	}
	var compact bytes.Buffer
	err := json.Compact(&compact, in)
	return compact.Bytes(), err
}

// moved follows the clock.
func (m *match) moved(in []byte) {
	var c struct {
		Do string
		MS int64
	}
	if json.Unmarshal(in, &c) == nil && c.Do == "advance" {
		m.now += c.MS
	}
}

// notCompared are fields of any answer that a program may have or not.
var notCompared = []string{"texts", "execution_time_ms", "duration_ms", "seed"}

// differs describes the difference between an answer and the expected one, "" if there is none.
func (m *match) differs(want, got any, at string) string {
	switch want := want.(type) {
	case string:
		if strings.HasPrefix(want, "$") {
			return m.mark(want, got, at)
		}
	case []any:
		list, is := got.([]any)
		if !is || len(list) != len(want) {
			return fmt.Sprintf("%s has not %d elements", at, len(want))
		}
		for i := range want {
			if why := m.differs(want[i], list[i], fmt.Sprint(at, "/", i)); why != "" {
				return why
			}
		}
		return ""
	case map[string]any:
		o, is := got.(map[string]any)
		if !is {
			return at + " is no object"
		}
		return m.differsObject(want, o, at)
	}
	if want != got {
		return fmt.Sprintf("%s is %v, not %v", at, got, want)
	}
	return ""
}

func (m *match) differsObject(want, got map[string]any, at string) string {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		value, has := got[name]
		if !has {
			if want[name] == "$text?" {
				continue
			}
			return fmt.Sprintf("%s/%s is missing", at, name)
		}
		if why := m.differs(want[name], value, at+"/"+name); why != "" {
			return why
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, expected := want[name]; !expected && !slices.Contains(notCompared, name) {
			return fmt.Sprintf("%s/%s should not be there", at, name)
		}
	}
	return ""
}

// mark compares a value with a mark: any value, any text, the time of the clock, or a captured value.
func (m *match) mark(mark string, got any, at string) string {
	text, isText := got.(string)
	ok := false
	switch {
	case mark == "$any":
		ok = true
	case mark == "$text", mark == "$text?":
		ok = isText && text != ""
	case mark == "$now":
		ok = got == m.now
	case strings.HasPrefix(mark, "$="):
		known, is := m.known[mark[2:]]
		ok = is && known == got || !is && m.isNew(got)
		m.known[mark[2:]] = got
	default:
		return fmt.Sprintf("%s: there is no mark %s", at, mark)
	}
	if !ok {
		return fmt.Sprintf("%s is %v, which is not %s", at, got, mark)
	}
	return ""
}

// isNew reports whether a value was not captured under another name: two names stand for two values.
func (m *match) isNew(got any) bool {
	for _, known := range m.known {
		if known == got {
			return false
		}
	}
	return true
}
