package builtin

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/internal/currencies"
	"github.com/deskhand/deskhand/internal/number"
)

// kind is a kind of value that the words alone identify.
type kind int

const (
	aNumber kind = iota
	anArticle
	anAmount
	someDays
	anEmail
	aPhone
	aSize
	anAddress
)

// found is a recognised value with its range of words.
type found struct {
	kind  kind
	i, j  int
	value any
}

var (
	emailForm   = text.Late(`^[^@\s]+@[^@\s]+\.[^@\s]+$`)
	phoneForm   = text.Late(`^\+?\d[\d ()/.-]{5,20}\d$`)
	decimalForm = text.Late(`^\d{1,9}(?:[.,]\d{1,3})?$`)
	signedForm  = text.Late(`^([$€£¥])(\d[\d.,]*)$`)
	sizeForm    = text.Late(`^(\d+(?:[.,]\d+)?)(\pL+)$`)
)

// recognise finds the values in a sentence.
func (s *sentence) recognise() {
	for i, t := range s.list {
		if t.quoted {
			continue
		}
		s.number(i)
		if emailForm().MatchString(t.word) {
			s.finds(anEmail, i, i+1, t.text)
		}
		if n, d := s.daysAt(i); n > 0 {
			s.finds(someDays, i, i+n, d)
		}
		for j := min(len(s.list), i+6); j > i; j-- {
			if written := words(s.said, s.list[i:j]); phoneForm().MatchString(written) && digits(written) >= 7 &&
				(j-i > 1 || strings.HasPrefix(written, "+") || len(written) > 9) {
				s.finds(aPhone, i, j, written)
				break
			}
		}
	}
	s.found = slices.DeleteFunc(slices.Clone(s.found), func(f found) bool { // a day within a period
		return slices.ContainsFunc(s.found, func(o found) bool {
			return o.kind == f.kind && o.i <= f.i && f.j <= o.j && o.j-o.i > f.j-f.i
		})
	})
}

func digits(s string) (n int) {
	for _, r := range s {
		if r >= '0' && r <= '9' {
			n++
		}
	}
	return n
}

func (s *sentence) finds(k kind, i, j int, value any) {
	s.found = append(s.found, found{k, i, j, value})
}

// number reads a number with its context: the sign or word of a currency, or the unit of a size.
func (s *sentence) number(i int) {
	t := s.list[i]
	if m := signedForm().FindStringSubmatch(t.text); m != nil {
		s.amount(i, i+1, m[2], m[1])
		return
	}
	k, unit, alone := aNumber, "", true
	n, value := s.numeral(i)
	if m := sizeForm().FindStringSubmatch(t.word); m != nil {
		n, value, unit, alone = 0, cmp.Or(s.lang.number(m[1]), strings.ReplaceAll(m[1], ",", ".")), m[2], m[2] == "x"
	} else if n == 0 {
		k = anArticle
		n, value = s.quantity(i)
		alone = n > 0
	}
	if _, is := s.lang.word("sizes", t.word); is && t.text != t.word {
		s.finds(aSize, i, i+1, t.word)
		return
	}
	end := i + max(n, 1)
	if next := i + n; n > 0 && next < len(s.list) && (k == anArticle || !s.list[next].comma) {
		unit = s.list[next].word
	}
	s.withUnit(k, i, i+n+1, value, unit)
	if alone {
		s.finds(k, i, end, json.Number(value))
	}
}

// withUnit finds the size or the amount that a number and the word for a unit stand for.
func (s *sentence) withUnit(k kind, i, j int, value, unit string) {
	if code, is := s.lang.word("units", unit); is {
		s.finds(aSize, i, j, value+code)
	}
	if code, is := s.lang.word("currency", unit); is && (k == aNumber || value == "1") {
		s.amount(i, j, value, code)
	}
	if s.lang.has("cents", unit) && k == aNumber && len(value) <= 2 {
		s.finds(anAmount, i, j, bareAmount("0."+strings.Repeat("0", 2-len(value))+value))
	}
}

// numeral reads a number in digits or words.
func (s *sentence) numeral(i int) (n int, value string) {
	t := s.list[i]
	if value := s.lang.number(strings.TrimPrefix(t.word, "x")); value != "" { // tea x2
		return 1, value
	}
	if before, after, is := strings.Cut(t.word, "-"); is { // twenty-five
		tens, ok := s.lang.word("numbers", before)
		ones, ok2 := s.lang.word("numbers", after)
		if ok && ok2 {
			return 1, sum(tens, ones)
		}
	}
	n, value = s.lang.at("numbers", s.list, i)
	if n == 1 && len(value) == 2 && value[1] == '0' && i+1 < len(s.list) {
		if ones, is := s.lang.word("numbers", s.list[i+1].word); is && len(ones) == 1 {
			return 2, sum(value, ones)
		}
	}
	return n, value
}

// number reads a number in digits in the notation of the language; "" for none or an ambiguous one.
func (l *language) number(word string) string {
	if word == "" || word[0] < '0' || word[0] > '9' {
		return ""
	}
	value, why := number.Read(word, l.name, 2)
	if why == number.Decimals {
		value, _ = number.Read(word, l.name, 3)
	}
	if whole, _, _ := strings.Cut(value, "."); len(whole) > 9 {
		return "" // it is an identifier
	}
	return value
}

func sum(a, b string) string {
	x, _ := strconv.Atoi(a) // from the file of words
	y, _ := strconv.Atoi(b)
	return strconv.Itoa(x + y)
}

// amount finds an amount in minor units, with the currency that a sign or a word means.
func (s *sentence) amount(i, j int, value, said string) {
	if code, is := s.lang.word("currency", said); is {
		said = code
	}
	if money, is := s.lang.money(value, said); is {
		s.finds(anAmount, i, j, money)
	}
}

// money returns an amount in the form of arguments; false if the number is invalid in the currency.
func (l *language) money(value, code string) (money map[string]any, is bool) {
	digits, known := currencies.Digits(code)
	if !known {
		return nil, false
	}
	value, why := number.Read(value, l.name, digits)
	whole, part, _ := strings.Cut(value, ".")
	if why != "" || part != "" && len(part) != digits {
		return nil, false // $1.5 is a typing error, ¥1.50 does not exist
	}
	minor, err := strconv.Atoi(whole + part + strings.Repeat("0", digits-len(part)))
	return map[string]any{"amount": json.Number(fmt.Sprint(minor)), "currency": code}, err == nil
}

// findsAt returns the first value of a kind that begins at a word.
func (s *sentence) findsAt(k kind, i int) (found, bool) {
	for _, f := range s.found {
		if f.kind == k && f.i == i {
			return f, true
		}
	}
	return found{}, false
}

// quantity reads the quantity before a record: a number, or an article for one.
func (s *sentence) quantity(i int) (n int, value string) {
	if i >= len(s.list) {
		return 0, ""
	}
	if n, value = s.numeral(i); n > 0 {
		return n, value
	}
	if n, _ = s.lang.at("one", s.list, i); n > 0 {
		return n, "1"
	}
	return 0, ""
}
