package audit

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/deskhand/deskhand/internal/sqllex"
)

// statement is the result of checking a handler's SQL.
type statement struct {
	writes bool
	err    error // the reason for a refusal
}

// check decides whether a handler may run a statement: it must read or change rows of the domain, and must not affect
// the shared transaction.
func check(sql string) statement {
	if strings.ContainsRune(sql, 0) {
		return statement{err: errNUL}
	}
	tokens := sqllex.Tokens(sql)
	for n := len(tokens); n > 0 && tokens[n-1].Is(";"); n-- {
		tokens = tokens[:n-1]
	}
	if len(tokens) == 0 {
		return statement{err: fmt.Errorf("audit: an empty statement")}
	}
	if slices.ContainsFunc(tokens, isSemicolon) {
		return statement{err: fmt.Errorf("audit: more than one statement in %q: run them one by one", sql)}
	}
	s := statement{writes: writes(tokens)}
	switch first := tokens[0]; {
	case first.Quoted:
		s.err = refused(sql, "it begins with a name")
	case !opening[first.Text]:
		s.err = refused(sql, fmt.Sprintf("a handler cannot use %s", strings.ToUpper(first.Text)))
	case s.writes:
		s.err = checkWrite(sql, tokens)
	}
	return s
}

func isSemicolon(t sqllex.Token) bool { return t.Is(";") }

// opening lists the words with which a handler's statement may begin.
var opening = map[string]bool{"select": true, "values": true, "with": true, "insert": true, "update": true,
	"delete": true}

// writes reports whether a statement changes rows: by its first word, or after the tables of a WITH.
func writes(tokens []sqllex.Token) bool {
	for i, t := range tokens {
		if i > 0 && !tokens[0].Is("with") {
			return false
		}
		if t.Quoted || t.Depth > 0 {
			continue
		}
		switch t.Text {
		case "insert", "update", "delete", "replace":
			return true
		}
	}
	return false
}

// checkWrite refuses a change of a reserved table, and conflict clauses that would harm other calls.
func checkWrite(sql string, tokens []sqllex.Token) error {
	for i, t := range tokens {
		if isReserved(t.Text) {
			return refused(sql, fmt.Sprintf("%s is not the domain's", t.Text))
		}
		if how := harmful(tokens, i, "or"); how != "" {
			return refused(sql, fmt.Sprintf("OR %s is not allowed", how))
		}
		if sqllex.Follows(tokens, i, "replace", "into") {
			return refused(sql, "REPLACE is not allowed: use INSERT … ON CONFLICT … DO UPDATE")
		}
	}
	return nil
}

func refused(sql, why string) error {
	return fmt.Errorf("audit: the statement %q is refused: %s", sql, why)
}

// statementCache keeps the results of check.
type statementCache struct {
	mu    sync.RWMutex
	known map[string]statement // guarded by mu
}

// maxStatements limits the caches of statements: a handler that builds SQL from values would fill them without end.
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
