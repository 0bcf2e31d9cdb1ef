// Package shopify reads the CSV exports of products, customers and orders that Shopify writes, also after a spreadsheet
// saved them again. It checks everything that follows from the file alone and reports line and column of every mistake.
// It changes nothing.
//
// A product consists of adjacent rows with the same handle. The first row contains the product's own columns and its
// first variant. Each further row is another variant or only an image. An image row needs no price. A further variant
// without a price has the price of the first one. The first variant must have a price.
//
// A customer is one row. An order consists of adjacent rows with the same number. The first row contains the order's
// own columns and its first line, and each further row another line.
package shopify

import (
	"cmp"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// Read holds the common results of reading an export. The items next to it exclude refused rows.
type Read struct {
	Rows     int      // without the header and empty rows
	Left     int      // rows that are not importable
	Ignored  []string // columns that the import does not use
	Latin    bool     // not UTF-8, read as Windows-1252
	Broken   bool     // unreadable after the last problem: no part of it may be used
	Problems Problems // reasons for refused rows
}

// Products is a parsed product export.
type Products struct {
	Read
	Images   int // addresses of pictures; they are not downloaded
	Kept     int // pictures kept: the first of each product
	Products []Product
}

// Product is a product of the file. Its texts are clean and within their limits.
type Product struct {
	Line        int // of its first row
	Rows        int // number of accepted rows
	Handle      string
	Name        string
	Description string // plain text from the HTML
	Vendor      string
	Kind        string
	Tags        []string
	Options     [3]string // names; "" for none
	Image       string    // address of the first picture
	Published   bool
	Taxable     bool
	Variants    []Variant
}

// Variant is a variant of a product.
type Variant struct {
	Line      int
	Values    [3]string // values of the product's options
	SKU       string
	Barcode   string
	Price     int64  // minor units
	Stock     *int64 // nil if the file has none
	Uncounted bool   // the file marks the stock as not counted
	Backorder bool   // sold even without stock

	Reduced         bool   // the file has a column for former prices
	CompareAt, Cost *int64 // minor units; nil if the file has none
	Grams           *int64
	Unit            string // "", g, kg, lb or oz
	Image           string // address of the variant's own picture
}

// Problem is a mistake in the file.
type Problem struct {
	Line    int
	Column  string // as in the header; "" for the whole line
	Value   string // text of the cell
	Of      string // the product, customer or order as named in the file
	Message bus.Text
}

// Problems collects the mistakes in a file.
type Problems struct {
	First []Problem // at most MaxProblems, by line
	Total int
}

// Add adds a mistake.
func (all *Problems) Add(p Problem) {
	if all.Total++; len(all.First) < MaxProblems {
		p.Message = p.Message.Map(func(value string) string { return text.Line(value, maxNote) })
		p.Column, p.Value, p.Of = text.Line(p.Column, maxText), text.Line(p.Value, maxText), text.Line(p.Of, maxText)
		all.First = append(all.First, p)
	}
}

// Sort sorts the mistakes by line.
func (all *Problems) Sort() {
	slices.SortStableFunc(all.First, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
}

// Limits of the file.
const (
	MaxProblems = 1000 // further ones are only counted

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
