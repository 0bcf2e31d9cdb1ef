package shop

// Vocabulary is what the built-in assistant has to know of a shop: other ways to say the words of the capabilities'
// phrases, on whose behalf things are done, and which fields name a thing beside its name.
func Vocabulary() (words map[string][]string, people, codes []string) {
	return map[string][]string{
		"cart":      {"basket"},
		"customer":  {"client", "cust"},
		"customers": {"clients", "custs"},
		"product":   {"prod"},
		"products":  {"things", "stuff", "articles"},
	}, []string{"customer"}, []string{"sku", "barcode"}
}
