package builtin

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/currency"

	"github.com/deskhand/deskhand/agent/internal/text"
)

// kind is a kind of value that can be told from the words alone.
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

// found is a value that words stand for, from one word to another.
type found struct {
	kind  kind
	i, j  int
	value any
}

var (
	emailForm   = regexp.MustCompile(`^[^@\s]+@[^@\s]+\.[^@\s]+$`)
	phoneForm   = regexp.MustCompile(`^\+?\d[\d ()/.-]{5,20}\d$`)
	decimalForm = regexp.MustCompile(`^\d{1,9}(?:[.,]\d{1,3})?$`)
	signedForm  = regexp.MustCompile(`^([$€£¥])(\d{1,9})(?:[.,](\d{1,3}))?$`)
	sizeForm    = regexp.MustCompile(`^(\d+(?:[.,]\d+)?)(\pL+)$`)
)

// recognise finds the values in a sentence.
func (s *sentence) recognise() {
	for i, t := range s.list {
		if t.quoted {
			continue
		}
		s.number(i)
		if emailForm.MatchString(t.word) {
			s.finds(anEmail, i, i+1, t.text)
		}
		if n, d := s.daysAt(i); n > 0 {
			s.finds(someDays, i, i+n, d)
		}
		for j := min(len(s.list), i+6); j > i; j-- {
			if written := words(s.said, s.list[i:j]); phoneForm.MatchString(written) && digits(written) >= 7 &&
				(j-i > 1 || strings.HasPrefix(written, "+") || len(written) > 9) {
				s.finds(aPhone, i, j, written)
				break
			}
		}
	}
	s.found = slices.DeleteFunc(slices.Clone(s.found), func(f found) bool { // a day within a stretch of days
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

// number reads what begins with a number: a count, an amount, a size.
func (s *sentence) number(i int) {
	t := s.list[i]
	if m := signedForm.FindStringSubmatch(t.text); m != nil {
		if amount, is := s.money(m[2], m[3], m[1]); is {
			s.finds(anAmount, i, i+1, amount)
		}
		return
	}
	if m := sizeForm.FindStringSubmatch(t.word); m != nil {
		if unit, is := s.lang.word("units", m[2]); is {
			s.finds(aSize, i, i+1, m[1]+unit)
		} else if m[2] == "x" {
			s.finds(aNumber, i, i+1, json.Number(m[1]))
		} else if code, is := s.lang.word("currency", m[2]); is {
			whole, part, _ := strings.Cut(strings.ReplaceAll(m[1], ",", "."), ".")
			if amount, is := s.money(whole, part, code); is {
				s.finds(anAmount, i, i+1, amount)
			}
		}
		return
	}
	n, value := s.numeral(i)
	if n == 0 {
		if n, _ := s.lang.at("one", s.list, i); n > 0 {
			s.finds(anArticle, i, i+n, json.Number("1"))
			if i+n < len(s.list) {
				if unit, is := s.lang.word("units", s.list[i+n].word); is {
					s.finds(aSize, i, i+n+1, "1"+unit)
				}
			}
		}
		return
	}
	if i+n < len(s.list) && !s.list[i+n].comma {
		next := s.list[i+n].word
		if unit, is := s.lang.word("units", next); is {
			s.finds(aSize, i, i+n+1, value+unit)
		}
		if code, is := s.lang.word("currency", next); is {
			whole, part, _ := strings.Cut(value, ".")
			if amount, is := s.money(whole, part, code); is {
				s.finds(anAmount, i, i+n+1, amount)
			}
		}
	}
	s.finds(aNumber, i, i+n, json.Number(value))
}

// numeral reads a number in digits or words.
func (s *sentence) numeral(i int) (n int, value string) {
	t := s.list[i]
	if decimalForm.MatchString(t.word) {
		return 1, strings.ReplaceAll(t.word, ",", ".")
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

func sum(a, b string) string {
	x, _ := strconv.Atoi(a) // of a file of words
	y, _ := strconv.Atoi(b)
	return strconv.Itoa(x + y)
}

// money is an amount in minor units: of the currency that a sign or a word stands for.
func (s *sentence) money(whole, part, said string) (any, bool) {
	code := said
	if c, is := s.lang.word("currency", said); is {
		code = c
	}
	unit, err := currency.ParseISO(code)
	if err != nil {
		return nil, false
	}
	digits := text.MinorDigits(unit)
	if part != "" && len(part) != digits {
		return nil, false // $1.5 is a slip of the pen, ¥1.50 does not exist
	}
	minor, err := strconv.Atoi(whole + part + strings.Repeat("0", digits-len(part)))
	if err != nil {
		return nil, false
	}
	return map[string]any{"amount": json.Number(fmt.Sprint(minor)), "currency": code}, true
}

// findsAt is the first value of a kind that begins at a word.
func (s *sentence) findsAt(k kind, i int) (found, bool) {
	for _, f := range s.found {
		if f.kind == k && f.i == i {
			return f, true
		}
	}
	return found{}, false
}
