package document

import "cmp"

// words holds the display texts of the shop's codes.
var words = map[string]string{
	"pending": "Pending", "processed": "Packed", "delivered": "Delivered", "cancelled": "Cancelled",
	"takeAway": "Taken along", "pickUp": "Picked up", "deliver": "Delivered",
	"cash": "Cash", "card": "Card", "paypal": "PayPal", "giftCard": "Gift card", "onAccount": "On account",
	"transfer": "Bank transfer", "other": "Other", "erased": "Erased",
	"faulty": "Faulty", "not as described": "Not as described", "changed mind": "Changed their mind",
	"not said": "Not said",
}

// inWords returns the display text of a code. Other texts stay the same.
func inWords(code string) string { return cmp.Or(words[code], code) }
