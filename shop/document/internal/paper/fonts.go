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

// unknown is printed for a character that no font has.
const unknown = '□'

// missing marks such a character in fonts.chosen.
const missing = -1

// fonts are those a document is printed in: Go's own for Latin, Greek and
// Cyrillic, which are part of the program, and others as they are needed.
type fonts struct {
	pdf    *fpdf.Fpdf
	find   func(r rune) []byte // a TrueType font with that character; nil: there is none
	faces  []*face
	chosen map[rune]int // index in faces, or missing
	lost   []rune       // missing, in the order they were met
	buffer sfnt.Buffer
}

// face is one font, in one weight or in two.
type face struct {
	family string
	plain  *sfnt.Font
	bold   *sfnt.Font // nil: there is one weight
	widths [2]map[rune]fixed.Int26_6
}

// perMille is the size that widths are measured at.
const perMille = 1000

func newFonts(pdf *fpdf.Fpdf, find func(rune) []byte) (*fonts, error) {
	f := &fonts{pdf: pdf, find: find, chosen: map[rune]int{unknown: 0}}
	if err := f.add(goregular.TTF, gobold.TTF); err != nil {
		return nil, err
	}
	return f, nil
}

// add makes a font known to the document.
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

// face is the font that a character is printed in, or missing.
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
	if r > 0xFFFF { // the subset that is embedded has no place for it
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

// pieces cuts a line where the font changes, and puts a sign in the place of what no font has.
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

// width is how wide a text is, in mm.
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
		w, _ = from.GlyphAdvance(&f.buffer, i, fixed.I(perMille), font.HintingNone) // 0 for what it does not know
	}
	known[r] = w
	return w
}

// print puts a line at a place, x its left edge and y its foot.
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
