package shopfile

// Order is an order with its whole history. It keeps the names, prices and address from when it was placed, even if the
// catalog and the customer have changed.
type Order struct {
	ID                string       `json:"id"`
	ExportedName      string       `json:"exportedName,omitempty"` // name in the previous shop
	CustomerID        string       `json:"customerId,omitempty"`   // "" for a walk-in
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
	TaxIncluded       *bool        `json:"taxIncluded,omitempty"` // nil: as in the shop
	Shipping          Money        `json:"shipping,omitzero"`
	ShippingTaxes     []Rate       `json:"shippingTaxes,omitempty"` // the taxed parts of shipping
	Total             Money        `json:"total"`
	DiscountPercent   int64        `json:"discountPercent,omitempty"` // on all lines together
	DiscountAmount    Money        `json:"discountAmount,omitzero"`
	DiscountReason    string       `json:"discountReason,omitempty"`
	ShippingMethod    string       `json:"shippingMethod,omitempty"`
	EstimatedDelivery string       `json:"estimatedDelivery,omitempty"` // "": the day of the order
	GiftMessage       string       `json:"giftMessage,omitempty"`
	Address           OrderAddress `json:"address"`
	Lines             []Line       `json:"lines"`
	Payments          []Payment    `json:"payments,omitempty"`
	Fulfilments       []Fulfilment `json:"fulfilments,omitempty"`
	Requests          []Request    `json:"requests,omitempty"`
	Notes             []Note       `json:"notes,omitempty"`
	Changes           []Note       `json:"changes,omitempty"`
	Movements         *[]Movement  `json:"movements,omitempty"` // nil: the movements that follow from the lines
}

// OrderAddress is the delivery address of an order. Removed means that the customer no longer has the address with this
// id.
type OrderAddress struct {
	ID      string `json:"id,omitempty"`
	Removed bool   `json:"removed,omitempty"`
	Postal
}

// Rate is a net amount and tax at one rate.
type Rate struct {
	RatePPM int64 `json:"ratePpm"`
	Net     Money `json:"net"`
	Tax     Money `json:"tax"`
}

// Line is a line of an order. Omitted names are taken from the catalog.
type Line struct {
	Line int64 `json:"line,omitempty"` // line number; 0: the next one

	ProductID string  `json:"productId,omitempty"`
	ID        string  `json:"id,omitempty"`        // "" stands for the variant's
	VariantID string  `json:"variantId,omitempty"` // "": an open item
	Removed   bool    `json:"removed,omitempty"`   // the catalog no longer has the variant
	SKU       *string `json:"sku,omitempty"`
	Name      string  `json:"name,omitempty"`
	Label     *string `json:"label,omitempty"`
	Quantity  int64   `json:"quantity"`
	Price     Money   `json:"price"`
	Discount  Money   `json:"discount,omitzero"`
	Tax       Money   `json:"tax,omitzero"`

	DiscountTax *Money `json:"discountTax,omitempty"` // of the discount if prices include tax; nil: from the rate

	// The discount on this line alone. If both are absent, the whole discount is an amount.
	DiscountPercent int64  `json:"discountPercent,omitempty"`
	DiscountAmount  *Money `json:"discountAmount,omitempty"`

	RatePPM    int64  `json:"ratePpm,omitempty"`
	ReturnedBy string `json:"returnedBy,omitempty"` // the request that returned it
	Reason     string `json:"discountReason,omitempty"`
	Note       string `json:"note,omitempty"`
}

// Payment is a payment or a refund.
type Payment struct {
	ID       string `json:"id,omitempty"`
	Kind     string `json:"kind"`
	MethodID string `json:"methodId"`
	Removed  bool   `json:"removed,omitempty"`  // the customer no longer has the method
	Label    string `json:"label,omitempty"`    // "" stands for the method's
	Amount   Money  `json:"amount"`             // before cash rounding
	Rounding int64  `json:"rounding,omitempty"` // minor units that rounding of cash added
	Tendered Money  `json:"tendered,omitzero"`  // cash handed over
	// GivesBack is the id of the refunded payment; "" if unknown.
	GivesBack string `json:"givesBack,omitempty"`
	Time      int64  `json:"at"`
}

// Fulfilment is a parcel. A parcel without variants contains the whole order.
type Fulfilment struct {
	ID         string   `json:"id,omitempty"`
	TrackingID string   `json:"trackingId,omitempty"`
	Time       int64    `json:"at"`
	VariantIDs []string `json:"variantIds,omitempty"` // ids of lines
}

// Request is a return or an exchange, which is requested first and received later.
type Request struct {
	ID          string        `json:"id"`
	Kind        string        `json:"kind"`
	Status      string        `json:"status"`
	RequestedAt int64         `json:"requestedAt"`
	ReceivedAt  int64         `json:"receivedAt,omitempty"`
	MethodID    string        `json:"methodId,omitempty"`
	Removed     bool          `json:"removed,omitempty"`
	MethodLabel string        `json:"methodLabel,omitempty"`
	Amount      Money         `json:"amount,omitzero"` // positive is charged, negative refunded
	Restocked   bool          `json:"restocked,omitempty"`
	Reason      string        `json:"reason,omitempty"`
	By          string        `json:"by,omitempty"`
	Lines       []RequestLine `json:"lines"`
}

// RequestLine is a returned line, with its replacement in an exchange.
type RequestLine struct {
	LineID       string `json:"lineId,omitempty"`
	VariantID    string `json:"variantId,omitempty"`
	Quantity     int64  `json:"quantity"`
	NewVariantID string `json:"newVariantId,omitempty"`
	NewPrice     Money  `json:"newPrice,omitzero"`
	NewRatePPM   int64  `json:"newRatePpm,omitempty"`
	Received     int64  `json:"received,omitempty"` // pieces
}

// Note is a note on an order or a customer.
type Note struct {
	ID   string `json:"id,omitempty"`
	Text string `json:"text"`
	By   string `json:"by,omitempty"`
	Time int64  `json:"at"`
}
