package chain_test

import (
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit/chain"
	"github.com/deskhand/deskhand/bus/bustest/transcript"
)

// TestHashesAreAsInTheTranscripts plays the transcripts of hashes, whose answers were not made by this package.
//
// holds: U4
func TestHashesAreAsInTheTranscripts(t *testing.T) {
	cases, err := transcript.Read(os.DirFS("../../bus/bustest/transcripts/testdata"))
	if err != nil {
		t.Fatal(err)
	}
	in, toProgram := io.Pipe()
	fromProgram, out := io.Pipe()
	go func() { _ = out.CloseWithError(transcript.Serve(in, out, hash)) }()
	defer func() { _ = toProgram.Close() }()
	p, played := transcript.NewPlayer(toProgram, fromProgram), 0
	for i := range cases {
		if !strings.Contains(cases[i].File, "hash") {
			continue
		}
		played++
		if differs, err := p.Play(&cases[i]); err != nil || differs != "" {
			t.Errorf("%s: %s %v", cases[i].Name, differs, err)
		}
	}
	if played == 0 {
		t.Error("there is none")
	}
}

// hash answers a line of a transcript.
func hash(line []byte) (string, error) {
	var c struct {
		Stream     string
		Prev, Salt digest
		Header     *row
		Body       string
	}
	if err := json.Unmarshal(line, &c); err != nil {
		return "", err
	}
	if c.Header == nil {
		sum := chain.PayloadDigest(c.Salt, []byte(c.Body))
		return hex.EncodeToString(sum[:]), nil
	}
	h := c.Header.header()
	sum := h.Hash(c.Stream, c.Prev)
	return hex.EncodeToString(sum[:]), nil
}
