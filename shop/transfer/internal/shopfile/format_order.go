package shopfile

// Order is an order with all that became of it. What it was placed with — names,
// prices, the address — is kept, even if the catalog and the customer differ now.
type Order struct {
	ID                string       `json:"id"`
	ExportedName      string       `json:"exportedName,omitempty"` // in the shop it was brought in from
	CustomerID        string       `json:"customerId,omitempty"`   // "": a walk-in's
	Fulfilment        string       `json:"fulfilment,omitempty"`   // "": deliver
	Status            string       `json:"status"`
	PlacedAt          int64        `json:"placedAt"`
	PlacedBy          string       `json:"placedBy,omitempty"`
	ProcessedAt       int64        `json:"processedAt,omitempty"`
	DeliveredAt       int64        `json:"deliveredAt,omitempty"`
	CancelledAt       int64        `json:"cancelledAt,omitempty"`
	CancelledBy       string       `json:"cancelledBy,omitempty"`
	CancelReason      string       `json:"cancelReason,omitempty"`
	ItemsChangedAt    int64        `json:"itemsChangedAt,omitempty"`
	TaxIncluded       *bool        `json:"taxIncluded,omitempty"` // nil: as the shop's prices
	Shipping          Money        `json:"shipping,omitzero"`
	ShippingTaxes     []Rate       `json:"shippingTaxes,omitempty"` // its taxed parts
	Total             Money        `json:"total"`
	DiscountPercent   int64        `json:"discountPercent,omitempty"` // of all lines together
	DiscountAmount    Money        `json:"discountAmount,omitzero"`
	DiscountReason    string       `json:"discountReason,omitempty"`
	ShippingMethod    string       `json:"shippingMethod,omitempty"`
	EstimatedDelivery string       `json:"estimatedDelivery,omitempty"` // "": the day it was placed
	GiftMessage       string       `json:"giftMessage,omitempty"`
	Address           OrderAddress `json:"address"`
	Lines             []Line       `json:"lines"`
	Payments          []Payment    `json:"payments,omitempty"`
	Fulfilments       []Fulfilment `json:"fulfilments,omitempty"`
	Requests          []Request    `json:"requests,omitempty"`
	Notes             []Note       `json:"notes,omitempty"`
	Changes           []Note       `json:"changes,omitempty"`
	Movements         *[]Movement  `json:"movements,omitempty"` // nil: as the lines say
}

// OrderAddress is where an order goes. Removed: the customer does not have the address of this id any more.
type OrderAddress struct {
	ID      string `json:"id,omitempty"`
	Removed bool   `json:"removed,omitempty"`
	Postal
}

// Rate is net and tax at one rate.
type Rate struct {
	RatePPM int64 `json:"ratePpm"`
	Net     Money `json:"net"`
	Tax     Money `json:"tax"`
}

// Line is a line of an order. Names that are left out are the catalog's.
type Line struct {
	Line int64 `json:"line,omitempty"` // its number; 0: the next one

	ProductID string  `json:"productId,omitempty"`
	ID        string  `json:"id,omitempty"`        // "": the variant's
	VariantID string  `json:"variantId,omitempty"` // "": an open item
	Removed   bool    `json:"removed,omitempty"`   // the catalog does not have the variant any more
	SKU       *string `json:"sku,omitempty"`
	Name      string  `json:"name,omitempty"`
	Label     *string `json:"label,omitempty"`
	Quantity  int64   `json:"quantity"`
	Price     Money   `json:"price"`
	Discount  Money   `json:"discount,omitzero"`
	Tax       Money   `json:"tax,omitzero"`

	DiscountTax *Money `json:"discountTax,omitempty"` // of the discount, where prices include tax; absent: by the rate

	// The discount of the line alone; both absent: an amount, the whole discount.
	DiscountPercent int64  `json:"discountPercent,omitempty"`
	DiscountAmount  *Money `json:"discountAmount,omitempty"`

	RatePPM    int64  `json:"ratePpm,omitempty"`
	ReturnedBy string `json:"returnedBy,omitempty"` // the request by which it came back
	Reason     string `json:"discountReason,omitempty"`
	Note       string `json:"note,omitempty"`
}

// Payment is a payment or a refund.
type Payment struct {
	ID       string `json:"id,omitempty"`
	Kind     string `json:"kind"`
	MethodID string `json:"methodId"`
	Removed  bool   `json:"removed,omitempty"`  // the customer does not have the method any more
	Label    string `json:"label,omitempty"`    // "": the method's
	Amount   Money  `json:"amount"`             // before cash was rounded
	Rounding int64  `json:"rounding,omitempty"` // minor units that cash was more, or less
	Tendered Money  `json:"tendered,omitzero"`  // cash handed over
	// GivesBack is the payment of which a refund is; "": not said.
	GivesBack string `json:"givesBack,omitempty"`
	Time      int64  `json:"at"`
}

// Fulfilment is a parcel; one without variants held everything.
type Fulfilment struct {
	ID         string   `json:"id,omitempty"`
	TrackingID string   `json:"trackingId,omitempty"`
	Time       int64    `json:"at"`
	VariantIDs []string `json:"variantIds,omitempty"` // ids of lines
}

// Request is a return or an exchange: asked for first, received later.
type Request struct {
	ID          string        `json:"id"`
	Kind        string        `json:"kind"`
	Status      string        `json:"status"`
	RequestedAt int64         `json:"requestedAt"`
	ReceivedAt  int64         `json:"receivedAt,omitempty"`
	MethodID    string        `json:"methodId,omitempty"`
	Removed     bool          `json:"removed,omitempty"`
	MethodLabel string        `json:"methodLabel,omitempty"`
	Amount      Money         `json:"amount,omitzero"` // charged; refunded when negative
	Restocked   bool          `json:"restocked,omitempty"`
	Reason      string        `json:"reason,omitempty"`
	By          string        `json:"by,omitempty"`
	Lines       []RequestLine `json:"lines"`
}

// RequestLine is what comes back, and in an exchange for what.
type RequestLine struct {
	LineID       string `json:"lineId,omitempty"`
	VariantID    string `json:"variantId,omitempty"`
	Quantity     int64  `json:"quantity"`
	NewVariantID string `json:"newVariantId,omitempty"`
	NewPrice     Money  `json:"newPrice,omitzero"`
	NewRatePPM   int64  `json:"newRatePpm,omitempty"`
	Received     int64  `json:"received,omitempty"` // pieces
}

// Note is something said about an order or a customer.
type Note struct {
	ID   string `json:"id,omitempty"`
	Text string `json:"text"`
	By   string `json:"by,omitempty"`
	Time int64  `json:"at"`
}
