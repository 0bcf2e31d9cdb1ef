// Package code reads product codes from scanners and people: SKUs, barcodes, and GTINs in all their forms.
package code

import (
	"slices"
	"strings"
	"unicode"
)

// Key is the SQL expression to compare with [Forms]; the name of the column replaces COLUMN. The indexes of the
// variants use the same expression.
const Key = `upper(replace(COLUMN, ' ', ''))`

// Clean returns a code in capitals and without white space, because neither is significant.
func Clean(given string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return -1
		case 'a' <= r && r <= 'z': // SQLite's upper converts only these
			return r - 'a' + 'A'
		}
		return r
	}, given)
}

// Forms returns the equivalent codes of a text, as Clean writes them: the text itself and, for a GTIN, all its lengths.
func Forms(given string) []string {
	forms := []string{Clean(given)}
	if gtin := GTIN(given); gtin != "" {
		for _, n := range lengths {
			if form := gtin[longest-n:]; strings.Trim(gtin[:longest-n], "0") == "" && !slices.Contains(forms, form) {
				forms = append(forms, form)
			}
		}
	}
	return slices.DeleteFunc(forms, func(form string) bool { return form == "" })
}

// Same reports whether two codes are equivalent.
func Same(a, b string) bool {
	of := Forms(b)
	return slices.ContainsFunc(Forms(a), func(form string) bool { return slices.Contains(of, form) })
}

// Stored returns a code for storage. For an element string or a digital link that is the GTIN, because the other
// elements, such as the lot, describe a single piece.
func Stored(given string) string {
	gtin := GTIN(given)
	if gtin == "" || isNumber(Clean(given)) {
		return given
	}
	return strings.TrimPrefix(gtin, "0")
}

// lengths lists the lengths of GTINs.
var lengths = []int{14, 13, 12, 8}

const longest = 14

// GTIN returns the 14-digit GTIN that a text is or contains, or "". It reads the number itself, GS1 digital links, and
// GS1 element strings in brackets, "(01)…", or as a scanner sends them: "]C1" or FNC1 before "01…".
func GTIN(given string) string {
	s := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) && r != separator {
			return -1
		}
		return r
	}, given)
	if isNumber(s) && slices.Contains(lengths, len(s)) {
		return pad(s)
	}
	if lower := strings.ToLower(s); strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://") {
		return inLink(lower)
	}
	if _, after, bracketed := strings.Cut(s, "(01)"); bracketed {
		return leading(after)
	}
	sent := strings.TrimLeft(s, string(separator))
	if len(sent) > 3 && sent[0] == ']' { // the symbology identifier
		sent = sent[3:]
	}
	gtin := inElements(sent)
	if sent == s && !checks(gtin) { // nothing marks an element string
		return ""
	}
	return gtin
}

// separator is FNC1 as scanners send it.
const separator = '\x1d'

// elements holds the lengths of element strings with a fixed length, by their first two digits.
var elements = map[string]int{"00": 18, "01": 14, "02": 14, "11": 6, "12": 6, "13": 6, "15": 6, "16": 6,
	"17": 6, "20": 2}

// inElements returns the GTIN in element strings.
func inElements(s string) string {
	for s = strings.TrimLeft(s, string(separator)); len(s) > 2; s = strings.TrimLeft(s, string(separator)) {
		n, fixed := elements[s[:2]]
		switch {
		case s[:2] == "01":
			return leading(s[2:])
		case fixed && len(s) >= 2+n:
			s = s[2+n:]
		default:
			_, s, _ = strings.Cut(s, string(separator))
		}
	}
	return ""
}

// inLink returns the GTIN in the path of a digital link.
func inLink(link string) string {
	path, _, _ := strings.Cut(link, "?")
	parts := strings.Split(path, "/")
	for i, part := range parts[:len(parts)-1] {
		if n := parts[i+1]; (part == "01" || part == "gtin") && isNumber(n) && slices.Contains(lengths, len(n)) {
			return pad(n)
		}
	}
	return ""
}

// leading returns the first 14 characters if all are digits, or "".
func leading(s string) string {
	if len(s) < longest || !isNumber(s[:longest]) {
		return ""
	}
	return s[:longest]
}

func pad(digits string) string { return strings.Repeat("0", longest-len(digits)) + digits }

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// checks reports whether the check digit of a GTIN is correct.
func checks(gtin string) bool {
	sum := 0
	for i, digit := range gtin {
		sum += int(digit-'0') * (3 - 2*(i%2))
	}
	return gtin != "" && sum%10 == 0
}
