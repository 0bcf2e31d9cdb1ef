package audit

import (
	"fmt"
	"strings"
	"sync"
)

// token is one word, name, string or sign of an SQL text.
type token struct {
	text   string // a word in lower case; a quoted name or string without its quotes
	quoted bool
	depth  int // of parentheses around it
}

// lex splits SQL into tokens by SQLite's rules of quoting and comments.
func lex(sql string) []token {
	var out []token
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
			out = append(out, token{text: text, quoted: true, depth: depth})
			i = next
		case c == '[':
			next := endOf(sql, i, "]")
			out = append(out, token{text: strings.TrimSuffix(sql[i+1:next], "]"), quoted: true, depth: depth})
			i = next
		case isWordByte(c):
			start := i
			for i < len(sql) && isWordByte(sql[i]) {
				i++
			}
			out = append(out, token{text: strings.ToLower(sql[start:i]), depth: depth})
		default:
			if c == ')' {
				depth--
			}
			out = append(out, token{text: string(c), depth: depth})
			if c == '(' {
				depth++
			}
			i++
		}
	}
	return out
}

func endOf(sql string, from int, mark string) int {
	if n := strings.Index(sql[from:], mark); n >= 0 {
		return from + n + len(mark)
	}
	return len(sql)
}

// quotedText reads what begins with a quote at i; a doubled quote stands for itself.
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

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// follows reports whether the unquoted words stand in the tokens from i on.
func follows(tokens []token, i int, words ...string) bool {
	if i+len(words) > len(tokens) {
		return false
	}
	for n, w := range words {
		if t := tokens[i+n]; t.quoted || t.text != w {
			return false
		}
	}
	return true
}

// statement is what a handler's SQL was found to be.
type statement struct {
	writes bool
	err    error // why it is refused
}

// check decides what a handler may run: one statement that reads or changes
// rows of the domain, and nothing that touches the transaction it shares.
func check(sql string) statement {
	if strings.ContainsRune(sql, 0) {
		return statement{err: errNUL}
	}
	tokens := lex(sql)
	for n := len(tokens); n > 0 && isSign(tokens[n-1], ";"); n-- {
		tokens = tokens[:n-1]
	}
	if len(tokens) == 0 {
		return statement{err: fmt.Errorf("audit: an empty statement")}
	}
	for _, t := range tokens {
		if isSign(t, ";") {
			return statement{err: fmt.Errorf("audit: more than one statement in %q: run them one by one", sql)}
		}
	}
	s := statement{writes: writes(tokens)}
	switch first := tokens[0]; {
	case first.quoted:
		s.err = refused(sql, "it begins with a name")
	case !opening[first.text]:
		s.err = refused(sql, fmt.Sprintf("a handler cannot use %s", strings.ToUpper(first.text)))
	case s.writes:
		s.err = checkWrite(sql, tokens)
	}
	return s
}

// opening are the words a handler's statement may begin with.
var opening = map[string]bool{"select": true, "values": true, "with": true, "insert": true, "update": true, "delete": true}

func isSign(t token, sign string) bool { return !t.quoted && t.text == sign }

// writes reports whether a statement changes rows: by its first word, or after
// the tables of a WITH.
func writes(tokens []token) bool {
	for i, t := range tokens {
		if i > 0 && !isSign(tokens[0], "with") {
			return false
		}
		if t.quoted || t.depth > 0 {
			continue
		}
		switch t.text {
		case "insert", "update", "delete", "replace":
			return true
		}
	}
	return false
}

func checkWrite(sql string, tokens []token) error {
	for i, t := range tokens {
		if isReserved(t.text) {
			return refused(sql, fmt.Sprintf("%s is not the domain's", t.text))
		}
		for _, how := range []string{"rollback", "fail", "replace"} {
			if follows(tokens, i, "or", how) {
				return refused(sql, fmt.Sprintf("OR %s is not allowed", strings.ToUpper(how)))
			}
		}
		if follows(tokens, i, "replace", "into") {
			return refused(sql, "REPLACE is not allowed: use INSERT … ON CONFLICT … DO UPDATE")
		}
	}
	return nil
}

func refused(sql, why string) error {
	return fmt.Errorf("audit: the statement %q is refused: %s", sql, why)
}

// statementCache remembers what statements were found to be.
type statementCache struct {
	mu    sync.RWMutex
	known map[string]statement // guarded by mu
}

// maxStatements bounds the caches of statements: a handler that builds SQL out
// of values would fill them for ever.
const maxStatements = 512

func (c *statementCache) check(sql string) statement {
	c.mu.RLock()
	s, ok := c.known[sql]
	c.mu.RUnlock()
	if ok {
		return s
	}
	s = check(sql)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) >= maxStatements {
		c.known = map[string]statement{}
	}
	c.known[sql] = s
	return s
}
