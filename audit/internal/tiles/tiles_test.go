package tiles_test

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/deskhand/deskhand/audit/internal/tiles"
)

// kept is a store in memory.
type kept map[[2]int64][]byte

func (k kept) Read(level int, n int64) ([]byte, error) {
	return slices.Clone(k[[2]int64{int64(level), n}]), nil
}

func (k kept) Write(level int, n int64, hashes []byte) error {
	k[[2]int64{int64(level), n}] = slices.Clone(hashes)
	return nil
}

func record(i int64) []byte {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(i)))
	return sum[:]
}

// TestTheTreeIsThatOfRFC6962 compares the root at each size and each proof with package tlog, which stores single
// hashes.
func TestTheTreeIsThatOfRFC6962(t *testing.T) {
	const size = 3*tiles.Width*tiles.Width/2 + 77 // three levels
	k, single, leaves := kept{}, []tlog.Hash{}, []byte{}
	reader := tlog.HashReaderFunc(func(indexes []int64) (out []tlog.Hash, _ error) {
		for _, i := range indexes {
			out = append(out, single[i])
		}
		return out, nil
	})
	for i := range int64(size) {
		more, err := tlog.StoredHashes(i, record(i), reader)
		if err != nil {
			t.Fatal(err)
		}
		single = append(single, more...)
		if leaves = tiles.Leaf(leaves, record(i)); len(leaves) == tiles.Bytes {
			if err := tiles.Fill(k, i/tiles.Width, leaves); err != nil {
				t.Fatal(err)
			}
			leaves = leaves[:0]
		}
	}
	if err := k.Write(0, size/tiles.Width, leaves); err != nil { // those of the last tile, which is not full
		t.Fatal(err)
	}
	read := tiles.Read(k.Read)
	for _, n := range []int64{1, 2, 255, 256, 257, 1000, 65_535, 65_536, 65_537, 65_792, 98_000, size} {
		want, err := tlog.TreeHash(n, reader)
		if err != nil {
			t.Fatal(err)
		}
		root, err := read.Root(n)
		if err != nil || root != want {
			t.Errorf("of %d leaves: %v %v", n, root, err)
		}
		for _, index := range []int64{0, n / 2, n - 1} {
			proof, err := read.Prove(n, index)
			if err != nil {
				t.Fatal(n, index, err)
			}
			if err := tlog.CheckRecord(proof, n, want, index, tlog.RecordHash(record(index))); err != nil {
				t.Error(n, index, err)
			}
		}
	}
	for level := range 3 {
		hashes, full := tiles.Level(size, level)
		if have := len(k[[2]int64{int64(level), full}]) / tlog.HashSize; hashes%tiles.Width != int64(have) {
			t.Errorf("level %d: %d hashes in %d full tiles and %d more", level, hashes, full, have)
		}
	}
}

// TestAMissingTileIsReported: the tree and the next tile both report it.
func TestAMissingTileIsReported(t *testing.T) {
	k, leaves := kept{}, make([]byte, tiles.Bytes)
	for n := range int64(2) {
		if err := tiles.Fill(k, n, leaves); err != nil {
			t.Fatal(err)
		}
	}
	delete(k, [2]int64{0, 1})
	if _, err := tiles.Read(k.Read).Prove(2*tiles.Width, tiles.Width+3); !errors.Is(err, tiles.ErrMissing) {
		t.Error(err)
	}
	delete(k, [2]int64{1, 0})
	if err := tiles.Fill(k, 2, leaves); !errors.Is(err, tiles.ErrMissing) {
		t.Error(err)
	}
}
