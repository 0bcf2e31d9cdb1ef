// Package locale formats amounts, counts and days for a locale. It is independent of the shop.
package locale

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// Currency is the currency of amounts.
type Currency struct {
	Code   string // ISO 4217
	Sign   string // "" to write the code instead
	Digits int    // decimal digits: 2 for USD, 0 for JPY, 3 for KWD
}

// Style formats amounts of one currency, counts and days for one locale. It is created once for each document and must
// not be used by several goroutines at the same time.
type Style struct {
	currency  Currency
	print     *message.Printer
	point     string // decimal separator
	signFirst bool
	layout    string // layout of a day
}

// New returns the style of a BCP 47 locale; an unknown locale becomes en-US.
func New(tag string, c Currency) Style {
	t, err := language.Parse(tag)
	if err != nil {
		t = language.AmericanEnglish
	}
	base, _ := t.Base()
	region, _ := t.Region()
	s := Style{currency: c, print: message.NewPrinter(digits(t, base.String(), region.String())),
		signFirst: signsFirst[base.String()], layout: layouts[base.String()]}
	switch {
	case base.String() == "en" && region.String() == "US":
		s.layout = "Jan 2, 2006"
	case s.layout == "":
		s.layout = time.DateOnly
	}
	half := s.print.Sprint(number.Decimal(0.5, number.Scale(1)))
	s.point = strings.TrimFunc(half, unicode.IsDigit)
	return s
}

// digits selects the region's digits where golang.org/x/text only knows those of the language. A locale that names its
// digits keeps them.
func digits(t language.Tag, base, region string) language.Tag {
	own := map[string]string{"ar": "arab", "fa": "arabext"}[base]
	if own == "" || t.TypeForKey("nu") != "" || latinDigits[region] {
		return t
	}
	if with, err := t.SetTypeForKey("nu", own); err == nil {
		return with
	}
	return t
}

// latinDigits lists the regions that write Arabic with the digits 0 to 9.
var latinDigits = map[string]bool{"AE": true, "DZ": true, "EH": true, "LY": true, "MA": true, "TN": true}

// signsFirst lists the languages that write the sign before the amount.
var signsFirst = map[string]bool{"en": true, "ja": true, "zh": true, "ko": true, "th": true}

// layouts holds the layout of a day by language, as in the medium date of the Unicode CLDR, for languages whose format
// has no names of months.
var layouts = map[string]string{
	"en": "2 Jan 2006", "de": "02.01.2006", "fr": "02/01/2006", "es": "02/01/2006", "it": "02/01/2006", "pt": "02/01/2006",
	"nl": "02-01-2006", "pl": "02.01.2006", "ru": "02.01.2006", "fi": "2.1.2006", "da": "02.01.2006", "nb": "02.01.2006",
	"tr": "02.01.2006", "cs": "02.01.2006", "ja": "2006年1月2日", "zh": "2006年1月2日", "ko": "2006. 1. 2.", "ar": "02/01/2006",
	"he": "2.1.2006", "fa": "2006/01/02",
}

// Day formats the day of t in t's zone.
func (s Style) Day(t time.Time) string { return t.Format(s.layout) }

// Count formats a whole number.
func (s Style) Count(n int64) string { return s.print.Sprint(number.Decimal(n)) }

// Money formats an amount in minor units, with the currency's sign or code.
func (s Style) Money(minor int64) string {
	minus := ""
	if minor < 0 {
		minus = "-"
	}
	amount := s.Amount(minor)
	amount = strings.TrimPrefix(amount, "-")
	switch {
	case s.currency.Sign == "":
		return minus + amount + "\u00a0" + s.currency.Code
	case s.signFirst:
		return minus + s.currency.Sign + amount
	}
	return minus + amount + "\u00a0" + s.currency.Sign
}

// Amount formats an amount in minor units, without sign or code.
func (s Style) Amount(minor int64) string {
	whole, part := Split(minor, s.currency.Digits)
	minus := ""
	if minor < 0 {
		minus = "-"
	}
	return minus + s.decimal(whole, part)
}

// Percent formats a rate in parts per million: 19 %, 5.5 %.
func (s Style) Percent(ppm int64) string {
	whole, part := Split(ppm, 4)
	return s.decimal(whole, strings.TrimRight(part, "0")) + "\u00a0%"
}

// decimal formats a number from its whole units and its decimal digits.
func (s Style) decimal(whole uint64, part string) string {
	var b strings.Builder
	b.WriteString(s.print.Sprint(number.Decimal(whole)))
	if part != "" {
		b.WriteString(s.point)
		for _, digit := range part {
			b.WriteString(s.print.Sprint(number.Decimal(uint64(digit - '0'))))
		}
	}
	return b.String()
}

// Plain formats an amount for programs: 47.83, -0.05, 1234.
func Plain(minor int64, digits int) string {
	whole, part := Split(minor, digits)
	var b strings.Builder
	if minor < 0 {
		b.WriteByte('-')
	}
	b.WriteString(strconv.FormatUint(whole, 10))
	if part != "" {
		b.WriteString("." + part)
	}
	return b.String()
}

// Split divides the absolute amount into whole units and decimal digits.
func Split(minor int64, digits int) (whole uint64, part string) {
	whole = uint64(minor)
	if minor < 0 {
		whole = -whole
	}
	text := strconv.FormatUint(whole, 10)
	if len(text) <= digits {
		text = strings.Repeat("0", digits+1-len(text)) + text
	}
	part = text[len(text)-digits:]
	scale := uint64(1)
	for range digits {
		scale *= 10
	}
	return whole / scale, part
}
