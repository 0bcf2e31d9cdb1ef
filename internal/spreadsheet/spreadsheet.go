// Package spreadsheet keeps programs for tables from calculating what people typed.
package spreadsheet

import (
	"strings"
	"unicode/utf8"
)

// Text is a text as a cell: what such a program would take for a formula begins with an apostrophe.
func Text(cell string) string {
	if first, _ := utf8.DecodeRuneInString(cell); cell != "" && strings.ContainsRune("=+-@\t\r＝＋－＠", first) {
		return "'" + cell
	}
	return cell
}
