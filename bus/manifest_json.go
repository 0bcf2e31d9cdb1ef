package bus

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// entryJSON is an encoded manifest entry in two parts: the present state goes
// between them. named is how it begins: the name alone.
type entryJSON struct{ named, head, tail []byte }

// stateMark is where the present state stands in an entry. No text contains it, since quotation marks are escaped
// there; a schema before it could, and nothing behind it does.
const stateMark = `,"available":true`

func encodeEntry(e ManifestEntry) (entryJSON, error) {
	whole, err := json.Marshal(e)
	if err != nil {
		return entryJSON{}, fmt.Errorf("it cannot be written into a manifest: %w", err)
	}
	i := bytes.LastIndex(whole, []byte(stateMark))
	name := bytes.Index(whole, []byte(`,"title":`)) // no name holds a quotation mark
	return entryJSON{named: whole[:name:name], head: whole[:i:i], tail: whole[i+len(stateMark):]}, nil
}

// AppendManifest is [Bus.Manifest] as JSON, appended to dst: the same bytes as json.Marshal gives, joined from parts
// that were encoded at registration. With room in dst it costs about as much as copying them.
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
	shown := l.visible(v)
	size := len(around)
	for _, at := range shown {
		size += len(l.caps[at].json.head) + len(states[at].json) + len(l.caps[at].json.tail) + 1
	}
	dst = append(slices.Grow(dst, size), around[:split]...)
	for i, at := range shown {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, l.caps[at].json.head...)
		dst = append(dst, states[at].json...)
		dst = append(dst, l.caps[at].json.tail...)
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
	dst = append(dst, `{"capabilities":[`...)
	for i, at := range l.visible(v) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, l.caps[at].json.named...), states[at].json...), '}')
	}
	return append(dst, "]}"...), nil
}
