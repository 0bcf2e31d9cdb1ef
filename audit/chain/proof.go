package chain

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/audit/internal/heads"
)

// Proof is a record of a log's main stream with all that proves it to others, who have nothing of the log but its
// public key. [Proof.Text] writes it for them, and [CheckProof] reads it.
type Proof struct {
	Header
	Prev          []byte // hash of the record before
	Salt, Payload []byte // nil: the payload is not disclosed
	Index         int64  // place of the record in the tree, from 0
	// Path has the hashes of RFC 6962 that lead from the record to the root of the tree.
	Path [][Size]byte
	// Checkpoint is a signed head of the log's tree (c2sp.org/tlog-checkpoint). Its origin names the log.
	Checkpoint string

	head heads.Head // of the checkpoint, after a check
}

// Log is the name of the log, which follows from its key. It is known after [CheckProof].
func (p *Proof) Log() string { return p.head.Log }

// Last is the number of the last record of the log when its head was signed. It is known after [CheckProof].
func (p *Proof) Last() int64 { return p.head.Last() }

// maxProof bounds a proof in bytes, maxPath the hashes in it: a tree has at most 2^63 leaves.
const (
	maxProof = 32 << 20
	maxPath  = 63
)

// CheckProof reads a proof and checks it with the public key of the log, a verifier key of
// golang.org/x/mod/sumdb/note. It needs nothing else. It takes exactly the bytes that [Proof.Text] returns: each
// changed, missing or added byte is an error, which names the part that does not fit.
func CheckProof(key string, text []byte) (*Proof, error) {
	p, err := checkProof(key, text)
	if err != nil {
		return nil, fmt.Errorf("the proof is refused: %w", err)
	}
	return p, nil
}

func checkProof(key string, text []byte) (*Proof, error) {
	if len(text) > maxProof {
		return nil, fmt.Errorf("it has more than %d MB", maxProof>>20)
	}
	p, err := parseProof(text)
	if err != nil {
		return nil, err
	}
	if p.head, err = heads.Open(key, p.Checkpoint); err != nil {
		return nil, err
	}
	if p.Seq != p.head.After+1+p.Index {
		return nil, fmt.Errorf("record %d is not at place %d of the tree", p.Seq, p.Index)
	}
	if p.Salt != nil {
		if digest := PayloadDigest(p.Salt, p.Payload); !bytes.Equal(digest[:], p.PayloadDigest) {
			return nil, errors.New("the payload is not that of the record")
		}
	}
	if root, ok := p.root(); !ok || root != p.head.Root {
		return nil, errors.New("the record is not in the log with this head")
	}
	if !bytes.Equal(p.Text(), text) {
		return nil, errors.New("its text is not the one that belongs to the record")
	}
	return p, nil
}

const mainStream = "main"

// root computes the root of the tree from the record and the path, as RFC 6962 (section 2.1.1) hashes. Where a subtree
// is at the right end, it has no sibling on some levels.
func (p *Proof) root() (hash [Size]byte, ok bool) {
	record := p.Hash(mainStream, p.Prev)
	hash = sha256.Sum256(append([]byte{0}, record[:]...))
	at, last, rest := p.Index, p.head.Size-1, p.Path
	for ; last > 0; at, last = at/2, last/2 {
		if at%2 == 0 && at == last {
			continue
		}
		if len(rest) == 0 {
			return hash, false
		}
		left, right := hash, rest[0]
		if at%2 == 1 {
			left, right = right, left
		}
		hash, rest = sha256.Sum256(slices.Concat([]byte{1}, left[:], right[:])), rest[1:]
	}
	return hash, len(rest) == 0 && at == 0
}

// parseProof reads all that cannot be computed: record, payload, place, path and checkpoint.
func parseProof(text []byte) (p *Proof, err error) {
	words, proof, found := strings.Cut(string(text), "\n"+proofTag+"\n")
	if !found {
		return nil, errors.New("it is cut off, or no proof of a record")
	}
	lines, checkpoint, found := strings.Cut(proof, "\n\n")
	if !found {
		return nil, errors.New("it is cut off: its head is missing")
	}
	path := strings.Split(lines, "\n")
	if len(path) < 2 || len(path) > 2+maxPath {
		return nil, errors.New("its path through the tree is none")
	}
	p = &Proof{Checkpoint: checkpoint}
	record, ok := decode64(path[0], "extra ")
	if ok {
		var stream string
		p.Header, stream, p.Prev, err = Parse(record)
		ok = err == nil && stream == mainStream
	}
	if !ok {
		return nil, errors.New("the line extra has no record of the main stream")
	}
	place, ok := strings.CutPrefix(path[1], "index ")
	if p.Index, err = strconv.ParseInt(place, 10, 64); !ok || err != nil || p.Index < 0 {
		return nil, errors.New("the line index has no place in the tree")
	}
	for _, line := range path[2:] {
		hash, ok := decode64(line, "")
		if !ok || len(hash) != Size {
			return nil, errors.New("its path through the tree has a line that is no hash")
		}
		p.Path = append(p.Path, [Size]byte(hash))
	}
	return p, p.parsePayload(words)
}

// parsePayload reads the lines with the payload, if they are there.
func (p *Proof) parsePayload(words string) error {
	_, lines, disclosed := strings.Cut(words, "\n"+saltLine)
	if !disclosed {
		return nil
	}
	salt, line, _ := strings.Cut(lines, "\n")
	var err error
	if p.Salt, err = hex.DecodeString(salt); err != nil || len(p.Salt) == 0 {
		return errors.New("the payload has no salt")
	}
	payload, plain := strings.CutPrefix(strings.TrimSuffix(line, "\n"), payloadLine)
	p.Payload = []byte(payload)
	if !plain {
		if p.Payload, plain = decode64(strings.TrimSuffix(line, "\n"), payload64Line); !plain {
			return errors.New("the payload is not readable")
		}
	}
	return nil
}

func decode64(line, prefix string) ([]byte, bool) {
	text, ok := strings.CutPrefix(line, prefix)
	data, err := base64.StdEncoding.DecodeString(text)
	return data, ok && err == nil
}
