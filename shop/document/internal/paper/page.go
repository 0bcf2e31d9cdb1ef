// Package paper prints documents as PDF: text in any script, tables across pages, and a footer on every page. It wraps
// and orders text itself, also from right to left, and reports characters without a font.
package paper

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

// Sizes in mm unless marked as points.
const (
	mmPerPoint = 25.4 / 72
	foot       = 16.0 // from the lower edge to the footer
	longest    = 5000 // maximum length of a roll
	leading    = 1.35 // line height relative to the font size
	gutter     = 3.0  // between columns
)

// style is the size and weight of a text.
type style struct {
	size float64 // points
	bold bool
}

// height returns the height of a line in mm.
func (s style) height() float64 { return s.size * mmPerPoint * leading }

// The styles of a document.
var (
	title  = style{17, true}
	head   = style{9.5, true}
	body   = style{9.5, false}
	strong = style{11, true}
	small  = style{8, false}
)

// Options are the options of a document.
type Options struct {
	Title   string
	Foot    string              // printed at the foot of every page, next to the page number
	Letter  bool                // US Letter instead of A4
	Roll    bool                // 80 mm paper without pages, of length Height or the maximum
	Height  float64             // of a roll, mm
	Created time.Time           // recorded in the file, so that equal documents have equal bytes
	Font    func(r rune) []byte // returns a TrueType font with a character that the built-in fonts lack, or nil
}

// Doc is a document that is printed from top to bottom. It must not be used by several goroutines.
type Doc struct {
	pdf     *fpdf.Fpdf
	fonts   *fonts
	options Options
	margin  float64
	width   float64 // between the margins
	bottom  float64 // lower limit of the text
	y       float64
	columns []Column // of the current table
	edges   []float64
}

// New starts a document with its first page.
func New(o Options) (*Doc, error) {
	size := fpdf.PageSizeA4
	if o.Letter {
		size = fpdf.PageSizeLetter
	}
	own, margin, below := fpdf.SizeType{}, 18.0, foot+small.height()
	if o.Roll {
		own, margin, below = fpdf.SizeType{Wd: 80, Ht: cmp.Or(o.Height, longest)}, 4, 0
	}
	pdf := fpdf.NewCustom(&fpdf.InitType{OrientationStr: fpdf.OrientationPortrait, UnitStr: fpdf.UnitMillimeter,
		SizeStr: size, Size: own})
	pdf.SetAutoPageBreak(false, 0)
	pdf.SetCatalogSort(true)
	pdf.SetCreationDate(o.Created.UTC())
	pdf.SetModificationDate(o.Created.UTC())
	pdf.SetTitle(o.Title, true)
	fonts, err := newFonts(pdf, o.Font)
	if err != nil {
		return nil, err
	}
	d := &Doc{pdf: pdf, fonts: fonts, options: o, margin: margin}
	w, h := pdf.GetPageSize()
	d.width, d.bottom = w-2*margin, h-below
	d.NewPage()
	return d, nil
}

// Height returns the length of a roll that fits the text of this page.
func (d *Doc) Height() float64 { return d.y + d.margin }

// NewPage starts the next page.
func (d *Doc) NewPage() {
	d.pdf.AddPage()
	d.y = d.margin
}

// room starts a new page if less than height is left. A table repeats its titles there.
func (d *Doc) room(height float64) {
	if d.y+height <= d.bottom {
		return
	}
	d.NewPage()
	if d.columns != nil {
		d.titles()
	}
}

// print prints lines one below the other from y, aligned to their starting side.
func (d *Doc) print(lines []line, x, width float64, s style, right bool) {
	y := d.y
	for _, l := range lines {
		at := x
		if right || l.rtl {
			at = x + width - d.fonts.width(l.text, s)
		}
		d.fonts.print(l.text, at, y+s.size*mmPerPoint, s)
		y += s.height()
	}
}

// Heading prints two texts in the largest font, next to each other or, on a roll, one below the other.
func (d *Doc) Heading(left, right string) {
	if d.options.Roll {
		for _, text := range []string{left, right} {
			lines := d.fonts.lines(text, d.width, strong)
			d.print(lines, d.margin, d.width, strong, false)
			d.y += float64(len(lines)) * strong.height()
		}
		return
	}
	half := (d.width - gutter) / 2
	a, b := d.fonts.lines(left, half, title), d.fonts.lines(right, half, title)
	d.print(a, d.margin, half, title, false)
	d.print(b, d.margin+half+gutter, half, title, true)
	d.y += float64(max(len(a), len(b))) * title.height()
}

// Picture prints a JPEG at the left, as large as width and height allow. The name identifies the bytes: the document
// stores a repeated picture only once.
func (d *Doc) Picture(name string, jpeg []byte, width, height float64) {
	options := fpdf.ImageOptions{ImageType: "JPG"}
	info := d.pdf.RegisterImageOptionsReader(name, options, bytes.NewReader(jpeg))
	if info == nil || info.Width() == 0 || info.Height() == 0 {
		return // Write returns the error
	}
	scale := min(width/info.Width(), height/info.Height())
	d.room(info.Height() * scale)
	d.pdf.ImageOptions(name, d.margin, d.y, info.Width()*scale, info.Height()*scale, false, options, 0, "")
	d.y += info.Height()*scale + gutter
}

// Blocks prints texts of several lines next to each other or, on a roll, one below the other. The first line of each is
// bold.
func (d *Doc) Blocks(texts ...string) {
	if d.options.Roll && len(texts) > 1 {
		for _, text := range texts {
			d.Blocks(text)
			d.Gap(2)
		}
		return
	}
	const apart = 3 * gutter // right-to-left text ends where the next block begins
	width := (d.width - apart*float64(len(texts)-1)) / float64(len(texts))
	top, lowest := d.y, d.y
	for i, text := range texts {
		first, rest, _ := strings.Cut(text, "\n")
		x := d.margin + float64(i)*(width+apart)
		d.y = top
		for _, part := range []struct {
			text string
			s    style
		}{{first, head}, {rest, body}} {
			if part.text == "" {
				continue
			}
			lines := d.fonts.lines(part.text, width, part.s)
			d.print(lines, x, width, part.s, false)
			d.y += float64(len(lines)) * part.s.height()
		}
		lowest = max(lowest, d.y)
	}
	d.y = lowest
}

// Paragraph prints a text over the whole width. It may continue on further pages.
func (d *Doc) Paragraph(text string) {
	for _, l := range d.fonts.lines(text, d.width, body) {
		d.room(body.height())
		d.print([]line{l}, d.margin, d.width, body, false)
		d.y += body.height()
	}
}

// Section prints a bold heading and keeps it on the page of the following line.
func (d *Doc) Section(text string) {
	d.room(head.height() + body.height())
	d.print(d.fonts.lines(text, d.width, head), d.margin, d.width, head, false)
	d.y += head.height()
}

// Gap adds vertical space in mm.
func (d *Doc) Gap(mm float64) { d.y += mm }

// Rule draws a thin line over the whole width.
func (d *Doc) Rule() { d.rule(d.margin) }

func (d *Doc) rule(from float64) {
	d.pdf.SetLineWidth(0.2)
	d.pdf.SetDrawColor(170, 170, 170)
	d.pdf.Line(from, d.y, d.margin+d.width, d.y)
	d.y += 1.5
}

// Sum prints a label and an amount at the right, in bold for the main sum.
func (d *Doc) Sum(label, amount string, bold bool) {
	s := body
	if bold {
		s = strong
	}
	amounts := 40.0
	if d.options.Roll {
		amounts = 24
	}
	left := d.width - amounts - gutter
	lines := d.fonts.lines(label, left, s)
	d.room(float64(len(lines)) * s.height())
	d.print(d.fonts.lines(amount, amounts, s), d.margin+left+gutter, amounts, s, true)
	d.print(lines, d.margin, left, s, true)
	d.y += float64(len(lines)) * s.height()
}

// Missing returns the characters without a font so far, in order of appearance.
func (d *Doc) Missing() []rune { return slices.Clone(d.fonts.lost) }

// Write finishes the document and writes it. It prints the page numbers, because the number of pages is now known.
func (d *Doc) Write(w io.Writer) error {
	d.columns = nil
	if len(d.fonts.lost) > 0 {
		d.Gap(3)
		d.Paragraph(fmt.Sprintf("Not everything could be printed: no font here has the characters that %c stands for (%s).",
			unknown, codes(d.fonts.lost)))
	}
	pages := d.pdf.PageCount()
	if d.options.Roll {
		return d.pdf.Output(w)
	}
	for page := 1; page <= pages; page++ {
		d.pdf.SetPage(page)
		d.pdf.SetFont(d.fonts.faces[0].family, "B", 1) // forces the library to set this page's font again
		d.y = d.bottom + 2
		d.print(d.fonts.lines(fmt.Sprintf("Page %d of %d", page, pages), d.width, small), d.margin, d.width, small, true)
		if left := d.fonts.lines(d.options.Foot, d.width-30, small); len(left) > 0 {
			d.print(left[:1], d.margin, d.width-30, small, false)
		}
	}
	d.pdf.SetPage(pages)
	return d.pdf.Output(w)
}

// codes returns the code points of the first characters, because the characters are not printable.
func codes(all []rune) string {
	const most = 12
	var parts []string
	for i, r := range all {
		if i == most {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, fmt.Sprintf("U+%04X", r))
	}
	return strings.Join(parts, ", ")
}
