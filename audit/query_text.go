package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
)

const (
	// indexAtOnce is the number of records indexed in one commit, which limits the wait of other writers.
	indexAtOnce = 256
	// indexPause lets other writers begin between two such commits.
	indexPause = 10 * time.Millisecond
	// indexForSearch is the number of records a search indexes before it answers.
	indexForSearch = 32 * indexAtOnce
	// maxText limits the indexed bytes of a record's words.
	maxText = 8 << 10
	// maxSubject limits the length of an id.
	maxSubject = 128
)

// indexPending indexes the newest records, if q needs it, and returns the number of records that are still not indexed.
// Inside a handler of the writer it indexes nothing.
func (l *Log) indexPending(ctx context.Context, q *Query) (behind int64, err error) {
	if q.Text == "" && q.Subject == "" {
		return 0, nil
	}
	nested := refuseNested(ctx) != nil
	for _, s := range q.streams() {
		for done := 0; ; done += indexAtOnce {
			var left int64
			if err := l.readers.db.QueryRowContext(ctx, "SELECT seq - indexed FROM audit_heads WHERE stream = ?", s.name).
				Scan(&left); err != nil {
				return 0, fmt.Errorf("audit: search: %w", err)
			}
			if left <= 0 {
				break
			}
			if nested || done >= indexForSearch {
				behind += left
				break
			}
			if err := l.writer.bookkeep(func(b *batch) error { return b.index(s) }); err != nil {
				return 0, err
			}
		}
	}
	return behind, nil
}

// index adds the words and subjects of some more records to the index, in the order of the log.
func (b *batch) index(s *stream) error {
	h, err := b.head(s)
	if err != nil || h.indexed >= h.seq {
		return err
	}
	upTo := min(h.seq, h.indexed+indexAtOnce)
	bodies, err := b.bodies(s, h.indexed, upTo)
	if err != nil {
		return fmt.Errorf("index the words: %w", err)
	}
	b.wrote = true
	for _, n := range bodies {
		seq := n.seq
		text, subjects := indexTerms(n.body)
		if _, err := b.w.session.exec("INSERT INTO "+s.texts+" (rowid, text) VALUES (?, ?)", seq, text); err != nil {
			return fmt.Errorf("index the words of record %d: %w", seq, err)
		}
		for _, subject := range subjects {
			if _, err := b.w.session.exec("INSERT INTO "+s.subjects+" (subject, seq) VALUES (?, ?)", subject, seq); err != nil {
				return fmt.Errorf("index the subjects of record %d: %w", seq, err)
			}
		}
	}
	h.indexed = upTo
	return nil
}

// numbered is the body of a record's payload.
type numbered struct {
	seq  int64
	body []byte
}

// bodies returns the payloads after one record and up to another.
func (b *batch) bodies(s *stream, after, upTo int64) ([]numbered, error) {
	rows, err := b.w.session.conn.QueryContext(context.Background(),
		"SELECT seq, body FROM "+s.payloads+" WHERE seq > ? AND seq <= ? ORDER BY seq", after, upTo)
	return collect(rows, err, func(n *numbered) []any { return []any{&n.seq, &n.body} })
}

// indexTerms returns the words and subjects of a payload. The same payload must always give the same result, because an
// erasure needs it again. A change of this function needs a migration that empties the index and resets indexed. A body
// that is not JSON, because the file was tampered with, has none.
func indexTerms(body []byte) (text string, subjects []string) {
	var p payload
	if err := decode(body, &p); err != nil {
		return "", nil
	}
	var words strings.Builder
	for _, s := range []string{p.Summary, p.Message, p.TriggeringMessage, p.Reasoning, p.DecisionReason} {
		addWords(&words, s)
	}
	about := map[string]bool{}
	addSubjects(about, p.Facts)
	for _, e := range p.Effects {
		for _, v := range e.Key {
			addSubject(about, v)
		}
	}
	for _, raw := range [][]byte{p.Arguments, p.Data} {
		var v any
		if len(raw) == 0 || decode(raw, &v) != nil {
			continue
		}
		addValues(&words, v)
		addSubjects(about, v)
		fields, _ := v.(map[string]any)
		steps, _ := fields["steps"].([]any) // of a plan
		for _, step := range steps {
			fields, _ := step.(map[string]any)
			for _, part := range []string{"arguments", "data", "facts"} {
				addSubjects(about, fields[part])
			}
		}
	}
	return words.String(), slices.Sorted(maps.Keys(about))
}

// addWords adds a text to the words of a record, unless the limit maxText is reached.
func addWords(words *strings.Builder, s string) {
	if s == "" || words.Len()+len(s) >= maxText {
		return
	}
	words.WriteString(s)
	words.WriteByte(' ')
}

// addValues adds the texts and numbers of a JSON value, in the order of its keys.
func addValues(words *strings.Builder, v any) {
	switch v := v.(type) {
	case string:
		addWords(words, v)
	case fmt.Stringer: // json.Number
		addWords(words, v.String())
	case []any:
		for _, item := range v {
			addValues(words, item)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			addValues(words, v[key])
		}
	}
}

// addSubjects adds the ids among the fields of an object: those whose name is id or ends with Id.
func addSubjects(about map[string]bool, object any) {
	fields, _ := object.(map[string]any)
	for name, v := range fields {
		if name == "id" || strings.HasSuffix(name, "Id") {
			addSubject(about, v)
		}
	}
}

func addSubject(about map[string]bool, v any) {
	if id, ok := v.(string); ok && id != "" && len(id) <= maxSubject {
		about[id] = true
	}
}

// ftsQuery turns typed text into a full-text query: every word of it, the beginning of a word before an asterisk, and
// quoted text literally. It returns "" for a text without words.
func ftsQuery(typed string) string {
	var terms []string
	for i, part := range strings.Split(strings.ReplaceAll(typed, "\x00", " "), `"`) {
		if i%2 == 1 {
			if strings.IndexFunc(part, isWordRune) >= 0 {
				terms = append(terms, `"`+part+`"`)
			}
			continue
		}
		for part != "" {
			part = strings.TrimLeftFunc(part, func(r rune) bool { return !isWordRune(r) })
			end := strings.IndexFunc(part, func(r rune) bool { return !isWordRune(r) })
			if end < 0 {
				end = len(part)
			}
			word := part[:end]
			part = part[end:]
			switch {
			case word == "":
			case strings.HasPrefix(part, "*"):
				terms = append(terms, `"`+word+`"*`)
			default:
				terms = append(terms, `"`+word+`"`)
			}
		}
	}
	return strings.Join(terms, " ")
}

// isWordRune reports whether the index's tokenizer takes a rune for a part of a word.
func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Co, r) || unicode.Is(unicode.M, r)
}

// indexWhenIdle indexes some records while no other work is waiting.
func (w *writer) indexWhenIdle() {
	behind := false
	k := &work{kind: workBookkeeping, bookkeeping: func(b *batch) error {
		b.countNow = true
		for _, s := range []*stream{mainStream, readsStream} {
			if err := b.index(s); err != nil {
				return err
			}
			behind = behind || b.heads[s].indexed < b.heads[s].seq
		}
		return nil
	}}
	_, err := w.transaction([]*work{k}, admitNone)
	w.unindexed = err == nil && behind // after an error: when the next record is written
	if err != nil {
		w.l.o.Logger.Warn("audit: words are not indexed yet", "error", err)
	}
}

// leavesUnindexed reports whether records remain that are not indexed.
func (b *batch) leavesUnindexed() bool {
	for _, h := range b.heads {
		if h.indexed < h.seq {
			return true
		}
	}
	return false
}
