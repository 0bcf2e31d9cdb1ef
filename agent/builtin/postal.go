package builtin

import (
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
)

var (
	regionAndCode = text.Late(`^(?:(\pL[\pL .'-]+) )?([A-Z]{2,3}) (\d[\d-]{3,9})$`)         // Portland ME 04101
	codeAndCity   = text.Late(`^([A-Z]{0,2}-?\d[\d-]{2,6}(?: [A-Z]{2})?) (\pL[\pL .'-]+)$`) // 10115 Berlin
	cityAndCode   = text.Late(`^(\pL[\pL .'-]+) ` +
		`([A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d\w [\w]{3,4}|\d{4,6})$`) // London SW1A 1AA
	codeAlone  = text.Late(`^(?:[A-Z\d]{2,5}[ -]?)?[A-Z\d]*\d[A-Z\d]*$`)
	aRegion    = text.Late(`^[A-Z]{2}$`)
	fiveDigits = text.Late(`^\d{5}(?:-\d{4})?$`)
)

// postalAddress reads an address as it is written on an envelope, with commas between its lines: street, an optional
// second line, city with region and code, country. A two-letter region with five digits means the United States.
func postalAddress(text string) (any, bool) {
	var lines []string
	for line := range strings.SplitSeq(strings.Trim(text, `"“”'. `), ",") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) < 2 || len(lines) > 6 || strings.Contains(lines[0], ":") ||
		!strings.ContainsAny(lines[0], "0123456789") {
		return nil, false
	}
	a := map[string]any{"line1": lines[0]}
	rest, ok := withCode(a, withCountry(a, lines[1:]))
	if !ok || len(rest) > 1 {
		return nil, false
	}
	if len(rest) == 1 {
		a["line2"] = rest[0]
	}
	region, _ := a["region"].(string)
	code, _ := a["postalCode"].(string)
	if a["country"] == nil && aRegion().MatchString(region) && fiveDigits().MatchString(code) {
		a["country"] = "US"
	}
	return a, a["country"] != nil
}

// withCountry reads the country from the last line, if it has one, and returns the lines before it.
func withCountry(a map[string]any, lines []string) []string {
	n := len(lines) - 1
	last := lines[n]
	if n == 0 || strings.ContainsAny(last, "0123456789") || aRegion().MatchString(lines[n-1]) {
		return lines
	}
	if len(last) <= 3 {
		last = strings.ToUpper(last)
	}
	a["country"] = last
	return lines[:n]
}

// withCode reads city, region and code from the last lines, and returns the lines before them.
func withCode(a map[string]any, lines []string) ([]string, bool) {
	last := lines[len(lines)-1]
	rest := lines[:len(lines)-1]
	if m := regionAndCode().FindStringSubmatch(last); m != nil {
		a["region"], a["postalCode"] = m[2], m[3]
		if m[1] != "" {
			a["city"] = m[1]
			return rest, true
		}
	} else if m := cityAndCode().FindStringSubmatch(last); m != nil {
		a["city"], a["postalCode"] = m[1], m[2]
		return rest, true
	} else if upper := strings.ToUpper(last); codeAlone().MatchString(upper) {
		a["postalCode"] = upper
		if n := len(rest) - 1; n > 0 {
			a["region"], rest = rest[n], rest[:n]
		}
	} else if m := codeAndCity().FindStringSubmatch(last); m != nil {
		a["postalCode"], a["city"] = m[1], m[2]
		return rest, true
	} else {
		return nil, false
	}
	if len(rest) == 0 {
		return nil, false
	}
	a["city"] = rest[len(rest)-1]
	return rest[:len(rest)-1], true
}
