package agent

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deskhand/deskhand/agent/internal/schema"
)

// PageContext is what a page or a form that is open says of itself: names and ids, never what stands in an unfinished
// form. The model is told of those that the person has before them.
type PageContext struct {
	Step  string   `json:"step"`            // the page's name, or the capability that a form is for
	IDs   []string `json:"ids,omitempty"`   // of the records that are shown
	Wrong []string `json:"wrong,omitempty"` // JSON Pointers of the arguments that are refused or missing
	Empty []string `json:"empty,omitempty"` // of those that have no value: the required ones of them are wrong
}

// The bounds of what the model is told of the pages; what is beyond them is left out.
const (
	maxPages  = 8
	maxOnPage = 12 // ids, and wrong arguments, of each
)

// isPageName reports whether a text has the form of names and ids: a sentence is neither.
func isPageName(s string) bool {
	return s != "" && utf8.RuneCountInString(s) <= 64 &&
		!strings.ContainsFunc(s, func(r rune) bool { return r == ' ' || unicode.Is(unicode.C, r) })
}

// cleaned are the pages within the bounds. Of a form's fields only those are named that its capability declares: what
// is beyond, as a key of a map, may have been typed.
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

// open are the names of pages and the ids of the records on them, as a model that reads no text is told of them.
func open(pages []PageContext) (list []string) {
	for _, p := range pages {
		list = append(append(list, p.Step), p.IDs...)
	}
	return list
}
