package chain_test

import (
	"bytes"
	"crypto/sha256"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/deskhand/deskhand/audit/chain"
)

// TestParseReadsWhatAppendWrites: Parse returns every header that Append encoded. Bytes that are longer, shorter or
// different are refused or have another hash.
func TestParseReadsWhatAppendWrites(t *testing.T) {
	text := rapid.StringN(0, 6, -1)
	digest := rapid.SliceOfN(rapid.Byte(), chain.Size, chain.Size)
	rapid.Check(t, func(t *rapid.T) {
		want := chain.Header{Seq: rapid.Int64().Draw(t, "seq"), Time: rapid.Int64().Draw(t, "time"),
			Kind: text.Draw(t, "kind"), RequestID: text.Draw(t, "request"), TraceID: text.Draw(t, "trace"),
			ParentRequestID: text.Draw(t, "parent"), ConversationID: text.Draw(t, "conversation"),
			CallerType: text.Draw(t, "caller"), Person: text.Draw(t, "person"), Capability: text.Draw(t, "capability"),
			SideEffect: text.Draw(t, "effect"), Status: text.Draw(t, "status"), Code: text.Draw(t, "code"),
			Detail: text.Draw(t, "detail"), PayloadDigest: digest.Draw(t, "digest")}
		prev := digest.Draw(t, "prev")
		data := want.Append(nil, "main", prev)
		got, stream, before, err := chain.Parse(data)
		if err != nil || stream != "main" || !bytes.Equal(before, prev) {
			t.Fatalf("%q %x %v", stream, before, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		if hash := want.Hash("main", prev); hash != sha256.Sum256(data) {
			t.Fatal("the hash is not that of the bytes")
		}
		at := rapid.IntRange(0, len(data)-1).Draw(t, "at")
		for name, bad := range map[string][]byte{"cut": data[:at], "longer": append(bytes.Clone(data), 0)} {
			if _, _, _, err := chain.Parse(bad); err == nil {
				t.Fatalf("%s: it was read", name)
			}
		}
		bad := bytes.Clone(data)
		bad[at] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		if h, stream, prev, err := chain.Parse(bad); err == nil && !bytes.Equal(h.Append(nil, stream, prev), bad) {
			t.Fatal("bytes were read that no record has")
		}
	})
}

// TestParseRefusesAnEmptyTextInPlaceOfNone: both would give the same header with different hashes.
func TestParseRefusesAnEmptyTextInPlaceOfNone(t *testing.T) {
	h := chain.Header{Kind: "invocation", RequestID: "r", TraceID: "x", Status: "success",
		PayloadDigest: make([]byte, chain.Size)}
	data := h.Append(nil, "main", make([]byte, chain.Size))
	if _, _, _, err := chain.Parse(data); err != nil {
		t.Fatal(err)
	}
	empty := bytes.Replace(data, []byte("t\x00\x00\x00\x01x"), []byte("t\x00\x00\x00\x00"), 1)
	if _, _, _, err := chain.Parse(empty); err == nil || len(empty) == len(data) {
		t.Error("it was read")
	}
}
