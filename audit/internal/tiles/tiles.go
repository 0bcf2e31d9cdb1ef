// Package tiles keeps the Merkle tree of RFC 6962 in tiles of 256 hashes: a tile of level 0 holds leaves, and one of a
// higher level the roots of full tiles of the level below.
package tiles

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

const (
	// Width is the number of hashes in a full tile.
	Width = 1 << height
	// Bytes is the length of a full tile.
	Bytes = Width * tlog.HashSize

	height = 8
)

// ErrMissing means that a tile lacks hashes that the tree has.
var ErrMissing = errors.New("tiles: hashes of the tree are missing")

// Leaf appends the hash of a record, as RFC 6962 hashes a leaf, to hashes.
func Leaf(hashes, record []byte) []byte {
	buf := make([]byte, 1, 1+sha256.Size) // 0 marks a leaf
	sum := sha256.Sum256(append(buf, record...))
	return append(hashes, sum[:]...)
}

// Root returns the root of a full tile.
func Root(tile []byte) (root tlog.Hash) {
	var level [Width]tlog.Hash
	for i := range level {
		level[i] = tlog.Hash(tile[i*tlog.HashSize:])
	}
	for n := Width; n > 1; n /= 2 {
		for i := range n / 2 {
			level[i] = tlog.NodeHash(level[2*i], level[2*i+1])
		}
	}
	return level[0]
}

// Level returns the numbers of hashes and of full tiles at a level of a tree with size leaves.
func Level(size int64, level int) (hashes, full int64) {
	hashes = size >> (height * level)
	return hashes, hashes / Width
}

// Store holds tiles. Read returns the stored hashes of a tile, none for a missing tile.
type Store interface {
	Read(level int, n int64) ([]byte, error)
	Write(level int, n int64, hashes []byte) error
}

// Fill stores tile n of the leaves, which must be full, and adds its root to the levels above. The tiles before it must
// be stored; otherwise it returns [ErrMissing].
func Fill(s Store, n int64, leaves []byte) error {
	if err := s.Write(0, n, leaves); err != nil {
		return err
	}
	for level, tile := 1, leaves; len(tile) == Bytes; level++ {
		root := Root(tile)
		before := int(n%Width) * tlog.HashSize
		n /= Width
		tile = nil
		if before > 0 {
			var err error
			if tile, err = s.Read(level, n); err != nil {
				return err
			}
			if len(tile) < before {
				return ErrMissing
			}
		}
		tile = append(tile[:before:before], root[:]...)
		if err := s.Write(level, n, tile); err != nil {
			return err
		}
	}
	return nil
}

// Read is the method Read of a [Store]: the tree for reading.
type Read func(level int, n int64) ([]byte, error)

// Root returns the root of the first size leaves.
func (r Read) Root(size int64) (tlog.Hash, error) { return tlog.TreeHash(size, r.hashes()) }

// Prove returns the hashes that prove that the tree of size leaves has the leaf index.
func (r Read) Prove(size, index int64) (tlog.RecordProof, error) {
	return tlog.ProveRecord(size, index, r.hashes())
}

// hashes reads each tile once.
func (r Read) hashes() tlog.HashReader {
	type name struct {
		level int
		n     int64
	}
	known := map[name][]byte{}
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			t := tlog.TileForIndex(height, index)
			at := name{t.L, t.N}
			data, ok := known[at]
			if !ok {
				var err error
				if data, err = r(t.L, t.N); err != nil {
					return nil, err
				}
				known[at] = data
			}
			if len(data) < t.W*tlog.HashSize {
				return nil, fmt.Errorf("%w: %d of tile %d, level %d", ErrMissing, t.W, t.N, t.L)
			}
			var err error
			if out[i], err = tlog.HashFromTile(t, data, index); err != nil {
				return nil, err
			}
		}
		return out, nil
	})
}
