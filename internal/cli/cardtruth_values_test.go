package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hinshun/vt10x"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// hostileTexts are texts that a careless card changes, hides, cuts, translates or takes for something of its own.
var hostileTexts = []string{
	"Gift card", "constructor", "__proto__", "valueOf", "toString", "hasOwnProperty",
	"safe\u202etxt.exe\u202c", "\u200fright\u200e to left", "zero\u200bwidth\u200d\ufeffjoined",
	"soft\u00adhyphen", "first line\nsecond line\r\nthird", "tab\tand  two spaces", " spaces around ",
	"\u00a0no break\u3000wide", "👩‍👩‍👧 ❤️ 🏳️‍🌈 🇩🇪", "раураl Ana Ruіz", "ﬁn ① Ａ", "e\u0301 decomposed",
	"1,000.00", "$1,026.39", "1.026,39 $", "2 March 2026", "2026-03-02", "1e400", "0x1F", "007", "-0",
	"<b onclick=x>bold</b>", "[link](https://example.com)", "**bold** `code`", "&amp; &#x202e;",
	"\x1b[2J\x1b[1;31mred\x1b[0m", "\x1b]0;title\x07", "\u009b1A up", "bell\a \x00 nul", "back\b\bspace",
	"F8", "Shift+F8", "Esc", "yes", "no", "none", "null", "true", "[object Object]", "NaN", `\u202e`, `\n`,
	`"quoted"`, `“Order” of Ana`, "└─ open until 99:99:99", "│  Total $0.00", "To allow it, type: baba",
	"{0}", "{name}", "{count, plural, one {#} other {#}}", "%s %d %!s(MISSING)", "Home",
	"Ana of Order #1 of Cash", "order; total, cash: no", "…", "a…", "nobody answers",
	"Cancel order #W1 of Ana: $5.00", "\U000e0041tag", "x\ufe0fy", "\u2028line\u2029paragraph",
	"\ue000private", "\ufffdreplaced",
}

// leaf is a value that is executed, with its place in the arguments.
type leaf struct {
	Pointer string          `json:"pointer"`
	Value   json.RawMessage `json:"value"`
	Kind    string          `json:"kind,omitempty"` // of the record that it is the id of
	Name    string          `json:"name,omitempty"` // of that record
}

// leavesOf lists the values of arguments; an amount of money is one.
func leavesOf(t *testing.T, arguments json.RawMessage) (list []leaf) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(arguments))
	d.UseNumber()
	var root map[string]any
	if err := d.Decode(&root); err != nil {
		t.Fatal(err)
	}
	var walk func(pointer string, v any)
	walk = func(pointer string, v any) {
		object, isObject := v.(map[string]any)
		all, isList := v.([]any)
		_, isAmount := object["currency"].(string)
		switch {
		case isObject && !(isAmount && len(object) == 2 && object["amount"] != nil) && (len(object) > 0 || pointer == ""):
			for _, key := range slices.Sorted(maps.Keys(object)) {
				walk(pointer+"/"+jsonpointer.Escape(key), object[key])
			}
		case isList && len(all) > 0:
			for i, one := range all {
				walk(fmt.Sprintf("%s/%d", pointer, i), one)
			}
		default:
			raw, _ := json.Marshal(v) // it was JSON
			list = append(list, leaf{Pointer: pointer, Value: raw})
		}
	}
	walk("", root)
	return list
}

// inOrderOf sorts leaves as a card lists them, which is by its own pointers.
func inOrderOf(card policy.Card, leaves []leaf) []leaf {
	at := map[string]int{}
	for i, a := range card.Arguments {
		at[a.Pointer] = i + 1
	}
	return slices.SortedStableFunc(slices.Values(leaves), func(a, b leaf) int {
		return cmp.Compare(at[a.Pointer], at[b.Pointer])
	})
}

// text is the value of a text, "" of anything else.
func (l leaf) text() (s string) {
	_ = json.Unmarshal(l.Value, &s) // anything else is no text
	return s
}

// readsAs reports whether a person reads this value in what is shown.
func (l leaf) readsAs(shown string) bool {
	var text string
	if json.Unmarshal(l.Value, &text) == nil {
		switch {
		case string(l.Value) == "null":
			return shown == "none"
		case text == "":
			return strings.Trim(shown, `"`) == ""
		}
		return readsAs(shown, text, longest) || l.Name != "" && readsAs(shown, l.Name, longestName)
	}
	var amount struct {
		Amount   json.Number
		Currency string
	}
	if json.Unmarshal(l.Value, &amount) == nil && amount.Currency != "" {
		significant := func(of string) string { return strings.TrimLeft(digitsOf(of), "0") }
		return significant(shown) == significant(amount.Amount.String())
	}
	plain, known := map[string]string{"true": "yes", "false": "no"}[string(l.Value)]
	if !known {
		plain = string(l.Value)
	}
	return shown == plain
}

func digitsOf(s string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// readsAs reports whether a person who knows the escapes reads text in what is shown: all of it, or the beginning of a
// very long one with a sign that it goes on.
func readsAs(shown, text string, longest int) bool {
	seen := emoji.ReplaceAllString(shown, "$1")
	if strings.ContainsFunc(seen, unsafe) || strings.ContainsAny(seen, "\n\t") {
		return false // something in it cannot be seen
	}
	shown, text = reading(shown), reading(text)
	begin, cut := strings.CutSuffix(shown, "…")
	return shown == text || cut && utf8.RuneCountInString(begin) >= longest && strings.HasPrefix(text, begin)
}

// emoji matches what has no look of its own and makes the character before it an emoji.
var emoji = regexp.MustCompile("([^\ufe00-\ufe0f])\ufe0f")

// longest is how many characters of a value are on a card, and longestName how many of the name of a record.
const longest, longestName = 20_000, 120

// reading is what somebody reads who knows what escapes stand for.
func reading(text string) string {
	text = strings.ReplaceAll(text, "↵", "\n")
	var b strings.Builder
	for i := 0; i < len(text); {
		if text[i] == '\\' && i+6 <= len(text) && text[i+1] == 'u' {
			if n, err := strconv.ParseUint(text[i+2:i+6], 16, 16); err == nil {
				b.WriteString(fmt.Sprintf("‹%x›", n))
				i += 6
				continue
			}
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if i += size; !unsafe(r) && r != '\n' && r != '\t' && !drawn(r) {
			b.WriteRune(r)
			continue
		}
		for _, half := range strings.Split(strings.Trim(escaped(string(r), func(rune) bool { return true }), `\u`), `\u`) {
			n, _ := strconv.ParseUint(half, 16, 16)
			b.WriteString(fmt.Sprintf("‹%x›", n))
		}
	}
	return b.String()
}

// onScreen returns the lines of a card as a wide terminal shows them.
func onScreen(t *testing.T, written string) []string {
	t.Helper()
	wide, high := 0, 1
	for line := range strings.SplitSeq(written, "\n") {
		wide, high = max(wide, utf8.RuneCountInString(line)), high+1
	}
	screen := vt10x.New(vt10x.WithSize(wide+1, high))
	if _, err := screen.Write([]byte(written)); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.SplitSeq(strings.TrimRight(screen.String(), " \n"), "\n") {
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}

// showsRow reports whether a line has each value of a changed row.
func showsRow(line string, e bus.Effect) bool {
	line = reading(line)
	for _, row := range []map[string]any{e.Before, e.After} {
		for column, v := range row {
			raw, _ := json.Marshal(v)
			var text string
			if strings.HasSuffix(column, "_fold") || json.Unmarshal(raw, &text) != nil || e.Op != bus.Update && text == "" {
				continue
			}
			if !strings.Contains(line, reading(text)) {
				return false
			}
		}
	}
	return true
}

// textsOf lists the lines of a bill, each by the texts in it.
func textsOf(b *bus.Bill, ofStep bool, args []policy.CardArgument) (lines [][]string) {
	if b == nil {
		return nil
	}
	for _, l := range b.Lines {
		lines = append(lines, []string{strconv.Itoa(int(l.Quantity)), l.Text, l.Amount})
	}
	for _, s := range b.Sums {
		lines = append(lines, []string{s.Label, s.Text})
	}
	for _, a := range b.About {
		if ofStep || !slices.ContainsFunc(args, func(of policy.CardArgument) bool { return of.Pointer == a.Argument }) {
			lines = append(lines, []string{a.Label, a.Text})
		}
	}
	if len(b.Follows) > 0 {
		lines = append(lines, append([]string{"Then:"}, b.Follows...))
	}
	return lines
}
