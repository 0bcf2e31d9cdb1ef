package shop

import _ "embed"

//go:embed phrases.de.txt
var german string

//go:embed answers.en.txt
var english string

// Vocabulary is what the built-in assistant has to know of a shop: other ways to say the words of the capabilities'
// phrases, on whose behalf things are done, which fields name a thing beside its name, phrases and answers in German,
// and answers in English.
func Vocabulary() (words map[string][]string, people, codes []string, inGerman, inEnglish string) {
	return map[string][]string{
		"cart":      {"basket", "sale", "purchase", "transaction", "ticket", "tab", "trolley"},
		"warenkorb": {"bon", "verkauf", "einkauf", "vorgang", "kassenbon"},
		"customer":  {"client", "cust"},
		"customers": {"clients", "custs"},
		"product":   {"prod"},
		"products":  {"things", "stuff", "articles"},
	}, []string{"customer"}, []string{"sku", "barcode"}, german, english
}

// Core lists the capabilities that the commonest jobs of a desk need, the commonest first: a model with little room is
// given them before others.
func Core() []string {
	return []string{"catalog.search", "customer.search", "cart.addItem", "cart.getSummary", "checkout.submit",
		"order.search", "order.get", "order.cancel", "order.addNote", "order.process", "cart.setQuantity",
		"cart.removeItem", "report.sales", "order.fulfil", "customer.get"}
}
