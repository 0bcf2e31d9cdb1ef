// Package sqllex splits SQL into tokens by SQLite's rules.
package sqllex

import "strings"

// Token is one word, name, string or sign of an SQL text.
type Token struct {
	Text   string // a word in lower case; a quoted name or string without its quotes
	Quoted bool
	Depth  int // depth of parentheses around it
}

// Tokens splits SQL by SQLite's rules of quoting, without comments.
func Tokens(sql string) []Token {
	var out []Token
	depth := 0
	for i := 0; i < len(sql); {
		c := sql[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			i++
		case strings.HasPrefix(sql[i:], "--"):
			i = endOf(sql, i, "\n")
		case strings.HasPrefix(sql[i:], "/*"):
			i = endOf(sql, i+2, "*/")
		case c == '\'' || c == '"' || c == '`':
			text, next := quotedText(sql, i)
			out = append(out, Token{Text: text, Quoted: true, Depth: depth})
			i = next
		case c == '[':
			next := endOf(sql, i, "]")
			out = append(out, Token{Text: strings.TrimSuffix(sql[i+1:next], "]"), Quoted: true, Depth: depth})
			i = next
		case IsWordByte(c):
			start := i
			for i < len(sql) && IsWordByte(sql[i]) {
				i++
			}
			out = append(out, Token{Text: strings.ToLower(sql[start:i]), Depth: depth})
		default:
			if c == ')' {
				depth--
			}
			out = append(out, Token{Text: string(c), Depth: depth})
			if c == '(' {
				depth++
			}
			i++
		}
	}
	return out
}

// Compact returns SQL without comments, with single spaces instead of white space and comments.
func Compact(sql string) string {
	var out strings.Builder
	space := false
	keep := func(part string) {
		if space && out.Len() > 0 {
			out.WriteByte(' ')
		}
		space = false
		out.WriteString(part)
	}
	for i := 0; i < len(sql); {
		c, next := sql[i], i+1
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			space = true
		case strings.HasPrefix(sql[i:], "--"):
			next, space = endOf(sql, i, "\n"), true
		case strings.HasPrefix(sql[i:], "/*"):
			next, space = endOf(sql, i+2, "*/"), true
		case c == '\'' || c == '"' || c == '`':
			_, next = quotedText(sql, i)
			keep(sql[i:next])
		case c == '[':
			next = endOf(sql, i, "]")
			keep(sql[i:next])
		default:
			keep(sql[i:next])
		}
		i = next
	}
	return out.String()
}

func endOf(sql string, from int, mark string) int {
	if n := strings.Index(sql[from:], mark); n >= 0 {
		return from + n + len(mark)
	}
	return len(sql)
}

// quotedText reads a quoted text that begins at i; a doubled quote represents one quote.
func quotedText(sql string, i int) (string, int) {
	quote := sql[i]
	var b strings.Builder
	for i++; i < len(sql); i++ {
		if sql[i] != quote {
			b.WriteByte(sql[i])
			continue
		}
		if i+1 < len(sql) && sql[i+1] == quote {
			b.WriteByte(quote)
			i++
			continue
		}
		return b.String(), i + 1
	}
	return b.String(), i
}

// IsWordByte reports whether an unquoted name may contain a byte.
func IsWordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// Follows reports whether the tokens from i on are the unquoted words.
func Follows(tokens []Token, i int, words ...string) bool {
	if i+len(words) > len(tokens) {
		return false
	}
	for n, w := range words {
		if t := tokens[i+n]; t.Quoted || t.Text != w {
			return false
		}
	}
	return true
}

// Is reports whether a token is a sign such as ";".
func (t Token) Is(sign string) bool { return !t.Quoted && t.Text == sign }
