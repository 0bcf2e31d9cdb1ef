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

// encodedEntry is a manifest entry in two parts, with the current state between them. named is its beginning with only
// the name.
type encodedEntry struct {
	named, head, tail []byte
	tokens            int // approximate size of its tool definition for a model
}

// knownEntry is an entry with its encoded form.
type knownEntry struct {
	of ManifestEntry
	encodedEntry
}

// stateMark marks the position of the current state in an entry. No text contains it, because quotation marks are
// escaped in texts. A schema before it could contain it, but nothing after it does, so the last occurrence counts.
const stateMark = `,"available":true`

// knownEntries holds the last encoded entry of each name, because every desk of a program has the same entries.
var knownEntries sync.Map // of *knownEntry, by name

// describeLate makes and encodes the entry at its first use, because that requires reading the schemas.
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
		name := bytes.Index(whole, []byte(`,"title":`)) // no name contains a quotation mark
		made := &knownEntry{e, encodedEntry{named: whole[:name:name], head: whole[:i:i], tail: whole[i+len(stateMark):],
			tokens: t.tokens()}}
		knownEntries.Store(e.Name, made)
		return &made.encodedEntry
	})
}

// AppendManifest appends [Bus.Manifest] as JSON to dst. The bytes are the same as from json.Marshal, joined from parts
// that were encoded before. If dst has capacity, it costs about as much as copying them.
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

// AppendStates appends the variable part of a manifest as JSON:
// {"capabilities":[{"name","available","unavailable_reason"?,"current"?},…]}, one element for each entry of
// [Bus.AppendManifest] with the same view, in the same order. Combined with that manifest, if the names are equal, it
// gives the current manifest. It has about a fiftieth of the size.
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
