package text

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxShown limits one value on a card. It is far above the limits of schemas, so that a person sees the complete value.
const MaxShown = 20_000

// Value formats a JSON value for people.
func Value(v any) string {
	switch t := v.(type) {
	case nil:
		return "none"
	case string:
		return Shown(t, MaxShown)
	case bool:
		if t {
			return "yes"
		}
		return "no"
	case map[string]any:
		if text, ok := Money(t); ok {
			return text
		}
	}
	return Shown(PlainJSON(v), MaxShown)
}

// Sentence makes the first letter a capital and adds a full stop if there is no end mark.
func Sentence(s string) string {
	s = Capitalize(strings.TrimSpace(Clean(s, 500)))
	if last, _ := utf8.DecodeLastRuneInString(s); s == "" || strings.ContainsRune(".!?…", last) {
		return s
	}
	return s + "."
}

// NobodyAnswered describes an approval that expired, or was withdrawn before a person answered. It is not used for a
// turn that the person stopped.
const NobodyAnswered = "Nobody answered in time."

// Redacted replaces a value that may contain a secret and cannot be parsed.
const Redacted = "[redacted]"

// Clean makes text from outside safe to show: one line, no control or direction-changing characters. Longer text is cut
// after about limit runes and gets an ellipsis.
func Clean(s string, limit int) string {
	var b strings.Builder
	n, space := 0, false
	for _, r := range s {
		if r == utf8.RuneError || unicode.In(r, unicode.Cf) {
			continue
		}
		if unicode.IsControl(r) || unicode.IsSpace(r) {
			space = b.Len() > 0
			continue
		}
		if n >= limit {
			b.WriteString("…")
			break
		}
		if space {
			b.WriteByte(' ')
			space = false
			n++
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// Shown makes text from outside safe for a card, where every change must be visible: it writes an invisible character
// as a JSON escape and a line break as ↵. A text over limit runes ends in an ellipsis.
func Shown(s string, limit int) string {
	var b strings.Builder
	var last rune
	n := 0
	for _, r := range s {
		if n++; n > limit {
			b.WriteString("…")
			break
		}
		switch high, low := utf16.EncodeRune(r); {
		case r == '\n':
			b.WriteString("↵")
		case !unseen(r) || r == emojiStyle && !unicode.Is(unicode.Variation_Selector, last):
			b.WriteRune(r)
		case high != utf8.RuneError:
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		last = r
	}
	return b.String()
}

// emojiStyle makes the character before it an emoji. A second one would be invisible.
const emojiStyle = '\ufe0f'

// unseen reports whether a character is invisible, or changes the look of its neighbours.
func unseen(r rune) bool {
	return r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// NameOf returns the name of a listed record: "123 Main St (Home)", "Ana Ruiz".
func NameOf(item map[string]any) string {
	str := func(k string) string { s, _ := item[k].(string); return Shown(s, 120) }
	text, label := str("text"), str("label")
	switch {
	case text != "" && label != "" && text != label:
		return text + " (" + label + ")"
	case str("name") != "":
		return str("name")
	}
	for _, k := range []string{"title", "label", "text", "number"} {
		if s := str(k); s != "" {
			return s
		}
	}
	return ""
}

// SplitName splits a camelCase or snake_case name: "parentFolderId" → "parent folder id".
func SplitName(name string) string {
	var b strings.Builder
	var last rune
	for _, r := range name {
		switch {
		case r == '_' || r == '-' || r == '.':
			b.WriteByte(' ')
		case unicode.IsUpper(r):
			if last != 0 && !unicode.IsUpper(last) && last != '_' && last != '-' && last != '.' {
				b.WriteByte(' ')
			}
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// Capitalize makes the first letter a capital.
func Capitalize(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

// Duration formats a duration for people, rounded up.
func Duration(d time.Duration) string {
	unit, name := time.Hour, "hour"
	switch {
	case d < 2*time.Minute:
		unit, name = time.Second, "second"
	case d < 2*time.Hour:
		unit, name = time.Minute, "minute"
	}
	if n := (d + unit - 1) / unit; n != 1 {
		return fmt.Sprintf("%d %ss", n, name)
	}
	return "1 " + name
}
