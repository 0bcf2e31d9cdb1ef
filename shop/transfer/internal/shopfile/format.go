// Package shopfile reads and writes a whole shop as one JSON file, one element at a time. Reader and writer hold at
// most one product, customer or order in memory. The JSON Schema in this folder defines the format. The reader checks
// every element against it.
package shopfile

import "github.com/deskhand/deskhand/shop/internal/core"

// Format and Version are the first values of every file.
const (
	Format  = "deskhand.shop"
	Version = 1
)

// Money is an amount in minor units of the shop's currency. An optional amount of zero is omitted from the file.
type Money struct {
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
}

// IsZero reports whether the amount is zero, for fields with omitzero.
func (m Money) IsZero() bool { return m.Amount == 0 }

// Shop holds the settings of the shop.
type Shop struct {
	Name             string `json:"name"`
	Currency         string `json:"currency"` // ISO 4217
	TimeZone         string `json:"timeZone"`
	Locale           string `json:"locale,omitempty"` // BCP 47; "": en-US
	PricesIncludeTax bool   `json:"pricesIncludeTax"`
	DiscountLimit    int64  `json:"discountLimit"`      // highest percentage a clerk may give
	RefundLimit      Money  `json:"refundLimit"`        // highest refund a clerk may give at once
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

	TaxClass *string `json:"taxClass,omitempty"` // nil, "none": untaxed; "": as the goods
}

// Product is a product with its variants, in their order.
type Product struct {
	ID               string    `json:"id"`
	Handle           string    `json:"handle,omitempty"` // "" stands for the id
	Name             string    `json:"name"`
	Description      string    `json:"description,omitempty"`
	Vendor           string    `json:"vendor,omitempty"`
	Kind             string    `json:"kind,omitempty"`
	Image            string    `json:"image,omitempty"`
	Picture          []byte    `json:"picture,omitempty"`  // JPEG
	Options          []string  `json:"options,omitempty"`  // names of up to three options
	TaxClass         string    `json:"taxClass,omitempty"` // "" stands for the file's first
	Published        *bool     `json:"published,omitempty"`
	Tags             []string  `json:"tags,omitempty"`
	DefaultVariantID string    `json:"defaultVariantId,omitempty"`
	CreatedAt        int64     `json:"createdAt,omitempty"` // 0: the time of the import
	Variants         []Variant `json:"variants"`
}

// Variant is one sellable form of a product. Movements are the ones without an order. With nil movements, the import
// adds an opening movement that explains the stock.
type Variant struct {
	ID           string        `json:"id"`
	SKU          string        `json:"sku,omitempty"`
	Barcode      string        `json:"barcode,omitempty"`
	Options      []string      `json:"options,omitempty"` // values
	Price        Money         `json:"price"`
	Stock        *int64        `json:"stock,omitempty"`        // nil: not counted
	ReorderLevel *int64        `json:"reorderLevel,omitempty"` // nil: the shop's default
	Cost         *Money        `json:"cost,omitempty"`         // of a piece; nil: unknown
	CompareAt    *Money        `json:"compareAt,omitempty"`    // nil: not reduced
	WeightGrams  *int64        `json:"weightGrams,omitempty"`  // nil: unknown
	WeightUnit   string        `json:"weightUnit,omitempty"`   // unit for display
	Image        string        `json:"image,omitempty"`        // web address
	Backorder    bool          `json:"backorder,omitempty"`
	Available    *bool         `json:"available,omitempty"` // nil: yes
	PriceChanges []PriceChange `json:"priceChanges,omitempty"`
	Movements    *[]Movement   `json:"movements,omitempty"`
}

// PriceChange is a former price of a variant.
type PriceChange struct {
	ID   string `json:"id,omitempty"`
	Was  Money  `json:"was"`
	Is   Money  `json:"is"`
	By   string `json:"by,omitempty"`
	Time int64  `json:"at"`
}

// Movement is a change of stock. VariantID is present only in orders.
type Movement struct {
	ID        string `json:"id,omitempty"`
	VariantID string `json:"variantId,omitempty"`
	Delta     int64  `json:"delta"`
	Reason    string `json:"reason"`
	Note      string `json:"note,omitempty"`
	Cost      *Money `json:"cost,omitempty"` // cost of a received piece
	By        string `json:"by,omitempty"`
	Time      int64  `json:"at"`
}

// Customer is a customer with addresses and payment methods.
type Customer struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Email     string          `json:"email,omitempty"`
	Phone     string          `json:"phone,omitempty"`
	CreatedAt int64           `json:"createdAt,omitempty"` // 0: the time of the import
	ErasedAt  int64           `json:"erasedAt,omitempty"`
	Addresses []Address       `json:"addresses,omitempty"`
	Methods   []PaymentMethod `json:"paymentMethods,omitempty"`
	Notes     []Note          `json:"notes,omitempty"`
}

// Address is a saved address of a customer.
type Address struct {
	ID string `json:"id,omitempty"`
	Postal
	Default   *bool `json:"default,omitempty"`   // nil in all: the first; false in one and true in none: none
	CreatedAt int64 `json:"createdAt,omitempty"` // 0: as the customer's
}

// Postal is a postal address as an order stores it.
type Postal struct {
	Label      string `json:"label"`
	Line1      string `json:"line1"`
	Line2      string `json:"line2,omitempty"`
	City       string `json:"city"`
	Region     string `json:"region,omitempty"`
	PostalCode string `json:"postalCode"`
	Country    string `json:"country"`
}

// PaymentMethod is a saved payment method. Only gift cards have a balance.
type PaymentMethod struct {
	ID         string `json:"id"`
	Kind       string `json:"kind"`
	Brand      string `json:"brand,omitempty"`
	LastFour   string `json:"lastFour,omitempty"`
	Balance    *Money `json:"balance,omitempty"`
	Default    *bool  `json:"default,omitempty"`   // as for addresses
	CreatedAt  int64  `json:"createdAt,omitempty"` // 0: as the customer's
	LastUsedAt int64  `json:"lastUsedAt,omitempty"`
}
