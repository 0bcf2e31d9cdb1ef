package bus

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync"
)

// encodedEntry is a manifest entry in two parts: the present state goes between them. named is how it begins: the name
// alone.
type encodedEntry struct {
	named, head, tail []byte
	tokens            int // about what its tool definition costs a model
}

// knownEntry is an entry and what was made of it.
type knownEntry struct {
	of ManifestEntry
	encodedEntry
}

// stateMark is where the present state stands in an entry. No text contains it, since quotation marks are escaped
// there; a schema before it could, and nothing behind it does.
const stateMark = `,"available":true`

// knownEntries has the last entry of each name that was encoded: every desk of a program has the same.
var knownEntries sync.Map // of *knownEntry, by name

// describeLate has the entry made, and encoded, when it is first needed: it takes reading the schemas.
func (r *registered) describeLate(kinds map[string]*kind) {
	r.entry = sync.OnceValue(func() *ManifestEntry { return r.newEntry(kinds) })
	r.encoded = sync.OnceValue(func() *encodedEntry {
		e := *r.entry()
		if known, is := knownEntries.Load(e.Name); is && reflect.DeepEqual(known.(*knownEntry).of, e) {
			return &known.(*knownEntry).encodedEntry
		}
		whole, err := json.Marshal(e)
		t, toolErr := newTool(e)
		if err = cmp.Or(err, toolErr); err != nil {
			panic(fmt.Sprintf("bus: capability %q: %v", e.Name, err)) // its schemas are JSON
		}
		i := bytes.LastIndex(whole, []byte(stateMark))
		name := bytes.Index(whole, []byte(`,"title":`)) // no name holds a quotation mark
		made := &knownEntry{e, encodedEntry{named: whole[:name:name], head: whole[:i:i], tail: whole[i+len(stateMark):],
			tokens: t.tokens()}}
		knownEntries.Store(e.Name, made)
		return &made.encodedEntry
	})
}

// AppendManifest is [Bus.Manifest] as JSON, appended to dst: the same bytes as json.Marshal gives, joined from parts
// that were encoded before. With room in dst it costs about as much as copying them.
func (b *Bus) AppendManifest(ctx context.Context, dst []byte, v View) ([]byte, error) {
	l, now := b.listed.Load(), b.o.Clock()
	states, err := b.present(ctx, l, v.Principal, now)
	if err != nil {
		return dst, err
	}
	envelope := b.manifest(now)
	envelope.Entities = l.entities(v)
	around, err := json.Marshal(envelope)
	if err != nil {
		return dst, err
	}
	split := bytes.LastIndex(around, []byte(`],"generated_at"`))
	shown, encoded := l.visible(v), l.encoded()
	size := len(around)
	for _, at := range shown {
		e := &encoded[at]
		size += len(e.head) + len(states[at].json) + len(e.tail) + 1
	}
	dst = append(slices.Grow(dst, size), around[:split]...)
	for i, at := range shown {
		if i > 0 {
			dst = append(dst, ',')
		}
		e := &encoded[at]
		dst = append(append(append(dst, e.head...), states[at].json...), e.tail...)
	}
	return append(dst, around[split:]...), nil
}

// AppendStates appends the part of a manifest that changes, as JSON:
// {"capabilities":[{"name","available","unavailable_reason"?,"current"?},…]}, one for each entry of
// [Bus.AppendManifest] with the same view, in the same order. With that manifest, if the names are the same, it gives
// the present one; it is about a fiftieth of it.
func (b *Bus) AppendStates(ctx context.Context, dst []byte, v View) ([]byte, error) {
	l := b.listed.Load()
	states, err := b.present(ctx, l, v.Principal, b.o.Clock())
	if err != nil {
		return dst, err
	}
	encoded := l.encoded()
	dst = append(dst, `{"capabilities":[`...)
	for i, at := range l.visible(v) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, encoded[at].named...), states[at].json...), '}')
	}
	return append(dst, "]}"...), nil
}
