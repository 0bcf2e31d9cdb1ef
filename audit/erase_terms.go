package audit

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/deskhand/deskhand/internal/sqllex"
)

// erasureTerms are texts that identify a person, in small letters.
type erasureTerms struct {
	terms []string
	parts [][]byte // a part of each term that JSON writes in only one way, for a quick check
}

func newErasureTerms(terms []string) *erasureTerms {
	n := &erasureTerms{}
	for _, term := range terms {
		term = strings.ToLower(term)
		n.terms, n.parts = append(n.terms, term), append(n.parts, []byte(plainPart(term)))
	}
	return n
}

// mentionedIn reports whether a JSON text contains one of the terms. Text that is not JSON counts as containing it.
func (n *erasureTerms) mentionedIn(body []byte) bool {
	var v any
	read, small := false, bytes.ToLower(body)
	for i, part := range n.parts {
		if !bytes.Contains(small, part) {
			continue
		}
		if !read && decode(body, &v) != nil {
			return true
		}
		read = true
		if holdsWord(v, n.terms[i]) {
			return true
		}
	}
	return false
}

// querier is a connection, or a pool of them.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// rowsMentioning returns the numbers of the rows of a query of (number, JSON) whose JSON contains a term. It reads all
// rows before it returns, so the caller may then change the table.
func (n *erasureTerms) rowsMentioning(ctx context.Context, q querier, query string,
	args ...any) (found []int64, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	err = each(rows, err, func() error {
		var number int64
		var body sql.RawBytes
		if err := rows.Scan(&number, &body); err != nil {
			return err
		}
		if n.mentionedIn(body) {
			found = append(found, number)
		}
		return nil
	})
	return found, err
}

// plainPart returns the longest part of a term that JSON never escapes; if that is too short, the term in its usual
// JSON form.
func plainPart(term string) string {
	longest := ""
	for _, part := range strings.FieldsFunc(term, func(r rune) bool {
		return r >= 0x7f || r < ' ' ||
			strings.ContainsRune(`"\<>&/`, r)
	}) {
		if len(part) > len(longest) {
			longest = part
		}
	}
	if len(longest) >= minTerm {
		return longest
	}
	text, err := json.Marshal(term)
	if err != nil {
		return term // a string can always be marshalled
	}
	return string(text[1 : len(text)-1])
}

// holdsWord looks for a term in the texts and names of a JSON value, and in JSON inside such texts.
func holdsWord(v any, term string) bool {
	switch v := v.(type) {
	case string:
		return hasWord(v, term)
	case json.Number:
		return v.String() == term
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return holdsWord(item, term) })
	case map[string]any:
		for name, item := range v {
			if hasWord(name, term) || holdsWord(item, term) {
				return true
			}
		}
	}
	return false
}

// hasWord reports whether a text contains a term as a whole word, in any case: "c_12" does not contain "c_1".
func hasWord(text, term string) bool {
	text = strings.ToLower(text)
	for at := 0; ; {
		i := strings.Index(text[at:], term)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(term)
		if !continuesWord(text[:start], term) && !continuesWord(term, text[end:]) {
			return true
		}
		at = start + 1
	}
}

// continuesWord reports whether a word that ends one text continues in the next.
func continuesWord(a, b string) bool {
	return a != "" && b != "" && sqllex.IsWordByte(a[len(a)-1]) && sqllex.IsWordByte(b[0])
}

// identifying returns the terms that identify the person to a reader: names, addresses, and the ids that contain them.
func (n *erasureTerms) identifying() *erasureTerms {
	words := func(s string) []string {
		return slices.DeleteFunc(strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }),
			func(word string) bool { return len(word) < minTerm })
	}
	isID := func(term string) bool {
		return strings.ContainsAny(term, "_#0123456789") && !strings.ContainsAny(term, "@ ")
	}
	var said []string
	for _, term := range n.terms {
		if !isID(term) {
			said = append(said, words(term)...)
		}
	}
	return newErasureTerms(slices.DeleteFunc(slices.Clone(n.terms), func(term string) bool {
		return isID(term) && !slices.ContainsFunc(words(term), func(w string) bool { return slices.Contains(said, w) })
	}))
}

// without replaces the texts of a JSON value that contain a term with [erasedText].
func (n *erasureTerms) without(v any) any {
	switch v := v.(type) {
	case string:
		if slices.ContainsFunc(n.terms, func(term string) bool { return hasWord(v, term) }) {
			return erasedText
		}
	case []any:
		for i := range v {
			v[i] = n.without(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = n.without(v[name])
		}
	}
	return v
}

// withoutIn returns a value without the terms. The value must be a JSON value in Go.
func withoutIn[T any](n *erasureTerms, v T) (out T) {
	raw, err := json.Marshal(v)
	if err == nil && !n.mentionedIn(raw) {
		return v
	}
	var plain any
	if err == nil && decode(raw, &plain) == nil {
		if raw, err = json.Marshal(n.without(plain)); err == nil && decode(raw, &out) == nil {
			return out
		}
	}
	return *new(T) // an unreadable value is dropped
}

// Mentions reports whether a JSON text contains one of the terms, by the rule of [Log.Erase]. Text that is not JSON
// counts as containing one.
func Mentions(body []byte, terms ...string) bool { return newErasureTerms(terms).mentionedIn(body) }
