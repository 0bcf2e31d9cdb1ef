package paper

import (
	"fmt"
	"slices"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// unknown replaces a character that no font has.
const unknown = '□'

// missing marks a character without a font in fonts.chosen.
const missing = -1

// fonts holds the fonts of a document: the built-in Go fonts for Latin, Greek and Cyrillic, and others loaded on
// demand.
type fonts struct {
	pdf    *fpdf.Fpdf
	find   func(r rune) []byte // returns a TrueType font with the character, or nil
	faces  []*face
	chosen map[rune]int // index in faces, or missing
	lost   []rune       // missing characters in order of appearance
	buffer sfnt.Buffer
}

// face is a font in one or two weights.
type face struct {
	family string
	plain  *sfnt.Font
	bold   *sfnt.Font // nil if there is only one weight
	widths [2]map[rune]fixed.Int26_6
}

// perMille is the font size for measuring widths.
const perMille = 1000

func newFonts(pdf *fpdf.Fpdf, find func(rune) []byte) (*fonts, error) {
	f := &fonts{pdf: pdf, find: find, chosen: map[rune]int{unknown: 0}}
	if err := f.add(goregular.TTF, gobold.TTF); err != nil {
		return nil, err
	}
	return f, nil
}

// add adds a font to the document.
func (f *fonts) add(plain, bold []byte) (err error) {
	n := &face{family: fmt.Sprintf("f%d", len(f.faces)), widths: [2]map[rune]fixed.Int26_6{{}, {}}}
	if n.plain, err = sfnt.Parse(plain); err != nil {
		return fmt.Errorf("paper: %w", err)
	}
	f.pdf.AddUTF8FontFromBytes(n.family, "", plain)
	if bold != nil {
		if n.bold, err = sfnt.Parse(bold); err != nil {
			return fmt.Errorf("paper: %w", err)
		}
		f.pdf.AddUTF8FontFromBytes(n.family, "B", bold)
	}
	f.faces = append(f.faces, n)
	return f.pdf.Error()
}

// has reports whether a font has a character.
func (f *fonts) has(n *face, r rune) bool {
	i, err := n.plain.GlyphIndex(&f.buffer, r)
	return err == nil && i != 0
}

// face returns the index of the font for a character, or missing.
func (f *fonts) face(r rune) int {
	if i, ok := f.chosen[r]; ok {
		return i
	}
	i := f.choose(r)
	f.chosen[r] = i
	if i == missing {
		f.lost = append(f.lost, r)
	}
	return i
}

func (f *fonts) choose(r rune) int {
	if r > 0xFFFF { // the embedded subset cannot contain it
		return missing
	}
	if i := slices.IndexFunc(f.faces, func(n *face) bool { return f.has(n, r) }); i >= 0 {
		return i
	}
	if f.find == nil {
		return missing
	}
	ttf := f.find(r)
	if ttf == nil || f.add(ttf, nil) != nil {
		return missing
	}
	last := len(f.faces) - 1
	if !f.has(f.faces[last], r) {
		return missing
	}
	return last
}

// piece is a part of a line in one font.
type piece struct {
	face int
	text []rune
}

// pieces splits a line at changes of the font, and replaces characters without a font.
func (f *fonts) pieces(line []rune) []piece {
	var all []piece
	for _, r := range line {
		i := f.face(r)
		if i == missing {
			r, i = unknown, 0
		}
		if n := len(all); n == 0 || all[n-1].face != i {
			all = append(all, piece{face: i})
		}
		last := &all[len(all)-1]
		last.text = append(last.text, r)
	}
	return all
}

// width returns the width of a text in mm.
func (f *fonts) width(line []rune, s style) float64 {
	var sum float64
	for _, r := range line {
		sum += f.runeWidth(r, s)
	}
	return sum
}

func (f *fonts) runeWidth(r rune, s style) float64 {
	i := f.face(r)
	if i == missing {
		r, i = unknown, 0
	}
	return float64(f.advance(f.faces[i], r, s.bold)) / 64 / perMille * s.size * mmPerPoint
}

func (f *fonts) advance(n *face, r rune, bold bool) fixed.Int26_6 {
	from := n.plain
	if bold && n.bold != nil {
		from = n.bold
	}
	known := n.widths[bit(bold)]
	if w, ok := known[r]; ok {
		return w
	}
	var w fixed.Int26_6
	if i, err := from.GlyphIndex(&f.buffer, r); err == nil {
		w, _ = from.GlyphAdvance(&f.buffer, i, fixed.I(perMille), font.HintingNone) // 0 for unknown glyphs
	}
	known[r] = w
	return w
}

// print prints a line. x is its left edge and y its baseline.
func (f *fonts) print(line []rune, x, y float64, s style) {
	for _, p := range f.pieces(line) {
		n := f.faces[p.face]
		weight := ""
		if s.bold && n.bold != nil {
			weight = "B"
		}
		f.pdf.SetFont(n.family, weight, s.size)
		f.pdf.Text(x, y, string(p.text))
		x += f.width(p.text, s)
	}
}
