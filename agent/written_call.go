package agent

import (
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
)

// callMarks are the marks that known model families write before a call inside their text.
var callMarks = []string{"<tool_call>", "<tool_calls>", "<function=", "<function_call>", "<invoke name=",
	"[TOOL_CALLS]", "<|python_tag|>", "<|tool_call|>", "<|tool_call_start|>", "<|tool_calls_section_begin|>",
	"<|channel|>commentary", "<｜tool▁calls▁begin｜>", "functools[{", "```tool_code", "```tool_call"}

var (
	// writtenJSON matches the beginning of a call in JSON; partJSON matches a text that may become one.
	writtenJSON = text.Late(fenceOpen + `(?:\[\s*)?\{\s*"(?:name|tool|function|tool_name|type)"`)
	partJSON    = text.Late(`^` + fenceOpen + `(?:\[\s*)?(?:\{\s*(?:"[a-z_]*"?)?)?$`)

	// writtenName matches the tool's name in such a call.
	writtenName = text.Late(`"(?:name|tool|function|tool_name)"\s*:\s*"([A-Za-z0-9_.-]+)"\s*,\s*` +
		`"(?:arguments|parameters|args|input)"`)
)

const (
	fenceOpen   = "(?:```[a-z_]*\\s*)?"
	longestHead = 64 // bytes of the beginning of a call
)

// callBegins returns the index of a call in a text, -1 for none. It is certain after a mark; JSON may have another
// purpose.
func callBegins(said string) (at int, certain bool) {
	at = -1
	if found := writtenJSON().FindStringIndex(said); found != nil {
		at = found[0]
	}
	for _, mark := range callMarks {
		if i := strings.Index(said, mark); i >= 0 && (at < 0 || i <= at) {
			at, certain = i, true
		}
	}
	return at, certain
}

// callMayBegin returns the index where the end of a text may begin a call, the text's length if nowhere.
func callMayBegin(said string) int {
	for i := max(len(said)-longestHead, 0); i < len(said); i++ {
		tail := said[i:]
		if strings.ContainsRune("`[{", rune(tail[0])) && partJSON().MatchString(tail) {
			return i
		}
		for _, mark := range callMarks {
			if strings.HasPrefix(mark, tail) {
				return i
			}
		}
	}
	return len(said)
}

// words passes on a reply in pieces, but holds back a call written as text and an ending that may become one.
type words struct {
	held   string
	caught bool // a call, or a text that looks like one, has begun
}

// next adds a piece and returns the text that may be shown.
func (w *words) next(piece string) string {
	w.held += piece
	if w.caught {
		return ""
	}
	at, _ := callBegins(w.held)
	if w.caught = at >= 0; !w.caught {
		at = callMayBegin(w.held)
	}
	shown := w.held[:at]
	w.held = w.held[at:]
	return shown
}

// beforeCall cuts off a call that the model wrote as text, and reports whether there was one. The bridge never runs
// such a call: only calls of the protocol run.
func (t *turnRun) beforeCall(said string) (rest string, written bool) {
	at, certain := callBegins(said)
	if at < 0 {
		return said, false
	}
	if !certain {
		found := writtenName().FindStringSubmatch(said[at:])
		if found == nil {
			return said, false
		}
		if _, known := t.b.o.Bus.Lookup(t.capabilityName(found[1])); !known && found[1] != suggestTool {
			return said, false
		}
	}
	return strings.TrimSpace(said[:at]), true
}

// nudgeContext asks a model again that wrote a call as text.
const nudgeContext = "[From the application]\nYour last reply had a tool call written as text. It did nothing, and " +
	"the person did not see it. Make the call itself, or answer the person in words.\n[End.]"
