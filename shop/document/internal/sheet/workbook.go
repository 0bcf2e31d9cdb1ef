package sheet

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/deskhand/deskhand/shop/document/internal/locale"
)

// The limits of Excel: rows of a sheet below the titles, characters of a cell, and characters of a sheet's name.
const (
	MaxRows     = 1<<20 - 1
	longestCell = 32767
	longestName = 31
)

// The styles of cells, in the order of cellXfs below.
const (
	plain = iota
	bold
	amount
	isoDay
)

// The parts of a workbook other than its sheet, by ECMA-376. %s stands for the name of the sheet or the format of
// amounts.
const (
	head = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"

	ofMain          = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	ofPackage       = `xmlns="http://schemas.openxmlformats.org/package/2006/`
	ofRelationships = `http://schemas.openxmlformats.org/officeDocument/2006/relationships`
	ofWorkbook      = `application/vnd.openxmlformats-officedocument.spreadsheetml.`

	contentTypes = head + `<Types ` + ofPackage + `content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="` + ofWorkbook + `sheet.main+xml"/>` +
		`<Override PartName="/xl/styles.xml" ContentType="` + ofWorkbook + `styles+xml"/>` +
		`<Override PartName="/` + sheetPath + `" ContentType="` + ofWorkbook + `worksheet+xml"/></Types>`

	packageLinks = head + `<Relationships ` + ofPackage + `relationships"><Relationship Id="rId1" Type="` +
		ofRelationships + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`

	workbookLinks = head + `<Relationships ` + ofPackage + `relationships"><Relationship Id="rId1" Type="` +
		ofRelationships + `/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="` +
		ofRelationships + `/styles" Target="styles.xml"/></Relationships>`

	book = head + `<workbook ` + ofMain + ` xmlns:r="` + ofRelationships + `"><bookViews><workbookView/></bookViews>` +
		`<sheets><sheet name="%s" sheetId="1" r:id="rId1"/></sheets></workbook>`

	styles = head + `<styleSheet ` + ofMain + `><numFmts count="2"><numFmt numFmtId="164" formatCode="%s"/>` +
		`<numFmt numFmtId="165" formatCode="yyyy-mm-dd"/></numFmts>` +
		`<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
		`<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
		`<fills count="2"><fill><patternFill patternType="none"/></fill>` +
		`<fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
		`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
		`<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
		`<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>` +
		`<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
		`<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>` +
		`<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

	sheetPath = `xl/worksheets/sheet1.xml`
	sheetHead = head + `<worksheet ` + ofMain + `><sheetViews><sheetView workbookViewId="0">` +
		`<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>`
	sheetEnd = `</sheetData></worksheet>`
)

// workbook writes a file with one sheet.
type workbook struct {
	file    *zip.Writer
	out     io.Writer // the sheet, the last part of the file
	columns []Column
	names   []string // names of the columns: A, B, …
	digits  int
	row     int          // number of the last row
	line    bytes.Buffer // content of one row
}

// NewXLSX starts a workbook with one sheet and a frozen row of titles. Amounts and days are numbers, which can be added
// and sorted. A text is never a formula.
func NewXLSX(w io.Writer, name string, columns []Column, digits int) (Writer, error) {
	if name == "" || utf8.RuneCountInString(name) > longestName || strings.ContainsAny(name, `:\/?*[]`) ||
		strings.HasPrefix(name, "'") || strings.HasSuffix(name, "'") {
		return nil, fmt.Errorf("sheet: %q cannot be the name of a sheet", name)
	}
	b := &workbook{file: zip.NewWriter(w), columns: columns, digits: digits}
	format := "#,##0"
	if digits > 0 {
		format += "." + strings.Repeat("0", digits)
	}
	for _, part := range []struct{ path, text string }{
		{"[Content_Types].xml", contentTypes}, {"_rels/.rels", packageLinks}, {"xl/_rels/workbook.xml.rels", workbookLinks},
		{"xl/workbook.xml", fmt.Sprintf(book, escaped(name))}, {"xl/styles.xml", fmt.Sprintf(styles, format)},
	} {
		if err := b.add(part.path, part.text); err != nil {
			return nil, err
		}
	}
	for i, c := range columns {
		b.names = append(b.names, columnName(i))
		fmt.Fprintf(&b.line, `<col min="%d" max="%d" width="%d" customWidth="1"/>`, i+1, i+1, c.Width)
	}
	if err := b.add(sheetPath, sheetHead+b.line.String()+"</cols><sheetData>"); err != nil {
		return nil, err
	}
	b.begin()
	for i, c := range columns {
		b.text(i, bold, c.Title)
	}
	return b, b.end()
}

// add starts a part of the file.
func (b *workbook) add(path, text string) (err error) {
	if b.out, err = b.file.Create(path); err != nil {
		return err
	}
	_, err = io.WriteString(b.out, text)
	return err
}

// columnName returns A for 0, Z for 25 and AA for 26.
func columnName(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return columnName(i/26-1) + columnName(i%26)
}

func (b *workbook) Row(values ...any) error {
	b.begin()
	for i, v := range values {
		switch v := v.(type) {
		case string:
			b.text(i, plain, v)
		case int64:
			if b.columns[i].Kind == Amount {
				b.number(i, amount, locale.Plain(v, b.digits))
			} else {
				b.number(i, plain, strconv.FormatInt(v, 10))
			}
		case time.Time:
			if !v.IsZero() {
				b.day(i, v)
			}
		}
	}
	return b.end()
}

// begin starts a row.
func (b *workbook) begin() {
	b.row++
	b.line.Reset()
	fmt.Fprintf(&b.line, `<row r="%d">`, b.row)
}

// end writes the row.
func (b *workbook) end() error {
	b.line.WriteString("</row>")
	_, err := b.out.Write(b.line.Bytes())
	return err
}

// number adds a cell with a number.
func (b *workbook) number(column, style int, n string) {
	fmt.Fprintf(&b.line, `<c r="%s%d" s="%d"><v>%s</v></c>`, b.names[column], b.row, style, n)
}

// text adds a cell with a text.
func (b *workbook) text(column, style int, s string) {
	fmt.Fprintf(&b.line, `<c r="%s%d" s="%d" t="inlineStr"><is><t xml:space="preserve">%s</t></is></c>`,
		b.names[column], b.row, style, escaped(clip(s)))
}

// A workbook counts days from firstDay. The count includes 1900-02-29, which did not exist. Days up to it are texts.
var (
	firstDay = time.Date(1899, time.December, 30, 0, 0, 0, 0, time.UTC)
	leapDay  = time.Date(1900, time.March, 1, 0, 0, 0, 0, time.UTC)
)

// day adds a cell with the day of a time.
func (b *workbook) day(column int, t time.Time) {
	day := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	if day.Before(leapDay) {
		b.text(column, plain, day.Format(time.DateOnly))
		return
	}
	b.number(column, isoDay, strconv.FormatInt((day.Unix()-firstDay.Unix())/(24*60*60), 10))
}

// escaped escapes a text for the XML of a workbook. A workbook interprets _x0041_ as the code of a character, so the
// first character of such a text is replaced by its code.
func escaped(s string) string {
	var b strings.Builder
	for {
		i := strings.Index(s, "_x")
		if i < 0 {
			break
		}
		_ = xml.EscapeText(&b, []byte(s[:i])) // a builder takes everything
		if b.WriteByte('_'); len(s) > i+6 && s[i+6] == '_' {
			if _, err := strconv.ParseUint(s[i+2:i+6], 16, 16); err == nil {
				b.WriteString("x005F_")
			}
		}
		s = s[i+1:]
	}
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}

// clip shortens a text to the length limit of a cell.
func clip(s string) string {
	n := 0
	for i := range s {
		if n == longestCell {
			return s[:i]
		}
		n++
	}
	return s
}

func (b *workbook) Close() error {
	_, err := io.WriteString(b.out, sheetEnd)
	return cmp.Or(err, b.file.Close())
}
