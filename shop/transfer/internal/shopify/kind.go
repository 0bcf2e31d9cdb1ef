package shopify

import (
	"bytes"
	"strings"
)

// kinds are the exports that are read, by the names they are imported under.
var kinds = []struct {
	name   string
	layout layout
}{{"products", products}, {"customers", customers}, {"orders", orders}}

// Kind tells by its header what a file is an export of: the one kind whose columns
// are all there that it cannot be without. It is "" when that is none, or several.
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
