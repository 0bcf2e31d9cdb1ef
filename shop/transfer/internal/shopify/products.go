package shopify

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deskhand/deskhand/internal/number"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// Columns of a product export.
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
	colPosition  = "Image Position"
	colCompareAt = "Variant Compare At Price"
	colCost      = "Cost per item"
	colGrams     = "Variant Grams"
	colUnit      = "Variant Weight Unit"
	colPicture   = "Variant Image"
)

var (
	optionNames  = [3]string{"Option1 Name", "Option2 Name", "Option3 Name"}
	optionValues = [3]string{"Option1 Value", "Option2 Value", "Option3 Value"}
)

var products = layout{
	what: "a product export",
	columns: []string{colHandle, colTitle, colBody, colVendor, colType, colTags, colPublished, colStatus, colSKU,
		colTracker, colQty, colPolicy, colPrice, colTaxable, colBarcode, colImage, colPosition, colCompareAt, colCost,
		colGrams, colUnit, colPicture, optionNames[0], optionNames[1], optionNames[2],
		optionValues[0], optionValues[1], optionValues[2]},
	required: []string{colTitle, colPrice},
	// The column names of exports since 2025.
	also: map[string]string{
		"url handle": colHandle, "description": colBody, "published on online store": colPublished, "sku": colSKU,
		"barcode": colBarcode, "price": colPrice, "compare-at price": colCompareAt, "charge tax": colTaxable,
		"inventory tracker": colTracker, "inventory quantity": colQty,
		"continue selling when out of stock": colPolicy, "weight value (grams)": colGrams,
		"weight unit for display": colUnit, "product image url": colImage, "variant image url": colPicture,
	},
}

// ParseProducts parses a product export. digits is the number of minor digits of the currency. Prices are read exactly,
// never as floating-point numbers.
func ParseProducts(data io.Reader, digits int) (Products, error) {
	rs := &rows{layout: products}
	p := &parser{rows: rs, digits: digits, handles: map[string]int{}}
	rs.each(data, p.row)
	p.end()
	rs.Problems.Sort()
	p.file.Read = rs.Read
	return p.file, rs.err
}

type parser struct {
	*rows
	file    Products
	digits  int
	current *Product
	wrong   bool              // its first row was refused
	least   int               // position of the current product's picture
	broken  bool              // the current product's first row has no price to inherit
	options map[[3]string]int // line of each variant of the current product, by its values
	handles map[string]int    // line of the first row of each product
}

// end finishes the current product.
func (p *parser) end() {
	if p.current != nil && p.wrong {
		p.Left += p.current.Rows
	} else if p.current != nil {
		p.file.Products = append(p.file.Products, *p.current)
	}
	p.current = nil
}

func (p *parser) row(r *row) {
	handle := r.get(colHandle)
	if _, there := p.has[colHandle]; !there { // adjacent rows with the same title are one product
		handle = text.Line(strings.Join(text.Words(r.get(colTitle)), "-"), maxHandle)
	}
	p.of = handle
	further := p.current != nil && handle != "" && strings.EqualFold(p.current.Handle, handle)
	if !further {
		p.end()
	}
	wrong := p.fails(func() {
		switch first, seen := p.handles[strings.ToLower(handle)]; {
		case further:
			p.more(r)
		case handle == "":
			p.problem(r, colHandle, "The handle is missing.")
		case strings.ContainsFunc(handle, func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) }):
			p.problem(r, colHandle, "The handle %q has spaces or control characters.", handle)
		case seen:
			p.problem(r, colHandle, "The handle %q was used on line %d already; the rows of a product must "+
				"follow each other.", handle, first)
		default:
			p.handles[strings.Clone(strings.ToLower(handle))] = r.line
			p.short(r, colHandle, maxHandle)
			p.first(r, handle)
			p.wrong = false
		}
	})
	switch {
	case p.current == nil || wrong && further:
		p.Left++
	default:
		p.current.Rows++
		p.wrong = p.wrong || wrong
	}
}

// first reads the first row of a product.
func (p *parser) first(r *row, handle string) {
	product := Product{
		Line: r.line, Handle: handle, Name: p.short(r, colTitle, maxTitle), Vendor: p.short(r, colVendor, maxShort),
		Kind: p.short(r, colType, maxShort), Description: p.body(r), Published: p.flag(r, colPublished, true) && p.active(r),
		Taxable: p.flag(r, colTaxable, true), Tags: p.tags(r),
	}
	if product.Name == "" {
		p.problem(r, colTitle, "The first row of a product needs a title.")
	}
	for i, column := range optionNames {
		product.Options[i] = p.short(r, column, maxTag)
		if i > 0 && product.Options[i] != "" && product.Options[i-1] == "" {
			p.problem(r, column, "There is an option %d and no option %d.", i+1, i)
		}
	}
	if product.Options[0] == "Title" && r.get(optionValues[0]) == "Default Title" { // no options
		product.Options = [3]string{}
		r.cells[p.has[optionValues[0]]] = ""
	}
	p.current, p.options = &product, map[[3]string]int{}
	p.broken = r.get(colPrice) == ""
	if p.broken {
		p.problem(r, colPrice, "The first variant of a product needs a price.")
	}
	p.image(r)
	product.Variants = []Variant{p.variant(r)}
}

// more reads a further row of a product: a variant, an image, or both.
func (p *parser) more(r *row) {
	if title := text.Line(r.get(colTitle), maxTitle); title != "" && title != p.current.Name {
		p.problem(r, colTitle, "The title %q is not the product's, %q.", title, p.current.Name)
	}
	for i, column := range optionNames {
		name := text.Line(r.get(column), maxTag)
		if none := i == 0 && name == "Title" && p.current.Options[0] == ""; name != "" && name != p.current.Options[i] &&
			!none {
			p.problem(r, column, "The option is called %q here and %q in the product's first row.", name,
				p.current.Options[i])
		}
	}
	picture := p.image(r)
	isVariant := slices.ContainsFunc([]string{optionValues[0], optionValues[1], optionValues[2], colSKU, colPrice,
		colBarcode, colQty},
		func(column string) bool { return r.get(column) != "" })
	switch {
	case isVariant:
		var v Variant
		if !p.fails(func() { v = p.variant(r) }) {
			p.current.Variants = append(p.current.Variants, v)
		}
	case !picture:
		p.problem(r, "", "The row has neither a variant nor an image.")
	}
}

// variant reads the variant in a row.
func (p *parser) variant(r *row) (v Variant) {
	product := p.current
	v = Variant{Line: r.line, SKU: p.code(r, colSKU, maxShort), Barcode: p.code(r, colBarcode, maxTag)}
	for i, column := range optionValues {
		v.Values[i] = p.short(r, column, maxShort)
		switch {
		case v.Values[i] != "" && product.Options[i] == "":
			p.problem(r, column, "There is a value %q and the product has no option %d.", v.Values[i], i+1)
		case v.Values[i] == "" && product.Options[i] != "":
			p.problem(r, column, "The variant has no value for the option %q.", product.Options[i])
		}
	}
	if line, twice := p.options[v.Values]; twice {
		p.problem(r, optionValues[0], "Line %d has the same options.", line)
	} else {
		p.options[v.Values] = r.line
	}
	if len(product.Variants) == maxVariants {
		p.problem(r, "", "The product has more than %d variants.", maxVariants)
		return v
	}
	p.price(r, &v)
	p.stock(r, &v)
	p.goods(r, &v)
	return v
}

// price reads a price, or inherits that of the first variant.
func (p *parser) price(r *row, v *Variant) {
	given := r.get(colPrice)
	if given == "" {
		if !p.broken {
			v.Price = p.current.Variants[0].Price
		}
		return
	}
	v.Price = p.amount(r, colPrice, p.digits)
}

// stock reads the stock and whether it is counted. With a tracker column, an empty tracker means not counted.
func (p *parser) stock(r *row, v *Variant) {
	switch strings.ToLower(r.get(colPolicy)) {
	case "", "deny", "false":
	case "continue", "true":
		v.Backorder = true
	default:
		p.problem(r, colPolicy, "%q is neither deny nor continue.", r.get(colPolicy))
	}
	given := r.get(colQty)
	var quantity int64
	if given != "" {
		n, ok := p.pieces(r, colQty)
		switch {
		case !ok || n > maxStock || n < -maxStock:
			p.problem(r, colQty, "%q is not a whole number of pieces.", given)
		case n < 0 && !v.Backorder:
			p.problem(r, colQty, "There cannot be %d pieces unless the policy is continue.", n)
		}
		quantity = n
	}
	_, tracked := p.has[colTracker]
	switch {
	case tracked && r.get(colTracker) == "":
		v.Uncounted = true
	case given != "" || tracked:
		v.Stock = &quantity
	}
}

// goods reads the remaining columns of a variant.
func (p *parser) goods(r *row, v *Variant) {
	_, v.Reduced = p.has[colCompareAt]
	v.CompareAt, v.Cost = p.optional(r, colCompareAt), p.optional(r, colCost)
	if v.CompareAt != nil && *v.CompareAt == 0 { // some exports write 0 for none
		v.CompareAt = nil
	}
	if given := r.get(colGrams); given != "" {
		switch grams, why := p.number(given, 0, true); {
		case why == number.Ambiguous:
			p.unclear(r, colGrams)
		case why == "" && grams >= 0 && grams <= maxGrams:
			v.Grams = &grams
		default:
			p.problem(r, colGrams, "%q is not a weight in grams.", given)
		}
	}
	switch v.Unit = strings.ToLower(r.get(colUnit)); v.Unit {
	case "", "g", "kg", "lb", "oz":
	default:
		p.problem(r, colUnit, "%q is not g, kg, lb or oz.", r.get(colUnit))
	}
	v.Image = p.picture(r, colPicture)
}

// optional returns an optional amount.
func (p *parser) optional(r *row, column string) *int64 {
	if r.get(column) == "" {
		return nil
	}
	n := p.amount(r, column, p.digits)
	return &n
}

// image records the address of a picture and reports whether the row has one. A product keeps the picture with the
// lowest position.
func (p *parser) image(r *row) bool {
	if r.get(colImage) == "" {
		return false
	}
	src := p.picture(r, colImage)
	if src == "" {
		return true
	}
	position, err := strconv.Atoi(r.get(colPosition))
	if err != nil {
		position = math.MaxInt
	}
	if p.file.Images++; p.current.Image == "" || position < p.least {
		if p.current.Image == "" {
			p.file.Kept++
		}
		p.current.Image, p.least = src, position
	}
	return true
}

// picture returns a cell with the address of a picture, or "" if it is empty or invalid.
func (p *parser) picture(r *row, column string) string {
	src := r.get(column)
	if src != "" && !isWebAddress(src) {
		p.problem(r, column, "That is not the address of a picture on the web.")
		return ""
	}
	return src
}

// isWebAddress reports whether s is an http or https address with a host. The address is only stored and never fetched,
// so no further check is necessary.
func isWebAddress(s string) bool {
	rest, ok := strings.CutPrefix(s, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(s, "http://")
	}
	host, _, _ := strings.Cut(rest, "/")
	odd := func(c rune) bool {
		return unicode.IsSpace(c) || !unicode.IsPrint(c) || strings.ContainsRune("\"<>\\", c)
	}
	return ok && host != "" && len(s) <= maxURL && !strings.ContainsFunc(s, odd)
}

// body returns the description as plain text.
func (p *parser) body(r *row) string {
	html := r.get(colBody)
	if len(html) > maxBody {
		p.problem(r, colBody, "The text is longer than %d characters.", maxBody)
		return ""
	}
	return text.Block(plainText(html), maxBody)
}

func (p *parser) tags(r *row) []string {
	tags := []string{}
	for _, tag := range strings.Split(r.get(colTags), ",") {
		if tag = text.Line(tag, maxTag+1); tag == "" {
			continue
		}
		if utf8.RuneCountInString(tag) > maxTag {
			p.problem(r, colTags, "A tag is longer than %d characters.", maxTag)
			continue
		}
		if len(tags) == maxTags {
			p.problem(r, colTags, "There are more than %d tags.", maxTags)
			break
		}
		if !slices.ContainsFunc(tags, func(other string) bool { return text.Fold(other) == text.Fold(tag) }) {
			tags = append(tags, tag)
		}
	}
	return tags
}

func (p *parser) active(r *row) bool {
	switch strings.ToLower(r.get(colStatus)) {
	case "", "active", "unlisted": // unlisted products appear in no list of the web shop, but are for sale
		return true
	case "draft", "archived":
		return false
	}
	p.problem(r, colStatus, "%q is not active, unlisted, draft or archived.", r.get(colStatus))
	return false
}
