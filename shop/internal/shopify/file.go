// Package shopify reads product exports in Shopify's CSV format. It checks
// everything that can be known from the file alone and names line and column of
// every mistake; it changes nothing.
//
// A product is the rows with one handle, next to each other. The first carries
// the product's own columns and its first variant; a further row is another
// variant, or only an image. What an empty price means: an image row has none;
// a further variant takes the price of the first one; the first variant must
// have its own.
package shopify

// File is a product export that was read.
type File struct {
	Products []Product
	Rows     int      // without the header and empty ones
	Images   int      // addresses of pictures; they are not fetched
	Ignored  []string // columns that mean nothing to us
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
}

// Problem is one mistake in the file.
type Problem struct {
	Line    int
	Column  string // as in the header; "" is the whole line
	Message string // one sentence
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
	maxPrice  = 100_000_000 // minor units
	maxStock  = 10_000_000
)

// Columns that are read.
const (
	colHandle    = "Handle"
	colTitle     = "Title"
	colBody      = "Body (HTML)"
	colVendor    = "Vendor"
	colType      = "Type"
	colTags      = "Tags"
	colPublished = "Published"
	colStatus    = "Status"
	colSKU       = "Variant SKU"
	colTracker   = "Variant Inventory Tracker"
	colQty       = "Variant Inventory Qty"
	colPolicy    = "Variant Inventory Policy"
	colPrice     = "Variant Price"
	colTaxable   = "Variant Taxable"
	colBarcode   = "Variant Barcode"
	colImage     = "Image Src"
)

var (
	optionNames  = [3]string{"Option1 Name", "Option2 Name", "Option3 Name"}
	optionValues = [3]string{"Option1 Value", "Option2 Value", "Option3 Value"}
)

// known are all columns that are read; required those a file must have.
var (
	known = []string{colHandle, colTitle, colBody, colVendor, colType, colTags, colPublished, colStatus, colSKU, colTracker, colQty, colPolicy,
		colPrice, colTaxable, colBarcode, colImage, optionNames[0], optionNames[1], optionNames[2], optionValues[0], optionValues[1], optionValues[2]}
	required = []string{colHandle, colTitle, colPrice}
)
