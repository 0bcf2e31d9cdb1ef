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

// screen writes text from any source so that it cannot move the cursor, hide characters or reverse a line. It escapes
// control, format and invisible characters like JSON, such as \u001b or \u202e, so that JSON keeps its meaning. A byte
// order mark at the beginning stays, because spreadsheets use it to recognise UTF-8.
type screen struct {
	mu      sync.Mutex // logs come from several goroutines
	to      io.Writer
	partial []byte // beginning of a character that the next piece completes
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

// unsafe reports whether a character affects a terminal or is invisible.
func unsafe(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point,
		unicode.Variation_Selector) || r == utf8.RuneError
}

// quoted returns text by others for a line of the program itself. It contains no line break, and no characters for
// drawing cards, so that it cannot imitate a card.
func quoted(text string) string {
	return escaped(text, func(r rune) bool { return r == '\n' || r == '\t' || drawn(r) })
}

// said returns a message of several lines without the characters for drawing cards.
func said(text string) string { return escaped(text, drawn) }

// drawn reports whether a character is for drawing boxes.
func drawn(r rune) bool { return '\u2500' <= r && r <= '\u259f' }

// escaped escapes the characters for which replace is true, like JSON.
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
