package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
)

// Erased is what Erase took out of the log.
type Erased struct {
	Records int `json:"records"` // whose payloads are gone
	Results int `json:"results"` // idempotency results
}

// minTerm is the shortest text that may say whom something is about.
const minTerm = 3

// Erase deletes what the log says about somebody, as a part of the transaction
// of ctx, which must be that of a handler that writes: the payloads of all
// records that hold one of the terms as a whole word, anywhere in them, and the
// idempotency results that do. Terms are ids, e-mail addresses, numbers: what
// names the person and nobody else, exactly as it was written. Before the caller
// gets the answer the file is written anew without what was deleted, by this
// handler too; while somebody else keeps it from being, it is tried again every
// second and when the log is closed.
//
// Headers and digests stay, so the log verifies, and says how much was erased
// and by which request. A key whose result is gone stays used: it is refused
// from then on. The record of the erasing request names the rows it changed
// without what was in them, and has no summary.
//
// It reads all payloads there are and holds the write lock meanwhile. While a
// network step about the person is under way it is a CONFLICT.
func (l *Log) Erase(ctx context.Context, terms ...string) (Erased, error) {
	var gone Erased
	for _, term := range terms {
		if len(term) < minTerm {
			return gone, bus.Errorf(bus.Validation, bus.ReasonArguments, "%q is too short to tell one person from others.", term).
				WithHint("Name at least %d characters, such as an id or an e-mail address.", minTerm)
		}
	}
	t := Tx(ctx)
	err := t.ownChange(ctx, func(b *batch) error {
		t.erased = true
		var steps int
		if err := b.mentions("SELECT 1, entry FROM audit_inflight WHERE instr(entry, ?) > 0", terms, func(int64) { steps++ }); err != nil {
			return err
		}
		if steps > 0 {
			return bus.Errorf(bus.Conflict, bus.ReasonBusy, "A step that is about them is still under way.").WithHint("Wait until it has ended and try again.")
		}
		for _, s := range []*stream{mainStream, readsStream} {
			seqs := map[int64]bool{}
			if err := b.mentions("SELECT seq, body FROM "+s.payloads+" WHERE instr(body, ?) > 0", terms, func(seq int64) { seqs[seq] = true }); err != nil {
				return err
			}
			for seq := range seqs {
				if err := b.forget(s, seq, t.entry.Invocation.RequestID); err != nil {
					return err
				}
			}
			gone.Records += len(seqs)
		}
		if err := b.forgetFilters(terms); err != nil {
			return err
		}
		var err error
		gone.Results, err = b.forgetResults(terms)
		return err
	})
	if err != nil {
		return Erased{}, fmt.Errorf("audit: erase: %w", err)
	}
	return gone, nil
}

// forget deletes all there is of a record beside its header, and notes which
// request wanted it so.
func (b *batch) forget(s *stream, seq int64, request string) error {
	if err := forgetText(b, s, seq); err != nil {
		return err
	}
	if _, err := b.w.session.exec("DELETE FROM "+s.payloads+" WHERE seq = ?", seq); err != nil {
		return err
	}
	_, err := b.w.session.exec("INSERT INTO audit_erasures (stream, seq, request_id) VALUES (?, ?, ?)", s.name, seq, request)
	return err
}

// forgetResults blanks the results that mention somebody, and those of records
// that were erased. Their keys stay, with a digest that no arguments have: what
// ran once must not run again.
func (b *batch) forgetResults(terms []string) (int, error) {
	rows := map[int64]bool{}
	add := func(row int64) { rows[row] = true }
	if err := b.mentions("SELECT rowid, result FROM audit_keys WHERE instr(result, ?) > 0", terms, add); err != nil {
		return 0, err
	}
	if err := b.each(add, nil, "SELECT k.rowid, x'' FROM audit_keys k JOIN audit_erasures e ON e.stream = 'main' AND e.seq = k.seq WHERE k.result IS NOT NULL"); err != nil {
		return 0, err
	}
	for row := range rows {
		if _, err := b.w.session.exec("UPDATE audit_keys SET arguments = 'erased', result = NULL WHERE rowid = ?", row); err != nil {
			return 0, err
		}
	}
	return len(rows), nil
}

// mentions finds the rows of a query of (number, JSON) whose JSON holds one of
// the terms. The query's one parameter is a part of the term that JSON has only
// one way to write, to look for first.
func (b *batch) mentions(query string, terms []string, found func(int64)) error {
	for _, term := range terms {
		holds := func(body []byte) bool {
			var v any
			return decode(body, &v) != nil || holdsWord(v, term) // what cannot be read had better go
		}
		if err := b.each(found, holds, query, []byte(plainPart(term))); err != nil {
			return err
		}
	}
	return nil
}

// each reads all rows before found may change the table.
func (b *batch) each(found func(int64), holds func([]byte) bool, query string, args ...any) error {
	rows, err := b.w.session.conn.QueryContext(context.Background(), query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var number int64
		var body []byte
		if err := rows.Scan(&number, &body); err != nil {
			return err
		}
		if holds == nil || holds(body) {
			found(number)
		}
	}
	return rows.Err()
}

// plainPart is the longest part of a term that JSON never escapes, the whole
// term as it is usually written if that is too short.
func plainPart(term string) string {
	longest := ""
	for _, part := range strings.FieldsFunc(term, func(r rune) bool { return r >= 0x7f || r < ' ' || strings.ContainsRune(`"\<>&/`, r) }) {
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

// holdsWord looks for a term in the texts and names of a JSON value, and in
// texts that are JSON themselves or hold it.
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

// hasWord reports whether a term stands in a text, neither side going on as a
// word: a term "c_1" is not in "c_12".
func hasWord(text, term string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], term)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(term)
		if !goesOn(text[:start], term) && !goesOn(term, text[end:]) {
			return true
		}
		at = start + 1
	}
}

// goesOn reports whether a word that ends one text goes on in the next.
func goesOn(a, b string) bool {
	return a != "" && b != "" && isWordByte(a[len(a)-1]) && isWordByte(b[0])
}

// withoutContent takes out of an erasing request's record what it was to erase:
// the rows are named, what was in them is not.
func withoutContent(e *bus.Entry) {
	effects := make([]bus.Effect, len(e.Effects))
	for i, f := range e.Effects {
		effects[i] = bus.Effect{Table: f.Table, Key: f.Key, Op: f.Op}
	}
	e.Effects, e.Summary = effects, ""
}
