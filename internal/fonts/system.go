// Package fonts finds fonts of this computer for characters that the program's own fonts lack.
package fonts

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/adrg/xdg"
	"golang.org/x/image/font/sfnt"
)

// System holds the fonts of this computer. It reads their folders once, at the first missing character.
type System struct {
	folders []string

	mu     sync.Mutex // guards the rest
	read   bool
	known  []file
	buffer sfnt.Buffer
}

// file is a font file and its table of characters.
type file struct {
	path string
	font *sfnt.Font
}

// NewSystem returns the fonts in the folders of the platform.
func NewSystem() *System { return &System{folders: xdg.FontDirs} }

// Find is [shop.Ports].Font. It returns the TrueType file of a font with the character, or nil if there is none.
func (s *System) Find(r rune) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.read {
		s.read, s.known = true, readFolders(s.folders)
	}
	for _, f := range s.known {
		if i, err := f.font.GlyphIndex(&s.buffer, r); err == nil && i != 0 {
			if ttf, err := os.ReadFile(f.path); err == nil {
				return ttf
			}
		}
	}
	return nil
}

// preferred lists the fonts to try first: plain ones with many scripts, as systems include them.
var preferred = []string{
	"dejavusans", "notosans-regular", "arial", "segoeui", "notonaskharabic-regular", "notosansarabic-regular",
	"notosanshebrew-regular", "arial unicode", "arialuni", "droidsansfallbackfull", "droidsansfallback", "wqy-zenhei",
	"simhei", "malgun", "notosanssc-regular", "notosansjp-regular", "notosanskr-regular",
}

// unsuited lists words in the names of fonts that do not suit a receipt.
var unsuited = []string{"bold", "italic", "oblique", "light", "thin", "black", "condensed", "mono"}

// rank orders fonts: preferred ones first, then the others by name. A font with a negative rank is unusable.
func rank(path string) int {
	name := strings.ToLower(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
	if i := slices.Index(preferred, name); i >= 0 {
		return i
	}
	for _, word := range unsuited {
		if strings.Contains(name, word) {
			return -1
		}
	}
	return len(preferred)
}

// readFolders reads the character tables of the fonts in folders. It skips files that are no TrueType font or must not
// be embedded.
func readFolders(folders []string) []file {
	var paths []string
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			ttf := strings.EqualFold(filepath.Ext(path), ".ttf")
			if err == nil && d.Type().IsRegular() && ttf && rank(path) >= 0 {
				paths = append(paths, path)
			}
			return nil // an unreadable folder has no fonts
		})
	}
	slices.SortFunc(paths, func(a, b string) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	var all []file
	for _, path := range slices.Compact(paths) {
		if font, err := readFont(path); err == nil {
			all = append(all, file{path, font})
		}
	}
	return all
}

var errNotEmbeddable = errors.New("no TrueType font that may be embedded")

// readFont reads the character table, the only part that is used after the file is closed.
func readFont(path string) (font *sfnt.Font, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if may, err := embeddable(f); err != nil || !may {
		return nil, errors.Join(err, errNotEmbeddable)
	}
	return sfnt.ParseReaderAt(f)
}

// embeddable reports whether a font has TrueType outlines and its licence allows embedding: bit 1 of fsType in the
// table OS/2 forbids it.
func embeddable(f io.ReaderAt) (bool, error) {
	const restricted = 0x0002
	head := make([]byte, 12)
	if _, err := f.ReadAt(head, 0); err != nil {
		return false, err
	}
	if kind := binary.BigEndian.Uint32(head); kind != 0x00010000 && kind != 0x74727565 { // "true"
		return false, nil
	}
	tables := make([]byte, 16*int(binary.BigEndian.Uint16(head[4:])))
	if _, err := f.ReadAt(tables, 12); err != nil {
		return false, err
	}
	outlines, may := false, true
	for t := range slices.Chunk(tables, 16) {
		switch string(t[:4]) {
		case "glyf":
			outlines = true
		case "OS/2":
			rights := make([]byte, 2)
			if _, err := f.ReadAt(rights, int64(binary.BigEndian.Uint32(t[8:]))+8); err != nil {
				return false, err
			}
			may = binary.BigEndian.Uint16(rights)&0x000F != restricted
		}
	}
	return outlines && may, nil
}
