package paper

import (
	"slices"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// visual reorders a line for display from left to right, by the Unicode Bidirectional Algorithm (UAX #9).
// golang.org/x/text provides the class of each character but not the levels of runs, which nested text needs. The text
// contains no explicit controls, because names are cleaned on input. Pairs of brackets (rule N0) are treated like any
// other mark.
func visual(line []rune, rtl bool) []rune {
	if !needsOrder(line) && !rtl {
		return line
	}
	levels := levelsOf(line, rtl)
	out := make([]rune, len(line))
	for i, r := range line {
		if levels[i]%2 == 1 {
			r = mirror(r)
		}
		out[i] = r
	}
	reorder(out, levels)
	return out
}

// needsOrder reports whether a line contains right-to-left characters.
func needsOrder(line []rune) bool {
	return slices.ContainsFunc(line, func(r rune) bool {
		switch classOf(r) {
		case bidi.R, bidi.AL, bidi.AN:
			return true
		}
		return false
	})
}

// rightToLeft reports whether a paragraph begins with a letter of a right-to-left script (rules P2 and P3).
func rightToLeft(text string) bool {
	for _, r := range text {
		switch classOf(r) {
		case bidi.L:
			return false
		case bidi.R, bidi.AL:
			return true
		}
	}
	return false
}

func classOf(r rune) bidi.Class {
	p, _ := bidi.LookupRune(r)
	return p.Class()
}

// levelsOf returns the embedding level of each character. Even levels run from left to right.
func levelsOf(line []rune, rtl bool) []int {
	base, edge := 0, bidi.L
	if rtl {
		base, edge = 1, bidi.R
	}
	class := make([]bidi.Class, len(line))
	for i, r := range line {
		class[i] = classOf(r)
	}
	weak(class, edge)
	neutral(class, edge)
	levels := make([]int, len(line))
	for i, c := range class {
		levels[i] = base
		switch {
		case c == bidi.R && base == 0, c == bidi.L && base == 1, (c == bidi.EN || c == bidi.AN) && base == 1:
			levels[i]++
		case c == bidi.EN || c == bidi.AN:
			levels[i] += 2
		}
	}
	for i := len(line) - 1; i >= 0 && unicode.IsSpace(line[i]); i-- {
		levels[i] = base // L1
	}
	return levels
}

// weak applies the rules W1 to W7 to numbers and their signs.
func weak(class []bidi.Class, edge bidi.Class) {
	before := edge
	for i, c := range class {
		if c == bidi.NSM {
			class[i] = before
		}
		before = class[i]
	}
	strong := edge
	for i, c := range class {
		switch c {
		case bidi.L, bidi.R:
			strong = c
		case bidi.AL:
			strong, class[i] = c, bidi.R
		case bidi.EN:
			if strong == bidi.AL {
				class[i] = bidi.AN
			}
		}
	}
	joinNumbers(class)
	strong = edge
	for i, c := range class {
		switch c {
		case bidi.L, bidi.R:
			strong = c
		case bidi.EN:
			if strong == bidi.L {
				class[i] = bidi.L
			}
		case bidi.AN:
		default:
			class[i] = bidi.ON
		}
	}
}

// joinNumbers applies the rules W4 and W5: separators between numbers and signs next to a number belong to them.
func joinNumbers(class []bidi.Class) {
	for i := 1; i+1 < len(class); i++ {
		a, b := class[i-1], class[i+1]
		if a == b && (class[i] == bidi.CS && (a == bidi.EN || a == bidi.AN) || class[i] == bidi.ES && a == bidi.EN) {
			class[i] = a
		}
	}
	for i := range class { // ET next to EN
		if class[i] != bidi.EN {
			continue
		}
		for j := i - 1; j >= 0 && class[j] == bidi.ET; j-- {
			class[j] = bidi.EN
		}
		for j := i + 1; j < len(class) && class[j] == bidi.ET; j++ {
			class[j] = bidi.EN
		}
	}
}

// neutral applies the rules N1 and N2: marks and spaces follow the text on both sides if it agrees, or else the
// paragraph.
func neutral(class []bidi.Class, edge bidi.Class) {
	side := func(c bidi.Class) bidi.Class {
		if c == bidi.EN || c == bidi.AN {
			return bidi.R
		}
		return c
	}
	for i := 0; i < len(class); i++ {
		if class[i] != bidi.ON {
			continue
		}
		end := i
		for end < len(class) && class[end] == bidi.ON {
			end++
		}
		left, right := edge, edge
		if i > 0 {
			left = side(class[i-1])
		}
		if end < len(class) {
			right = side(class[end])
		}
		as := edge
		if left == right {
			as = left
		}
		for ; i < end; i++ {
			class[i] = as
		}
		i--
	}
}

// reorder reverses right-to-left runs, deepest level first (rule L2). Marks stay behind their letter (L3).
func reorder(line []rune, levels []int) {
	deepest := 0
	if len(levels) > 0 {
		deepest = slices.Max(levels)
	}
	for level := deepest; level >= 1; level-- {
		for i := 0; i < len(line); i++ {
			if levels[i] < level {
				continue
			}
			end := i
			for end < len(line) && levels[end] >= level {
				end++
			}
			slices.Reverse(line[i:end])
			slices.Reverse(levels[i:end])
			i = end
		}
	}
	for i := 0; i+1 < len(line); i++ {
		end := i
		for end < len(line) && levels[i]%2 == 1 && unicode.Is(unicode.Mn, line[end]) {
			end++
		}
		if end > i && end < len(line) { // marks in front of their letter
			slices.Reverse(line[i : end+1])
			i = end
		}
	}
}

// mirror returns the opposite bracket.
func mirror(r rune) rune {
	const pairs = "()[]{}<>«»‹›"
	all := []rune(pairs)
	if i := slices.Index(all, r); i >= 0 {
		return all[i^1]
	}
	return r
}
