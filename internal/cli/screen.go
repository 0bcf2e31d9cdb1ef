package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// screen writes text so that it can move no cursor, hide no character and turn no line around, whoever wrote it: a
// model, a customer, another program. A control, format or invisible character is written as JSON escapes it, such as
// \u001b or \u202e, so that JSON stays JSON with the same meaning. A byte order mark at the beginning stays: by it
// spreadsheets know UTF-8.
type screen struct {
	mu      sync.Mutex // logs come from several goroutines
	to      io.Writer
	partial []byte // the begin of a character that the next piece ends
	begun   bool
}

// Write implements [io.Writer].
func (s *screen) Write(piece []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := append(s.partial, piece...)
	end := len(text)
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if last := text[len(text)-back:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				end -= back
			}
			break
		}
	}
	s.partial = append([]byte(nil), text[end:]...)
	out, mark := string(text[:end]), ""
	if !s.begun && strings.HasPrefix(out, byteOrderMark) {
		out, mark = out[len(byteOrderMark):], byteOrderMark
	}
	s.begun = s.begun || end > 0
	if _, err := io.WriteString(s.to, mark+escaped(out, unsafe)); err != nil {
		return 0, err
	}
	return len(piece), nil
}

const byteOrderMark = "\ufeff"

// unsafe reports whether a character does something to a terminal, or cannot be seen.
func unsafe(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point,
		unicode.Variation_Selector) || r == utf8.RuneError
}

// quoted returns text of others for a line of the program's own: it has no line break, and none of the characters that
// cards are drawn with, so that it cannot look like a card.
func quoted(text string) string {
	return escaped(text, func(r rune) bool { return r == '\n' || r == '\t' || drawn(r) })
}

// said returns a message of several lines without the characters that cards are drawn with.
func said(text string) string { return escaped(text, drawn) }

// drawn reports whether a character is one to draw boxes with.
func drawn(r rune) bool { return '\u2500' <= r && r <= '\u259f' }

// escaped writes the characters for which replace is true as JSON escapes them.
func escaped(text string, replace func(rune) bool) string {
	if strings.IndexFunc(text, replace) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if !replace(r) {
			b.WriteRune(r)
			continue
		}
		if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
			continue
		}
		fmt.Fprintf(&b, `\u%04x`, r)
	}
	return b.String()
}
