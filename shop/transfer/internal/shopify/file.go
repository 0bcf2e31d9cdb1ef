// Package shopify reads the exports of products, customers and orders that Shopify writes as CSV, also when a
// spreadsheet has saved them again. It checks everything that can be known from the file alone and names line and
// column of every mistake; it changes nothing.
//
// A product is the rows with one handle, next to each other. The first carries the product's own columns and its first
// variant; a further row is another variant, or only an image. What an empty price means: an image row has none; a
// further variant takes the price of the first one; the first variant must have its own.
//
// A customer is one row. An order is the rows with one number, next to each other: the first carries the order's own
// columns and its first line, every further one another line.
package shopify

import (
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// Read is what every export says of itself.
type Read struct {
	Rows    int      // without the header and empty ones
	Ignored []string // columns that mean nothing to us
}

// Products is a product export that was read.
type Products struct {
	Read
	Images int // addresses of pictures; they are not fetched
	Kept   int // of them: the first of each product
}

// Product is one product of the file. Texts are clean and fit their limits.
type Product struct {
	Line        int // of its first row
	Handle      string
	Name        string
	Description string // plain text made of the HTML
	Vendor      string
	Kind        string
	Tags        []string
	Options     [3]string // names; "" is none
	Image       string    // address of the first picture
	Published   bool
	Taxable     bool
	Variants    []Variant
}

// Variant is one variant of a product.
type Variant struct {
	Line      int
	Values    [3]string // of the product's options
	SKU       string
	Barcode   string
	Price     int64  // minor units
	Stock     *int64 // nil: the file gives none
	Uncounted bool   // the file says that stock is not counted
	Backorder bool   // may be sold when there is none

	Reduced         bool   // the file says what is reduced
	CompareAt, Cost *int64 // minor units; nil: the file gives none
	Grams           *int64
	Unit            string // "", g, kg, lb or oz
	Image           string // address of its own picture
}

// Problem is one mistake in the file.
type Problem struct {
	Line    int
	Column  string // as in the header; "" is the whole line
	Message bus.Text
}

// Problems are the mistakes in a file.
type Problems []Problem

// Add notes a mistake, as long as there are not too many.
func (all *Problems) Add(line int, column, format string, args ...any) {
	if len(*all) < MaxProblems {
		message := bus.Textf(format, args...).Map(func(value string) string { return text.Line(value, maxNote) })
		*all = append(*all, Problem{line, column, message})
	}
}

// Limits of what is read.
const (
	MaxProblems = 100 // further ones are not looked for

	maxTitle  = 255
	maxHandle = 255
	maxBody   = 65_536
	maxShort  = 120
	maxTag    = 60
	maxURL    = 2048
	maxText   = 200
	maxNote   = 4000
	maxPrice  = 100_000_000 // minor units
	maxStock  = 10_000_000
	maxGrams  = 1_000_000_000
	maxPieces = 9999

	maxVariants = 2048 // of a product
	maxTags     = 250  // of a product
)
