package document

import "cmp"

// words are the codes of the shop as people read them in a list.
var words = map[string]string{
	"pending": "Pending", "processed": "Packed", "delivered": "Delivered", "cancelled": "Cancelled",
	"takeAway": "Taken along", "pickUp": "Picked up", "deliver": "Delivered",
	"cash": "Cash", "card": "Card", "paypal": "PayPal", "giftCard": "Gift card", "onAccount": "On account",
	"transfer": "Bank transfer", "other": "Other", "erased": "Erased",
	"faulty": "Faulty", "not as described": "Not as described", "changed mind": "Changed their mind",
	"not said": "Not said",
}

// inWords is a code as people read it; what is no code stays as it is.
func inWords(code string) string { return cmp.Or(words[code], code) }
