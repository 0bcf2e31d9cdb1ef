package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/internal/jsondepth"
)

// The bounds of a reply. Useful replies are far smaller.
const (
	maxSaid  = 1 << 20 // bytes of text and arguments
	maxCalls = 128     // more than a turn may have
	maxName  = 256     // bytes of a call's name or id; the rest is cut off

	finishFailed model.Finish = "error" // the endpoint reported a failure
)

// assembler builds one reply from its pieces. The package comment lists the rules.
type assembler struct {
	tools []model.Tool
	key   string            // removed from all output
	show  func(text string) // gets the text as it arrives

	usage    model.Usage
	isChunk  bool // a piece had the form of a chunk
	begun    bool // the choice is known
	choice   int
	said     strings.Builder // the text received
	shown    strings.Builder // the text shown
	held     string          // text that may be the beginning of the key
	thoughts thinking
	thought  strings.Builder            // separate from the text
	apart    bool                       // there were separate thoughts
	texts    int                        // pieces with text
	calls    []*fragments               // in the order they began
	size     int                        // bytes of text and arguments
	inDelta  struct{ text, calls bool } // the reply arrives in pieces, so a complete message repeats them
	whole    bool                       // a complete message arrived
	finish   string                     // the reason for the end, "" before one arrived
	ended    bool                       // nothing arrived after it
	mark     int                        // number of calls before it
}

// fragments are the received parts of one call.
type fragments struct {
	index string // "" for none
	id    string
	name  string
	args  strings.Builder
	meter jsondepth.Meter // of args
}

// add reads a piece.
func (a *assembler) add(event []byte) error {
	c, err := readChunk(event)
	if err != nil {
		return err
	}
	if u := c.Usage; u != nil {
		a.usage = model.Usage{Input: clampTokens(u.Input), Output: clampTokens(u.Output)}
	}
	a.isChunk = a.isChunk || c.Choices != nil
	one := a.counting(c.Choices)
	if one == nil {
		return nil
	}
	if d := one.Delta; d != nil {
		a.think(d)
		a.inDelta.text = a.inDelta.text || d.Content+d.Refusal != ""
		a.say(string(d.Content+d.Refusal), one.Finish != "")
		for _, part := range d.parts() {
			a.inDelta.calls = true
			a.part(part, false)
		}
	}
	if d := one.Message; d != nil {
		if a.whole = true; a.thought.Len() == 0 {
			a.think(d)
		}
		if !a.inDelta.text {
			a.say(strings.TrimPrefix(string(d.Content+d.Refusal), a.said.String()), false)
		}
		for i, part := range d.parts() {
			if part.Index = strconv.AppendInt(nil, int64(i), 10); !a.inDelta.calls {
				a.part(part, true)
			}
		}
	}
	switch {
	case a.size > maxSaid:
		return problem(ProblemCut, "The reply is longer than %d KB, so it was stopped and nothing in it was run.",
			maxSaid>>10)
	case len(a.calls) > maxCalls:
		return problem(ProblemCut, "The reply makes more than %d calls, so nothing in it was run.", maxCalls)
	}
	if one.Finish != "" {
		a.ended, a.mark = true, len(a.calls)
		if m, _ := meaning(a.finish); m == model.FinishStop { // a later reason does not change a cut or withheld reply
			a.finish = one.Finish
		}
	}
	return nil
}

// think keeps thoughts that arrive separately from the text.
func (a *assembler) think(d *delta) {
	a.size += len(d.Thoughts)
	a.thought.WriteString(string(d.Thoughts))
	a.apart = a.apart || d.Thoughts+d.Thought != ""
}

// counting returns the choice to read: the first that arrives, or the one with index 0 if no other has content yet.
func (a *assembler) counting(choices []choice) *choice {
	for _, c := range choices {
		if !a.begun || c.at() == 0 && a.choice != 0 && a.said.Len()+len(a.calls) == 0 {
			a.begun, a.choice = true, c.at()
		}
	}
	if i := slices.IndexFunc(choices, func(c choice) bool { return c.at() == a.choice }); i >= 0 {
		return &choices[i]
	}
	return nil
}

// say adds text. The flag last marks a piece with the finish reason. It skips a piece that repeats the complete text;
// before the finish only a long one, because a short one may be new text.
func (a *assembler) say(piece string, last bool) {
	if piece == "" || (last || a.ended || len(piece) > 32) && a.texts > 1 && piece == a.said.String() {
		return
	}
	a.ended = a.ended && strings.TrimSpace(piece) == ""
	a.texts++
	a.size += len(piece)
	a.said.WriteString(piece)
	a.held += piece
	a.release(false)
}

// release shows the text that cannot be part of the key.
func (a *assembler) release(last bool) {
	clear := string(withoutKey([]byte(a.held), a.key))
	keep := max(min(len(a.key)-1, len(clear)), 0)
	for !strings.HasSuffix(clear, a.key[:keep]) {
		keep--
	}
	clear, a.held = clear[:len(clear)-keep], clear[len(clear)-keep:]
	if last && keep >= minKey {
		clear += text.Redacted
	} else if last {
		clear += a.held
	}
	if clear = a.thoughts.without(clear, last); clear != "" {
		a.shown.WriteString(clear)
		a.show(clear)
	}
}

// part adds a fragment of a call. The flag whole marks a fragment of a complete message.
func (a *assembler) part(part callPart, whole bool) {
	index, id, name, args := asText(part.Index), asText(part.ID), part.Function.Name, asText(part.Function.Arguments)
	if _, err := strconv.Atoi(index); err != nil {
		index = ""
	}
	if id == "" && name == "" && part.Function.Arguments == nil {
		return // not a call
	}
	f := a.continued(index, id, name)
	switch {
	case f == nil:
		f = &fragments{index: index}
		a.calls = append(a.calls, f)
	case f.meter.Whole() && len(args) >= f.args.Len() && sameArguments(args, f.args.String()):
		args = ""
	case whole || f.args.String() == "{}" && args != "" || // some begin with {}
		f.args.Len() > 0 && name != "" && strings.HasPrefix(args, f.args.String()): // it repeats all arguments so far
		a.size -= f.args.Len()
		f.args.Reset()
		f.meter = jsondepth.Meter{}
	}
	if args != "" && slices.Index(a.calls, f) < a.mark {
		a.ended = false
	}
	a.size += len(args)
	f.name, f.id = cmp.Or(f.name, name[:min(len(name), maxName)]), cmp.Or(f.id, id[:min(len(id), maxName)])
	f.args.WriteString(args)
	f.meter.Add(args)
}

// continued finds the call to which a fragment belongs, nil if it begins a new one. Only a fragment with a name can
// begin one; it does unless it repeats the head of a call whose arguments are still open.
func (a *assembler) continued(index, id, name string) *fragments {
	var f *fragments
	for _, c := range a.calls {
		mine := id != "" && id == c.id
		if mine || (f == nil || id == "" || f.id != id) && (index == "" || c.index == "" || c.index == index) {
			f = c // the latest with this id, else with this index
		}
	}
	switch {
	case f == nil || name == "" || f.name == "":
		return f
	case name != f.name || f.meter.Whole():
		return nil
	case id == "" || f.id == "" || id == f.id || f.args.Len() == 0 && index != "" && index == f.index:
		return f
	}
	return nil
}

func sameArguments(one, other string) bool {
	a, b := newCall("", "", one), newCall("", "", other)
	return a.Broken == b.Broken && bytes.Equal(text.CanonicalOrNil(a.Arguments), text.CanonicalOrNil(b.Arguments))
}

// same reports whether two calls have the same id, or the same index if one has no id.
func (f *fragments) same(other *fragments) bool {
	if f.id != "" && other.id != "" {
		return f.id == other.id
	}
	return f.index != "" && f.index == other.index
}

// unique returns the calls without repetitions: the same call with the same arguments, or without any.
func (a *assembler) unique() (calls []*fragments) {
	for i, f := range a.calls {
		again := slices.ContainsFunc(calls, func(earlier *fragments) bool {
			return earlier.same(f) && earlier.name == f.name &&
				(strings.TrimSpace(f.args.String()) == "" || sameArguments(earlier.args.String(), f.args.String()))
		})
		if !again {
			calls = append(calls, f)
			a.ended = a.ended && i < a.mark
		}
	}
	return calls
}

// reply returns the complete reply. The flag done means that the endpoint announced the end. With an error it returns
// the part that arrived.
func (a *assembler) reply(done bool) (reply model.Reply, err error) {
	var calls []model.Call
	for _, f := range a.unique() {
		calls = append(calls, newCall(f.id, a.toolName(f.name), string(withoutKey([]byte(f.args.String()), a.key))))
	}
	a.release(true)
	reply.Text, reply.Calls, reply.Usage = afterThoughts(a.shown.String()), calls, a.usage
	reply.Thoughts = string(withoutKey([]byte(a.thought.String()), a.key))
	reply.Thinks = a.apart || a.thoughts.found || reply.Text != a.shown.String()
	means, known := meaning(a.finish)
	switch {
	case !a.ended && !done:
		return reply, cutOff(io.ErrUnexpectedEOF)
	case means == finishFailed, !known && len(calls) > 0:
		return reply, problem(ProblemCut, "The reply was cut off, so nothing in it was run: the endpoint ended it with %q.",
			text.Clean(a.finish, 60))
	case means == model.FinishLength || means == model.FinishFilter:
		reply.Calls, reply.Dropped, reply.Finish = nil, len(calls), means
	case len(calls) > 0:
		reply.Finish = model.FinishCalls
	default:
		reply.Finish = model.FinishStop
	}
	return reply, nil
}

// finishes maps the endpoints' finish reasons to ours. Several endpoints send stop with calls.
var finishes = map[model.Finish]string{
	model.FinishStop: "stop stop_sequence stop_token end end_turn end_of_turn eos eos_token eot complete completed done " +
		"tool tool_call tool_calls tool_use function_call function_calls",
	model.FinishLength: "length max_length max_tokens max_output_tokens model_length token_limit context_length " +
		"model_context_window_exceeded incomplete",
	model.FinishFilter: "content_filter content_filtered safety recitation blocklist prohibited_content spii sensitive " +
		"refusal guardrail_intervened",
	finishFailed: "error abort aborted cancel canceled cancelled timeout fail failed failure network_error " +
		"malformed_function_call insufficient_system_resource",
}

// meaning interprets a reason; an empty one is just the end of the stream.
func meaning(finish string) (means model.Finish, known bool) {
	word := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(finish)), "-", "_")
	for means, words := range finishes {
		if slices.Contains(strings.Fields(words), word) {
			return means, true
		}
	}
	return model.FinishStop, word == ""
}

// decorated matches the additions of models and servers around a tool's name.
var decorated = regexp.MustCompile(`^(?:functions|default_api|tools)[.:]|:\d+$|<\|.*$`)

// toolName returns the name of the tool that a decorated name means.
func (a *assembler) toolName(name string) string {
	plain := decorated.ReplaceAllString(strings.TrimSpace(name), "")
	if slices.ContainsFunc(a.tools, func(t model.Tool) bool { return t.Name == plain }) {
		return plain
	}
	return name
}

// surrogate may be half of a pair, which strict endpoints refuse when it is sent back.
var surrogate = regexp.MustCompile(`(?i)\\ud[89a-f]`)

// newCall parses a model's arguments: an empty text means none, an object in a string is unwrapped, and anything else
// is broken. Arguments with too many levels are broken too, because they would be sent back.
func newCall(id, tool, args string) model.Call {
	c := model.Call{ID: id, Tool: tool, Arguments: json.RawMessage("{}")}
	said := strings.TrimSpace(args)
	var inner string
	if json.Unmarshal([]byte(said), &inner) == nil {
		said = strings.TrimSpace(inner)
	}
	switch {
	case said == "" || said == "null":
	case jsondepth.Exceeds([]byte(said), jsondepth.Limit), !text.IsObject(said):
		c.Broken = args
	case surrogate.MatchString(said):
		c.Arguments = text.CanonicalOrNil(json.RawMessage(said))
	default:
		var b bytes.Buffer
		_ = json.Compact(&b, []byte(said)) // valid: IsObject checked it
		c.Arguments = b.Bytes()
	}
	return c
}
