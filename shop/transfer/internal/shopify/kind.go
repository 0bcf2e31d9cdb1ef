package shopify

import (
	"bytes"
	"strings"
)

// kinds lists the supported exports under the names for their import.
var kinds = []struct {
	name   string
	layout layout
}{{"products", products}, {"customers", customers}, {"orders", orders}}

// Kind returns the kind of an export by the header: the only kind whose required columns are all present. It returns ""
// if no kind or several kinds match.
func Kind(data []byte) string {
	r, other := opened(bytes.NewReader(data))
	if other != "" {
		return ""
	}
	names, err := r.Read()
	if err != nil {
		return ""
	}
	found := ""
	for _, kind := range kinds {
		has := map[string]bool{}
		for _, name := range names {
			has[kind.layout.column(strings.TrimSpace(name))] = true
		}
		fits := true
		for _, column := range kind.layout.required {
			fits = fits && has[column]
		}
		if fits && found != "" {
			return ""
		}
		if fits {
			found = kind.name
		}
	}
	return found
}
