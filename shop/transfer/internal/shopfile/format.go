// Package shopfile reads and writes a whole shop as one JSON file, an element at a time: neither side ever holds more
// than one product, customer or order. The file's form is the JSON Schema beside this code, and every element that is
// read is held to it.
package shopfile

import "github.com/deskhand/deskhand/shop/internal/core"

// Format and Version begin every file.
const (
	Format  = "deskhand.shop"
	Version = 1
)

// Money is an amount in minor units of the shop's currency. An amount of zero is left out of a file where it may be.
type Money struct {
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
}

// IsZero is asked for fields with omitzero.
func (m Money) IsZero() bool { return m.Amount == 0 }

// Shop is the shop itself.
type Shop struct {
	Name             string `json:"name"`
	Currency         string `json:"currency"` // ISO 4217
	TimeZone         string `json:"timeZone"`
	Locale           string `json:"locale,omitempty"` // BCP 47; "": en-US
	PricesIncludeTax bool   `json:"pricesIncludeTax"`
	DiscountLimit    int64  `json:"discountLimit"`      // percent a clerk may give
	RefundLimit      Money  `json:"refundLimit"`        // what a clerk may refund at once
	CashStep         int64  `json:"cashStep,omitempty"` // the smallest coin in minor units; 0: cash is not rounded
	Logo             []byte `json:"logo,omitempty"`     // JPEG
	core.Profile
}

// TaxClass is a tax rate of products.
type TaxClass struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	RatePPM int64  `json:"ratePpm"`
}

// ShippingMethod is a way to send an order; the first of a file is the default.
type ShippingMethod struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Price Money  `json:"price"`
	Days  int64  `json:"days"` // business days

	TaxClass *string `json:"taxClass,omitempty"` // nil, "none": not taxed; "": as the goods
}

// Product is a product with its variants, in their order.
type Product struct {
	ID               string    `json:"id"`
	Handle           string    `json:"handle,omitempty"` // "": the id
	Name             string    `json:"name"`
	Description      string    `json:"description,omitempty"`
	Vendor           string    `json:"vendor,omitempty"`
	Kind             string    `json:"kind,omitempty"`
	Image            string    `json:"image,omitempty"`
	Picture          []byte    `json:"picture,omitempty"`  // JPEG
	Options          []string  `json:"options,omitempty"`  // names of up to three
	TaxClass         string    `json:"taxClass,omitempty"` // "": the file's first
	Published        *bool     `json:"published,omitempty"`
	Tags             []string  `json:"tags,omitempty"`
	DefaultVariantID string    `json:"defaultVariantId,omitempty"`
	CreatedAt        int64     `json:"createdAt,omitempty"` // 0: when it is imported
	Variants         []Variant `json:"variants"`
}

// Variant is what is sold. Movements are those that belong to no order; nil, as
// against none, lets an opening movement make the stock what it is.
type Variant struct {
	ID           string        `json:"id"`
	SKU          string        `json:"sku,omitempty"`
	Barcode      string        `json:"barcode,omitempty"`
	Options      []string      `json:"options,omitempty"` // values
	Price        Money         `json:"price"`
	Stock        *int64        `json:"stock,omitempty"`        // nil: not counted
	ReorderLevel *int64        `json:"reorderLevel,omitempty"` // nil: none of its own
	Cost         *Money        `json:"cost,omitempty"`         // of a piece; nil: not known
	CompareAt    *Money        `json:"compareAt,omitempty"`    // nil: not reduced
	WeightGrams  *int64        `json:"weightGrams,omitempty"`  // nil: not known
	WeightUnit   string        `json:"weightUnit,omitempty"`   // it is shown in
	Image        string        `json:"image,omitempty"`        // address
	Backorder    bool          `json:"backorder,omitempty"`
	Available    *bool         `json:"available,omitempty"` // nil: yes
	PriceChanges []PriceChange `json:"priceChanges,omitempty"`
	Movements    *[]Movement   `json:"movements,omitempty"`
}

// PriceChange is a price that a variant had.
type PriceChange struct {
	ID   string `json:"id,omitempty"`
	Was  Money  `json:"was"`
	Is   Money  `json:"is"`
	By   string `json:"by,omitempty"`
	Time int64  `json:"at"`
}

// Movement is a change of stock. VariantID is said in an order only.
type Movement struct {
	ID        string `json:"id,omitempty"`
	VariantID string `json:"variantId,omitempty"`
	Delta     int64  `json:"delta"`
	Reason    string `json:"reason"`
	Note      string `json:"note,omitempty"`
	Cost      *Money `json:"cost,omitempty"` // of a piece that was received
	By        string `json:"by,omitempty"`
	Time      int64  `json:"at"`
}

// Customer is a customer with addresses and payment methods.
type Customer struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Email     string          `json:"email,omitempty"`
	Phone     string          `json:"phone,omitempty"`
	CreatedAt int64           `json:"createdAt,omitempty"` // 0: when it is imported
	ErasedAt  int64           `json:"erasedAt,omitempty"`
	Addresses []Address       `json:"addresses,omitempty"`
	Methods   []PaymentMethod `json:"paymentMethods,omitempty"`
	Notes     []Note          `json:"notes,omitempty"`
}

// Address is where something can be sent.
type Address struct {
	ID string `json:"id,omitempty"`
	Postal
	Default   *bool `json:"default,omitempty"`   // nil in all: the first; false in one and true in none: none
	CreatedAt int64 `json:"createdAt,omitempty"` // 0: with the customer
}

// Postal is an address as an order keeps it.
type Postal struct {
	Label      string `json:"label"`
	Line1      string `json:"line1"`
	Line2      string `json:"line2,omitempty"`
	City       string `json:"city"`
	Region     string `json:"region,omitempty"`
	PostalCode string `json:"postalCode"`
	Country    string `json:"country"`
}

// PaymentMethod is how a customer pays. Balance is of gift cards.
type PaymentMethod struct {
	ID         string `json:"id"`
	Kind       string `json:"kind"`
	Brand      string `json:"brand,omitempty"`
	LastFour   string `json:"lastFour,omitempty"`
	Balance    *Money `json:"balance,omitempty"`
	Default    *bool  `json:"default,omitempty"`   // as an address's
	CreatedAt  int64  `json:"createdAt,omitempty"` // 0: with the customer
	LastUsedAt int64  `json:"lastUsedAt,omitempty"`
}
