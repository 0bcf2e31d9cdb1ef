// Package locale writes amounts, counts and days as people of a place do. It
// knows nothing of the shop: a document asks it what to print.
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
	Sign   string // "": the code is written instead
	Digits int    // after the point: 2 for USD, 0 for JPY, 3 for KWD
}

// Style is how one place writes amounts of one currency, counts and days. It is
// made once for a document and may be used by one goroutine at a time.
type Style struct {
	currency  Currency
	print     *message.Printer
	point     string // between the units and their parts
	signFirst bool
	layout    string // of a day
}

// New is the style of a BCP 47 locale; an unknown one is en-US.
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

// digits gives a locale the digits of its place where golang.org/x/text has them
// for the language alone. A locale that names its own keeps them.
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

// latinDigits are the places that write Arabic with the digits 0 to 9.
var latinDigits = map[string]bool{"AE": true, "DZ": true, "EH": true, "LY": true, "MA": true, "TN": true}

// signsFirst are the languages that write the sign before the amount.
var signsFirst = map[string]bool{"en": true, "ja": true, "zh": true, "ko": true, "th": true}

// layouts are how languages write a day, as the Unicode CLDR has it for a medium
// date, where that needs no names of months.
var layouts = map[string]string{
	"en": "2 Jan 2006", "de": "02.01.2006", "fr": "02/01/2006", "es": "02/01/2006", "it": "02/01/2006", "pt": "02/01/2006",
	"nl": "02-01-2006", "pl": "02.01.2006", "ru": "02.01.2006", "fi": "2.1.2006", "da": "02.01.2006", "nb": "02.01.2006",
	"tr": "02.01.2006", "cs": "02.01.2006", "ja": "2006年1月2日", "zh": "2006年1月2日", "ko": "2006. 1. 2.", "ar": "02/01/2006",
	"he": "2.1.2006", "fa": "2006/01/02",
}

// Day is the day that t shows, in its own zone.
func (s Style) Day(t time.Time) string { return t.Format(s.layout) }

// Count is a whole number.
func (s Style) Count(n int64) string { return s.print.Sprint(number.Decimal(n)) }

// Money is an amount in minor units, with its sign or code.
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

// Amount is an amount in minor units without sign or code.
func (s Style) Amount(minor int64) string {
	whole, part := Split(minor, s.currency.Digits)
	minus := ""
	if minor < 0 {
		minus = "-"
	}
	return minus + s.decimal(whole, part)
}

// Percent is a rate in parts per million: 19 %, 5.5 %.
func (s Style) Percent(ppm int64) string {
	whole, part := Split(ppm, 4)
	return s.decimal(whole, strings.TrimRight(part, "0")) + "\u00a0%"
}

// decimal is a number of whole units and the digits behind the point.
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

// Plain is an amount as programs read it: 47.83, -0.05, 1234.
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

// Split is an amount without its minus, as units and the digits of their parts.
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
