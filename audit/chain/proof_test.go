package chain_test

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/deskhand/deskhand/audit/chain"
	"github.com/deskhand/deskhand/audit/internal/heads"
)

// known is a proof with a payload, and testKey the key of its log: that of the seed of 32 bytes 1. They never change.
//
//go:embed testdata/proof.txt
var known []byte

const testKey = "audit.record.v1/34750f98bd59fcfc+826b22d4+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c"

// made is a log in memory: its records, and the key that signs it.
type made struct {
	records []chain.Proof
	hashes  []tlog.Hash
	after   int64
	seed    []byte
}

// logOf has n records behind another, in a tree that begins there.
func logOf(t testing.TB, n int, after int64) *made {
	t.Helper()
	m := &made{after: after, seed: bytes.Repeat([]byte{1}, 32)}
	prev := make([]byte, chain.Size)
	for i := range n {
		salt := binary.BigEndian.AppendUint64(make([]byte, 8), uint64(i))
		payload := fmt.Appendf(nil, `{"arguments":{"text":"Grüße %d"}}`, i)
		digest := chain.PayloadDigest(salt, payload)
		p := chain.Proof{Header: chain.Header{Seq: after + int64(i) + 1, Time: 1_772_000_000_000 + int64(i),
			Kind: "invocation", RequestID: fmt.Sprint("req_", i), CallerType: "ui", Person: "u1", Capability: "note.add",
			SideEffect: "destructive", Status: "success", Detail: `{"version":"1.0.0","duration_ms":3}`,
			PayloadDigest: digest[:]}, Prev: prev, Salt: salt, Payload: payload, Index: int64(i)}
		hash := p.Hash("main", prev)
		prev = hash[:]
		more, err := tlog.StoredHashes(int64(i), hash[:], tlog.HashReaderFunc(m.read))
		if err != nil {
			t.Fatal(err)
		}
		m.records, m.hashes = append(m.records, p), append(m.hashes, more...)
	}
	return m
}

func (m *made) read(indexes []int64) (out []tlog.Hash, _ error) {
	for _, i := range indexes {
		out = append(out, m.hashes[i])
	}
	return out, nil
}

func (m *made) key(t testing.TB) string {
	t.Helper()
	key, err := heads.Key(m.seed)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// proof proves record i by the head of the first size records.
func (m *made) proof(t testing.TB, size int64, i int, disclose bool) chain.Proof {
	t.Helper()
	root, err := tlog.TreeHash(size, tlog.HashReaderFunc(m.read))
	if err != nil {
		t.Fatal(err)
	}
	p := m.records[i]
	if p.Checkpoint, err = (heads.Head{Size: size, Root: root, After: m.after}).Sign(m.seed); err != nil {
		t.Fatal(err)
	}
	path, err := tlog.ProveRecord(size, int64(i), tlog.HashReaderFunc(m.read))
	if err != nil {
		t.Fatal(err)
	}
	for _, hash := range path {
		p.Path = append(p.Path, hash)
	}
	if !disclose {
		p.Salt, p.Payload = nil, nil
	}
	return p
}

// TestAKnownProofHoldsByOtherSoftware: golang.org/x/mod alone finds the record in the tree that the key has signed.
//
// holds: U13
func TestAKnownProofHoldsByOtherSoftware(t *testing.T) {
	m := logOf(t, 11, 0)
	if p := m.proof(t, 11, 6, true); m.key(t) != testKey || !bytes.Equal(p.Text(), known) {
		t.Errorf("the form of a proof has changed: %s\n%s", m.key(t), p.Text())
	}
	_, standard, _ := strings.Cut(string(known), "c2sp.org/tlog-proof@v1\n")
	lines, checkpoint, _ := strings.Cut(standard, "\n\n")
	v, err := note.NewVerifier(testKey)
	if err != nil {
		t.Fatal(err)
	}
	n, err := note.Open([]byte(checkpoint), note.VerifierList(v))
	if err != nil {
		t.Fatal(err)
	}
	head, path := strings.Split(n.Text, "\n"), strings.Split(lines, "\n")
	size, err1 := strconv.ParseInt(head[1], 10, 64)
	root, err2 := tlog.ParseHash(head[2])
	index, err3 := strconv.ParseInt(strings.TrimPrefix(path[1], "index "), 10, 64)
	record, err4 := base64.StdEncoding.DecodeString(strings.TrimPrefix(path[0], "extra "))
	var proof tlog.RecordProof
	for _, line := range path[2:] {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			t.Fatal(err)
		}
		proof = append(proof, hash)
	}
	entry := sha256.Sum256(record)
	if err := tlog.CheckRecord(proof, size, root, index, tlog.RecordHash(entry[:])); err != nil || head[0] != v.Name() {
		t.Error(err, err1, err2, err3, err4)
	}
	p, err := chain.CheckProof(testKey, known)
	if err != nil || p.RequestID != "req_6" || p.Last() != 11 || p.Log() != v.Name() ||
		string(p.Payload) != `{"arguments":{"text":"Grüße 6"}}` {
		t.Errorf("%v %+v", err, p)
	}
}

// TestAProofHoldsForEachRecordAndHead, in trees that begin with the first record or later, with the payload or without.
//
// holds: U13
func TestAProofHoldsForEachRecordAndHead(t *testing.T) {
	for _, after := range []int64{0, 1, 500} {
		m := logOf(t, 40, after)
		for size := int64(1); size <= 40; size++ {
			for i := range int(size) {
				p := m.proof(t, size, i, i%2 == 0)
				got, err := chain.CheckProof(m.key(t), p.Text())
				if err != nil || got.Seq != after+int64(i)+1 || got.Last() != after+size {
					t.Fatal(after, size, i, err)
				}
			}
		}
	}
}

// variants are the ways in which a proof may be damaged at each of its bytes.
func variants(text []byte, at int) [][]byte {
	with := func(b ...byte) []byte { return slices.Concat(text[:at], b, text[at+1:]) }
	b := text[at]
	return [][]byte{with(b ^ 1), with(b ^ 0x20), with(b ^ 0x80), with(), with(b, b), with(0), with('\r', '\n'), with('\n'),
		with(b + 1), with(b - 1), with(b, ' '), text[:at]}
}

// TestEachChangedByteIsRefused, wherever it is: in the words, the record, the payload, the path, the head or the
// signature.
//
// holds: U13
func TestEachChangedByteIsRefused(t *testing.T) {
	late := logOf(t, 11, 500)
	hidden := late.proof(t, 10, 3, false)
	for _, text := range [][]byte{known, hidden.Text()} {
		for at := range text {
			for i, bad := range variants(text, at) {
				if bytes.Equal(bad, text) {
					continue
				}
				if _, err := chain.CheckProof(testKey, bad); err == nil {
					t.Fatalf("byte %d (%q), variant %d: it holds", at, text[at], i)
				}
			}
		}
		lines := bytes.SplitAfter(text, []byte("\n"))
		for i := range lines {
			twice := bytes.Join(slices.Insert(slices.Clone(lines), i, lines[i]), nil)
			without := bytes.Join(slices.Delete(slices.Clone(lines), i, i+1), nil)
			for _, bad := range [][]byte{twice, without} {
				if _, err := chain.CheckProof(testKey, bad); err == nil && !bytes.Equal(bad, text) {
					t.Fatalf("line %d (%q) twice or not: it holds", i, lines[i])
				}
			}
		}
	}
}

// TestARefusalSaysWhatDoesNotFit: each is true of the log of the key, but for one thing.
//
// holds: U13
func TestARefusalSaysWhatDoesNotFit(t *testing.T) {
	m, other, late := logOf(t, 11, 0), logOf(t, 11, 0), logOf(t, 11, 7)
	other.seed = bytes.Repeat([]byte{2}, 32)
	change := func(f func(p *chain.Proof)) string {
		p := m.proof(t, 11, 6, true)
		f(&p)
		return string(p.Text())
	}
	tail := func(text string) string { return text[strings.Index(text, "\nc2sp.org/"):] }
	whole := string(known)
	elsewhere := m.proof(t, 11, 5, true)
	cosigned := other.proof(t, 11, 6, true)
	_, signature, _ := strings.Cut(cosigned.Checkpoint, "\n\n")
	for name, c := range map[string]struct{ text, want string }{
		"nothing":          {"", "it is cut off, or no proof"},
		"another file":     {strings.Repeat("abc\n", 1000), "it is cut off, or no proof"},
		"cut":              {whole[:strings.Index(whole, "\n\naudit.record")], "it is cut off: its head is missing"},
		"without a head":   {whole[:strings.LastIndex(whole, "\n— ")], "its head is cut off"},
		"lines of Windows": {strings.ReplaceAll(whole, "\n", "\r\n"), "it is cut off, or no proof"},
		"another key": {change(func(p *chain.Proof) { p.Checkpoint = cosigned.Checkpoint }),
			"signed with another key"},
		"a second signature": {whole + signature, "its head is damaged"},
		"another head":       {strings.Replace(whole, "\n11\n", "\n12\n", 1), "its head is not the one that was signed"},
		"another record": {change(func(p *chain.Proof) { p.Header = elsewhere.Header }),
			"record 6 is not at place 6 of the tree"},
		"another record at its place": {change(func(p *chain.Proof) { p.Person = "u2" }),
			"the record is not in the log"},
		"another place": {change(func(p *chain.Proof) { p.Index = 5 }), "record 7 is not at place 5"},
		"a record before the tree": {change(func(p *chain.Proof) { p.Checkpoint = late.proof(t, 11, 6, true).Checkpoint }),
			"record 7 is not at place 6"},
		"another payload": {change(func(p *chain.Proof) { p.Payload = []byte(`{}`) }), "the payload is not that of the record"},
		"other words":     {strings.Replace(whole, "success", "failure", 1), "its text is not the one"},
		"the words of another": {string(elsewhere.Text()[:bytes.Index(elsewhere.Text(), []byte("\npayload-salt"))]) +
			whole[strings.Index(whole, "\npayload-salt"):], "its text is not the one"},
		"no words":         {tail(whole), "its text is not the one"},
		"a look-up":        {strings.Replace(whole, "extra ", "extra AAAA", 1), "the line extra has no record"},
		"a long path":      {strings.Replace(whole, "\nindex 6\n", "\nindex 6\n"+strings.Repeat("AA==\n", 64), 1), "its path"},
		"a short path":     {change(func(p *chain.Proof) { p.Path = p.Path[1:] }), "the record is not in the log"},
		"a huge place":     {strings.Replace(whole, "index 6", "index 99999999999999999999", 1), "no place in the tree"},
		"the highest":      {strings.Replace(whole, "index 6", "index 9223372036854775807", 1), "is not at place"},
		"a negative place": {strings.Replace(whole, "index 6", "index -6", 1), "no place in the tree"},
		"NUL":              {strings.Repeat("\x00", 5000), "it is cut off, or no proof"},
		"no UTF-8":         {strings.Replace(whole, "\n11\n", "\n\xff\n", 1), "its head is damaged"},
		"huge":             {strings.Repeat("x", 32<<20+1), "it has more than 32 MB"},
	} {
		p, err := chain.CheckProof(testKey, []byte(c.text))
		if err == nil || p != nil || !strings.HasPrefix(err.Error(), "the proof is refused: ") ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	for _, key := range []string{"", "x", other.key(t), testKey[:len(testKey)-1], strings.ToUpper(testKey)} {
		if _, err := chain.CheckProof(key, known); err == nil || !strings.Contains(err.Error(), "key") {
			t.Errorf("key %q: %v", key, err)
		}
	}
}

// TestWhatAScreenWouldObeyIsQuoted: a record may have any bytes, and its proof is a text that holds all the same.
//
// holds: U13
func TestWhatAScreenWouldObeyIsQuoted(t *testing.T) {
	for _, text := range []string{"a\nc2sp.org/tlog-proof@v1\n", "\x1b[2J", "\u009b2J", "\xff\xfe", "a\x00b", "\u202eabc",
		"payload-salt 00", "\npayload-salt 00\npayload x\n", " ", "\"", "x\r\n"} {
		m := logOf(t, 1, 0)
		p := &m.records[0]
		p.RequestID, p.Person, p.Detail, p.Payload = text, text, text, []byte(text)
		digest := chain.PayloadDigest(p.Salt, p.Payload)
		p.PayloadDigest = digest[:]
		hash := p.Hash("main", p.Prev)
		m.hashes[0] = tlog.RecordHash(hash[:])
		proof := m.proof(t, 1, 0, true)
		written := proof.Text()
		for _, r := range string(written) {
			if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == '\u202e' {
				t.Errorf("%q: the proof has %q", text, r)
			}
		}
		got, err := chain.CheckProof(testKey, written)
		if err != nil || got.RequestID != text || string(got.Payload) != text {
			t.Errorf("%q: %v\n%s", text, err, written)
		}
	}
}

// FuzzCheckProof: no input makes the check fail in another way than by an error, and what holds is what Text writes.
func FuzzCheckProof(f *testing.F) {
	f.Add(known)
	late := logOf(f, 3, 500)
	hidden := late.proof(f, 3, 1, false)
	f.Add(hidden.Text())
	f.Add([]byte("\nc2sp.org/tlog-proof@v1\nextra \nindex 0\n\n"))
	f.Add([]byte("\npayload-salt 00\npayload-base64 \n\nc2sp.org/tlog-proof@v1\nextra AA==\nindex 0\n\nx\n1\n"))
	f.Add(bytes.Repeat([]byte("\n"), 300))
	f.Fuzz(func(t *testing.T, text []byte) {
		if p, err := chain.CheckProof(testKey, text); err == nil && !bytes.Equal(p.Text(), text) {
			t.Errorf("it holds and is not what is written:\n%q", text)
		}
	})
}
