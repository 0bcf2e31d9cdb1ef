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
	"cmp"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// Read is common to all exports. The items beside it are of the rows that can be taken.
type Read struct {
	Rows     int      // without the header and empty ones
	Left     int      // of them: those that cannot be taken
	Ignored  []string // columns that mean nothing to us
	Latin    bool     // it is not UTF-8 and was read as Windows-1252
	Broken   bool     // it cannot be read behind the last problem: nothing of it may be used
	Problems Problems // why rows cannot be taken
}

// Products is a product export that was read.
type Products struct {
	Read
	Images   int // addresses of pictures; they are not fetched
	Kept     int // of them: the first of each product
	Products []Product
}

// Product is one product of the file. Texts are clean and fit their limits.
type Product struct {
	Line        int // of its first row
	Rows        int // that were taken
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
	Value   string // the cell
	Of      string // the product, customer or order, as the file calls it
	Message bus.Text
}

// Problems are the mistakes in a file.
type Problems struct {
	First []Problem // at most MaxProblems, by line
	Total int
}

// Add notes a mistake.
func (all *Problems) Add(p Problem) {
	if all.Total++; len(all.First) < MaxProblems {
		p.Message = p.Message.Map(func(value string) string { return text.Line(value, maxNote) })
		p.Column, p.Value, p.Of = text.Line(p.Column, maxText), text.Line(p.Value, maxText), text.Line(p.Of, maxText)
		all.First = append(all.First, p)
	}
}

// Sort brings them into the order of their lines.
func (all *Problems) Sort() {
	slices.SortStableFunc(all.First, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
}

// Limits of what is read.
const (
	MaxProblems = 1000 // further ones are counted

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
