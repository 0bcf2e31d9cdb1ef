package main

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

// systemFonts finds fonts of this computer for what the program's own lack. They
// are looked through once, when the first such character is printed.
type systemFonts struct {
	folders []string

	mu     sync.Mutex // guards the rest
	looked bool
	known  []systemFont
	buffer sfnt.Buffer
}

// systemFont is a font file, and which characters are in it.
type systemFont struct {
	path string
	font *sfnt.Font
}

func newSystemFonts() *systemFonts { return &systemFonts{folders: xdg.FontDirs} }

// find is shop.Ports.Font.
func (s *systemFonts) find(r rune) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.looked {
		s.looked, s.known = true, lookThrough(s.folders)
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

// preferred are the fonts taken before others that have a character too: plain
// ones with many scripts, as systems come with them.
var preferred = []string{"dejavusans", "notosans-regular", "arial", "segoeui", "notonaskharabic-regular", "notosansarabic-regular", "notosanshebrew-regular",
	"arial unicode", "arialuni", "droidsansfallbackfull", "droidsansfallback", "wqy-zenhei", "simhei", "malgun", "notosanssc-regular", "notosansjp-regular", "notosanskr-regular"}

// unsuited are words in the names of fonts that nobody reads a receipt in.
var unsuited = []string{"bold", "italic", "oblique", "light", "thin", "black", "condensed", "mono"}

// rank orders fonts: preferred ones first, then the rest by name. A negative one
// is not taken.
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

// lookThrough reads which characters the fonts in some folders have. A file that
// is no TrueType font, or may not be embedded, is left out.
func lookThrough(folders []string) []systemFont {
	var paths []string
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && strings.EqualFold(filepath.Ext(path), ".ttf") && rank(path) >= 0 {
				paths = append(paths, path)
			}
			return nil // a folder that cannot be read has no fonts for us
		})
	}
	slices.SortFunc(paths, func(a, b string) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	var all []systemFont
	for _, path := range slices.Compact(paths) {
		if font, err := readFont(path); err == nil {
			all = append(all, systemFont{path, font})
		}
	}
	return all
}

var errNotEmbeddable = errors.New("no TrueType font that may be embedded")

// readFont reads the table of characters, which is all that is used of the font
// once the file is closed.
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

// embeddable reports whether a font has TrueType outlines and its maker lets it
// be part of a document: bit 1 of fsType in the table OS/2 says that nobody may.
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
