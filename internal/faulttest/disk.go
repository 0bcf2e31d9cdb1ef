//go:build linux

package faulttest

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Mode says what a power cut leaves of the writes that were not synced.
type Mode string

// The modes. All but the first three keep a random part of the pending names of files, from the oldest.
const (
	Nothing Mode = "none"    // nothing of them, and no name that was not synced
	Names   Mode = "names"   // nothing of them, but all names, as a journal of the file system may have it
	All     Mode = "all"     // all of them, as after a kill
	Prefix  Mode = "prefix"  // the first ones of each file, the last of them torn at 512 bytes
	Pages   Mode = "pages"   // any of them, by pages of 4096 bytes
	Sectors Mode = "sectors" // any of them, by 512 bytes
	Holes   Mode = "holes"   // the sizes of files, with zeros in place of their new ends
	Junk    Mode = "junk"    // the sizes of files, with random bytes in place of their new ends
)

// Modes are all of them.
var Modes = []Mode{Nothing, Names, All, Prefix, Pages, Sectors, Holes, Junk}

// index is the end of the names of files that programs share as memory. A trace does not see what is written there; the
// first program that opens the database after a power cut makes it again.
const index = "-shm"

// inode is a file or a folder, whatever its name.
type inode struct {
	folder  bool
	durable []byte
	pending []*Event
}

// Disk is a folder on a disk over time: what is durable, and what is only written.
type Disk struct {
	root          string
	live, durable map[string]*inode
	names         []*Event // not durable yet
	made          map[*Event]*inode
	seed          maphash.Seed
}

// NewDisk reads a folder, all of which is durable.
func NewDisk(root string) (*Disk, error) {
	d := &Disk{root: root, live: map[string]*inode{}, made: map[*Event]*inode{}, seed: maphash.MakeSeed()}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || strings.HasSuffix(path, index) {
			return err
		}
		node := &inode{folder: entry.IsDir()}
		if entry.Type().IsRegular() {
			node.durable, err = os.ReadFile(path)
		}
		d.live[path] = node
		return err
	})
	d.durable = maps.Clone(d.live)
	return d, err
}

// Copy returns a disk that goes its own way from here.
func (d *Disk) Copy() *Disk {
	c := &Disk{root: d.root, live: map[string]*inode{}, durable: map[string]*inode{}, names: slices.Clone(d.names),
		made: map[*Event]*inode{}, seed: d.seed}
	copies := map[*inode]*inode{}
	of := func(n *inode) *inode {
		if copies[n] == nil {
			copies[n] = &inode{n.folder, slices.Clone(n.durable), slices.Clone(n.pending)}
		}
		return copies[n]
	}
	for path, n := range d.live {
		c.live[path] = of(n)
	}
	for path, n := range d.durable {
		c.durable[path] = of(n)
	}
	for e, n := range d.made {
		c.made[e] = of(n)
	}
	return c
}

// Step takes the next event.
func (d *Disk) Step(e *Event) {
	switch e.do {
	case doWrite, doTruncate:
		if n := d.live[e.path]; n != nil {
			if e.from < 0 {
				at := *e
				at.from = int64(len(n.content(All, nil)))
				e = &at
			}
			n.pending = append(n.pending, e)
		}
	case doSync:
		d.sync(e)
	case doCreate, doMkdir:
		if d.live[e.path] == nil {
			d.made[e] = &inode{folder: e.do == doMkdir}
			d.pend(e)
		}
	case doUnlink, doRename, doLink:
		if n := d.live[e.path]; n != nil {
			d.made[e] = n
			d.pend(e)
		}
	}
}

func (d *Disk) pend(e *Event) {
	d.apply(d.live, e)
	d.names = append(d.names, e)
}

// sync makes durable what was written, or named, before the sync began.
func (d *Disk) sync(e *Event) {
	began := e.end
	n := d.live[e.path]
	if n == nil {
		return
	}
	n.pending = slices.DeleteFunc(n.pending, func(one *Event) bool {
		if one.end < began {
			n.durable = change(n.durable, one, one.data)
		}
		return one.end < began
	})
	if !n.folder {
		return
	}
	d.names = slices.DeleteFunc(d.names, func(one *Event) bool {
		done := filepath.Dir(one.named()) == e.path && one.end < began
		if done {
			d.apply(d.durable, one)
		}
		return done
	})
}

// named returns the name that the event gives or takes.
func (e *Event) named() string {
	if e.to != "" {
		return e.to
	}
	return e.path
}

// apply changes names in a table.
func (d *Disk) apply(table map[string]*inode, e *Event) {
	node := d.made[e]
	if e.do == doUnlink || e.do == doRename {
		if table[e.path] == node {
			delete(table, e.path)
		}
	}
	if e.do == doUnlink {
		return
	}
	table[e.named()] = node
	if e.do == doRename && node.folder {
		for path, n := range table {
			if below, is := strings.CutPrefix(path, e.path+"/"); is {
				delete(table, path)
				table[filepath.Join(e.to, below)] = n
			}
		}
	}
}

// change applies a write or a truncation to the bytes of a file.
func change(file []byte, e *Event, data []byte) []byte {
	grow := func(size int64) {
		if more := size - int64(len(file)); more > 0 {
			file = append(file, make([]byte, more)...)
		}
	}
	if e.do == doTruncate {
		grow(e.size)
		return file[:e.size]
	}
	grow(e.from + int64(len(data)))
	copy(file[e.from:], data)
	return file
}

// content returns the bytes of a file after a cut.
func (n *inode) content(mode Mode, random *rand.Rand) []byte {
	if len(n.pending) == 0 || mode == Nothing || mode == Names {
		return n.durable
	}
	file := slices.Clone(n.durable)
	switch mode {
	case All:
		for _, e := range n.pending {
			file = change(file, e, e.data)
		}
	case Prefix:
		kept := random.IntN(len(n.pending) + 1)
		for _, e := range n.pending[:kept] {
			file = change(file, e, e.data)
		}
		if kept < len(n.pending) {
			if e := n.pending[kept]; len(e.data) > 512 {
				file = change(file, e, e.data[:random.IntN(len(e.data)/512+1)*512])
			}
		}
	case Pages, Sectors:
		unit := map[Mode]int64{Pages: 4096, Sectors: 512}[mode]
		chance := []float64{.1, .5, .9}[random.IntN(3)]
		for _, e := range n.pending {
			file = scatter(file, e, unit, func() bool { return random.Float64() < chance })
		}
	case Holes, Junk:
		size, synced := len(n.content(All, nil)), len(n.durable)
		file = file[:min(size, synced)]
		for len(file) < size {
			b := byte(0)
			if mode == Junk {
				b = byte(random.Uint32())
			}
			file = append(file, b)
		}
	default:
		panic("no such mode: " + mode)
	}
	return file
}

// scatter applies those units of a write that are kept.
func scatter(file []byte, e *Event, unit int64, kept func() bool) []byte {
	if e.do == doTruncate {
		if kept() {
			file = change(file, e, nil)
		}
		return file
	}
	for at := int64(0); at < int64(len(e.data)); {
		n := min(unit-(e.from+at)%unit, int64(len(e.data))-at)
		if kept() {
			part := *e
			part.from += at
			file = change(file, &part, e.data[at:at+n])
		}
		at += n
	}
	return file
}

// State is a folder as a power cut leaves it.
type State map[string][]byte // nil is a folder

// Cut returns the folder after a power cut at this moment, by its paths below the root.
func (d *Disk) Cut(mode Mode, random *rand.Rand) State {
	table, kept := maps.Clone(d.durable), 0
	switch mode {
	case Nothing:
	case Names, All:
		kept = len(d.names)
	default:
		kept = random.IntN(len(d.names) + 1)
	}
	for _, e := range d.names[:kept] {
		d.apply(table, e)
	}
	state, contents := State{}, map[*inode][]byte{}
	for _, path := range slices.Sorted(maps.Keys(table)) {
		n := table[path]
		if path != d.root {
			if above := table[filepath.Dir(path)]; above == nil || !above.folder {
				continue // the folder's own name was lost
			}
		}
		below, _ := filepath.Rel(d.root, path)
		if n.folder {
			state[below] = nil
			continue
		}
		if _, is := contents[n]; !is { // two names of one file
			contents[n] = append([]byte{}, n.content(mode, random)...)
		}
		state[below] = contents[n]
	}
	return state
}

// Hash returns equal numbers for equal states of one disk.
func (d *Disk) Hash(s State) uint64 {
	var h maphash.Hash
	h.SetSeed(d.seed)
	for _, path := range slices.Sorted(maps.Keys(s)) {
		fmt.Fprintf(&h, "%q %d %v ", path, len(s[path]), s[path] == nil)
		_, _ = h.Write(s[path]) // a hash takes all
	}
	return h.Sum64()
}

// Differences compares a disk, with all that was written, to the folder: a disk that took all events of a trace has
// none.
func (d *Disk) Differences() (all []string) {
	state := d.Cut(All, nil)
	err := filepath.WalkDir(d.root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || strings.HasSuffix(path, index) || !entry.IsDir() && !entry.Type().IsRegular() {
			return err
		}
		below, _ := filepath.Rel(d.root, path)
		is, known := state[below]
		delete(state, below)
		if entry.IsDir() {
			if !known || is != nil {
				all = append(all, path+" is not known to be a folder")
			}
			return nil
		}
		was, err := os.ReadFile(path)
		if !known || !bytes.Equal(was, is) {
			all = append(all, fmt.Sprintf("%s has %d bytes, and %d were traced", path, len(was), len(is)))
		}
		return err
	})
	if err != nil {
		all = append(all, err.Error())
	}
	for path := range state {
		if !strings.HasSuffix(path, index) {
			all = append(all, path+" is not there")
		}
	}
	return all
}
