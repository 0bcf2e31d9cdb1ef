package shopify

import (
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/deskhand/deskhand/internal/mailaddress"
	"github.com/deskhand/deskhand/internal/number"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// short returns a single-line cell and checks its length.
func (rs *rows) short(r *row, column string, limit int) string {
	s := text.Line(r.get(column), limit+1)
	if utf8.RuneCountInString(s) > limit {
		rs.problem(r, column, "The text is longer than %d characters.", limit)
	}
	return strings.Clone(s) // a substring would keep the whole row in memory
}

func (rs *rows) flag(r *row, column string, otherwise bool) bool {
	switch strings.ToLower(r.get(column)) {
	case "":
		return otherwise
	case "true", "yes", "1":
		return true
	case "false", "no", "0":
		return false
	}
	rs.problem(r, column, "%q is neither TRUE nor FALSE.", r.get(column))
	return otherwise
}

// amount returns a cell with money in minor units; an empty cell is 0.
func (rs *rows) amount(r *row, column string, digits int) int64 {
	given := r.get(column)
	if given == "" {
		return 0
	}
	n, why := rs.number(given, digits, false)
	switch {
	case why == number.Ambiguous:
		rs.unclear(r, column)
	case why == number.TooLarge, n > maxPrice:
		rs.problem(r, column, "%q is too high a price.", given)
	case why != "", n < 0:
		rs.problem(r, column, "%q is not a price such as %s.", given, "12"+strings.TrimSuffix("."+
			strings.Repeat("0", digits), "."))
	}
	return n
}

// pieces returns a cell with a whole number; ok is false for anything else.
func (rs *rows) pieces(r *row, column string) (n int64, ok bool) {
	n, why := rs.number(r.get(column), 0, false)
	if why == number.Ambiguous {
		rs.unclear(r, column)
		return 0, true
	}
	return n, why == ""
}

// number reads a cell in units of its last decimal. rounded allows more decimals. In a file separated by commas the
// decimal separator is a point, in others a comma or a point.
func (rs *rows) number(given string, decimals int, rounded bool) (int64, number.Refusal) {
	locale, most := "de", decimals
	if rs.commas {
		locale = "en"
	}
	if rounded {
		most = maxDecimals
	}
	read, why := number.Read(given, locale, most)
	if rs.commas && why == "" && strings.Contains(given[strings.LastIndexByte(given, '.')+1:], ",") &&
		strings.Contains(read, ".") {
		return 0, number.NotNumber
	}
	return number.Scaled(read, decimals), why
}

// maxDecimals limits the decimals of a rounded number.
const maxDecimals = 12

// unclear refuses a cell with two possible readings as a number.
func (rs *rows) unclear(r *row, column string) {
	rs.problem(r, column, "%q may mean two numbers. Write it without a separator of thousands.", r.get(column))
}

// moments lists the accepted formats of a time. A time without an offset is in the shop's time zone.
var moments = []string{"2006-01-02 15:04:05 -0700", time.RFC3339, "2006-01-02 15:04:05", "2006-01-02 15:04",
	time.DateOnly}

// moment returns a cell with a time; an empty cell is the zero time.
func (rs *rows) moment(r *row, column string, zone *time.Location) time.Time {
	given := r.get(column)
	if given == "" {
		return time.Time{}
	}
	for _, form := range moments {
		if t, err := time.ParseInLocation(form, given, zone); err == nil && t.Year() > 1970 && t.Year() < 3000 {
			return t
		}
	}
	rs.problem(r, column, "%q is not a time such as 2026-01-31 15:04:05 -0500.", given)
	return time.Time{}
}

// rewritten matches a long number that a spreadsheet converted to scientific notation.
var rewritten = regexp.MustCompile(`^[0-9](?:[.,][0-9]+)?[eE]\+[0-9]+$`)

// code returns a cell with an identifying number or word. It refuses a number that a spreadsheet rounded, because its
// last digits are lost.
func (rs *rows) code(r *row, column string, limit int) string {
	s := plainCell(rs.short(r, column, limit))
	if rewritten.MatchString(s) {
		rs.problem(r, column, "%q was a longer number before a spreadsheet rewrote it. "+
			"Make the column text there, and export it again.", s)
	}
	return s
}

// plainCell removes the apostrophe that makes a spreadsheet treat a phone number or postal code as text.
func plainCell(s string) string { return strings.TrimPrefix(s, "'") }

// email returns a cell with an email address and checks its form.
func (rs *rows) email(r *row, column string) string {
	s := rs.short(r, column, maxText)
	if s != "" && !mailaddress.Valid(s) {
		rs.problem(r, column, "%q is not an email address.", s)
	}
	return s
}

// phone returns a cell with a phone number as people dial it.
func (rs *rows) phone(r *row, column string) string {
	s := rs.code(r, column, maxTag)
	if utf8.RuneCountInString(s) > 40 {
		rs.problem(r, column, "The number is longer than 40 characters.")
	}
	return s
}

// Address is the address of a customer or an order.
type Address struct{ Line1, Line2, City, Region, PostalCode, Country string }

// address returns the address in the columns with a prefix, or nil if it is too incomplete for a parcel.
func (rs *rows) address(r *row, columns string) *Address {
	a := &Address{
		Line1: rs.short(r, columns+colAddress1, maxShort), Line2: rs.short(r, columns+colAddress2, maxShort),
		City: rs.short(r, columns+colCity, 80), Region: rs.short(r, columns+colProvince, 80),
		PostalCode: plainCell(rs.short(r, columns+colZip, 20)), Country: rs.short(r, columns+colCountry, 60),
	}
	if company := rs.short(r, columns+colCompany, maxShort); company != "" && a.Line2 == "" {
		a.Line2 = company
	}
	if a.Line1 == "" && a.City == "" && a.PostalCode == "" {
		return nil
	}
	return a
}

// Columns of an address, after the prefix for the kind of address.
const (
	colAddress1 = "Address1"
	colAddress2 = "Address2"
	colCompany  = "Company"
	colCity     = "City"
	colZip      = "Zip"
	colProvince = "Province"
	colCountry  = "Country"
)

// addressColumns returns all columns of an address.
func addressColumns(whose string) (all []string) {
	for _, column := range []string{colAddress1, colAddress2, colCompany, colCity, colZip, colProvince, colCountry} {
		all = append(all, whose+column)
	}
	return all
}
