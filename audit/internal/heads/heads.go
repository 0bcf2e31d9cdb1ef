// Package heads signs the head of a log's tree as a checkpoint of C2SP (c2sp.org/tlog-checkpoint): a signed note with
// the number of the tree's leaves and its root.
package heads

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Head is the content of a checkpoint.
type Head struct {
	Log   string // its name, which follows from its key
	Size  int64  // leaves of the tree
	Root  [sha256.Size]byte
	After int64 // the tree begins after this record of the log; 0: with the first
}

// Last is the number of the last record in the tree.
func (h *Head) Last() int64 { return h.After + h.Size }

// prefix begins the name of a log: the format of the records whose hashes are the leaves.
const prefix = "audit.record.v1/"

// algorithm marks an Ed25519 key in a verifier key.
const algorithm = 1

// Key returns the public key of a seed as a verifier key of a signed note (c2sp.org/signed-note). The name in it has a
// digest of the key, so that two logs have two names.
func Key(seed []byte) (string, error) {
	if len(seed) != ed25519.SeedSize {
		return "", fmt.Errorf("the key of the log has %d bytes, not %d", len(seed), ed25519.SeedSize)
	}
	public := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	sum := sha256.Sum256(public)
	v := verifier{prefix + hex.EncodeToString(sum[:8]), public}
	return v.name + "+" + hex.EncodeToString(v.id()) + "+" +
		base64.StdEncoding.EncodeToString(append([]byte{algorithm}, public...)), nil
}

// verifier is a public key with its name.
type verifier struct {
	name   string
	public ed25519.PublicKey
}

// id begins each signature of the key.
func (v *verifier) id() []byte {
	sum := sha256.Sum256(append([]byte(v.name+"\n"+string(rune(algorithm))), v.public...))
	return sum[:4]
}

// line is the line with a signature.
func (v *verifier) line(signature []byte) string {
	return mark + v.name + " " + base64.StdEncoding.EncodeToString(append(v.id(), signature...)) + "\n"
}

// mark begins the line with a signature.
const mark = "— "

// parseKey reads the result of Key.
func parseKey(key string) (v verifier, ok bool) {
	parts := strings.Split(key, "+")
	if len(parts) < 3 {
		return v, false
	}
	public, err := base64.StdEncoding.DecodeString(strings.Join(parts[2:], "+")) // which may have a plus
	if err != nil || len(public) != 1+ed25519.PublicKeySize || public[0] != algorithm {
		return v, false
	}
	v = verifier{parts[0], public[1:]}
	return v, parts[1] == hex.EncodeToString(v.id()) && strings.HasPrefix(v.name, prefix)
}

// Sign returns the checkpoint with the head, signed by the key of a seed, whose name it gets.
func (h Head) Sign(seed []byte) (string, error) {
	key, err := Key(seed)
	if err != nil {
		return "", err
	}
	v, _ := parseKey(key)
	h.Log = v.name
	text := h.text()
	return text + "\n" + v.line(ed25519.Sign(ed25519.NewKeyFromSeed(seed), []byte(text))), nil
}

// text is the signed text. Where a tree does not begin with the first record, an extension line has the number of the
// record with which it begins: the place in the tree would be that of another record without it.
func (h *Head) text() string {
	text := fmt.Sprintf("%s\n%d\n%s\n", h.Log, h.Size, base64.StdEncoding.EncodeToString(h.Root[:]))
	if h.After > 0 {
		text += fmt.Sprintf("%s%d\n", firstRecord, h.After+1)
	}
	return text
}

const firstRecord = "first-record "

// Open reads a checkpoint that was signed with a key. It takes exactly the bytes that [Head.Sign] writes, with one
// signature and no others, so that each changed byte is found.
func Open(key, checkpoint string) (h Head, err error) {
	v, ok := parseKey(key)
	if !ok {
		return h, errors.New("the key is not the public key of a log")
	}
	text, line, ok := strings.Cut(checkpoint, "\n\n")
	text += "\n"
	if !ok || !strings.HasPrefix(line, mark) || !strings.HasSuffix(line, "\n") {
		return h, errors.New("its head is cut off or is none")
	}
	name, encoded, _ := strings.Cut(line[len(mark):len(line)-1], " ")
	signature, err := base64.StdEncoding.DecodeString(encoded)
	switch h, ok = parse(text); {
	case !ok || err != nil || len(signature) != 4+ed25519.SignatureSize || h.Log != name || h.text() != text:
		return Head{}, errors.New("its head is damaged, or none of a log")
	case name != v.name || !bytes.Equal(signature[:4], v.id()):
		return Head{}, errors.New("its head was signed with another key")
	case !ed25519.Verify(v.public, []byte(text), signature[4:]):
		return Head{}, errors.New("its head is not the one that was signed")
	case line != v.line(signature[4:]):
		return Head{}, errors.New("its signature has other bytes")
	}
	return h, nil
}

// parse reads the result of text.
func parse(text string) (h Head, ok bool) {
	lines := strings.Split(text, "\n")
	if len(lines) < 4 || len(lines) > 5 {
		return h, false
	}
	size, err1 := strconv.ParseInt(lines[1], 10, 64)
	root, err2 := base64.StdEncoding.DecodeString(lines[2])
	if err1 != nil || err2 != nil || size < 1 || len(root) != len(h.Root) {
		return h, false
	}
	h = Head{Log: lines[0], Size: size, Root: [sha256.Size]byte(root)}
	if first, is := strings.CutPrefix(lines[3], firstRecord); is {
		n, err := strconv.ParseInt(first, 10, 64)
		if err != nil || n < 2 {
			return h, false
		}
		h.After = n - 1
	}
	return h, true
}
