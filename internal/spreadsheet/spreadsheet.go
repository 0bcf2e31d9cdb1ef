// Package spreadsheet prevents spreadsheet programs from interpreting user input as formulas.
package spreadsheet

import (
	"strings"
	"unicode/utf8"
)

// Text returns a text for a cell. It puts an apostrophe before a text that such a program would interpret as a formula.
func Text(cell string) string {
	if first, _ := utf8.DecodeRuneInString(cell); cell != "" && strings.ContainsRune("=+-@\t\r＝＋－＠", first) {
		return "'" + cell
	}
	return cell
}
