package agent

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/audit"
)

// CompareRows compares the rows that two lists of calls changed from the same starting state: missing are the rows that
// only the first list changed, extra those that only the second did. An id that one list created matches the id that
// the other created in its place.
func (*Bridge) CompareRows(then, now []audit.Record) (missing, extra []string) {
	one, other := differ(then, now)
	return describe(one), describe(other)
}

// maxRowText limits the description of one row, in bytes.
const maxRowText = 160

func describe(rows []*rowChange) (list []string) {
	for _, r := range rows {
		values := r.last
		if r.gone {
			values = map[string]any{"deleted": true}
		}
		var said []string
		for _, column := range slices.Sorted(maps.Keys(values)) {
			if v, is := values[column].(moment); is {
				values[column] = v.at
			}
			if one := fmt.Sprint(values[column]); values[column] != nil && one != "" && (one != "0" || !r.made) {
				said = append(said, column+"="+one)
			}
		}
		list = append(list, text.Clean(r.table+": "+strings.Join(said, ", "), maxRowText))
	}
	return list
}
