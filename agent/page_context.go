package agent

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deskhand/deskhand/agent/internal/schema"
)

// PageContext describes an open page or form by names and ids, never by the values in an unfinished form. The model
// reads the contexts of the pages that are open before the person.
type PageContext struct {
	Step  string   `json:"step"`            // the page's name, or the capability of a form
	IDs   []string `json:"ids,omitempty"`   // of the records that are shown
	Wrong []string `json:"wrong,omitempty"` // JSON Pointers of the refused or missing arguments
	Empty []string `json:"empty,omitempty"` // JSON Pointers of arguments without a value; the required ones count as wrong
}

// The limits of the contexts in a request; the bridge drops the rest.
const (
	maxPages  = 8
	maxOnPage = 12 // ids, and wrong arguments, of each
)

// isPageName reports whether a text has the form of a name or an id. A sentence has neither.
func isPageName(s string) bool {
	return s != "" && utf8.RuneCountInString(s) <= 64 &&
		!strings.ContainsFunc(s, func(r rune) bool { return r == ' ' || unicode.Is(unicode.C, r) })
}

// cleaned returns the pages within the limits. Of a form's fields it keeps only those that the capability declares,
// because a person may have typed any other key, such as a key of a map.
func (b *Bridge) cleaned(pages []PageContext) (told []PageContext) {
	for _, p := range first(pages, maxPages) {
		if !isPageName(p.Step) {
			continue
		}
		c := PageContext{Step: p.Step, IDs: slices.DeleteFunc(slices.Clone(first(p.IDs, maxOnPage)),
			func(id string) bool { return !isPageName(id) })}
		if form, known := b.o.Bus.Lookup(p.Step); known {
			for _, pointer := range first(p.Wrong, maxOnPage) {
				name, _ := schema.Declared(form.InputSchema, pointer)
				c.Wrong = append(c.Wrong, name)
			}
			for _, pointer := range first(p.Empty, maxOnPage) {
				if name, required := schema.Declared(form.InputSchema, pointer); required {
					c.Wrong = append(c.Wrong, name)
				}
			}
			slices.Sort(c.Wrong)
			c.Wrong = slices.DeleteFunc(slices.Compact(c.Wrong), func(name string) bool { return name == "" })
		}
		told = append(told, c)
	}
	return told
}

func first[T any](list []T, most int) []T { return list[:min(len(list), most)] }

// open lists the names of the pages and the ids of the records on them, for a model that reads no text.
func open(pages []PageContext) (list []string) {
	for _, p := range pages {
		list = append(append(list, p.Step), p.IDs...)
	}
	return list
}
