package shop

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"sync"
)

// phrases has the file phrases.de.txt, compressed. Internal/gen writes it.
//
//go:embed phrases.de.txt.gz
var phrases []byte

var german = sync.OnceValue(func() string {
	file, err := gzip.NewReader(bytes.NewReader(phrases))
	if err != nil {
		panic("shop: " + err.Error()) // it is embedded above
	}
	text, err := io.ReadAll(file)
	if err != nil {
		panic("shop: " + err.Error())
	}
	return string(text)
})

//go:embed answers.en.txt
var english string

// Vocabulary returns the shop's vocabulary for the built-in assistant: synonyms for words in the capabilities' phrases,
// the kinds of people that a task can be for, fields besides the name that identify a record, phrases and answers in
// German, and answers in English.
func Vocabulary() (words map[string][]string, people, codes []string, inGerman, inEnglish string) {
	return map[string][]string{
		"cart":      {"basket", "sale", "purchase", "transaction", "ticket", "tab", "trolley"},
		"warenkorb": {"bon", "verkauf", "einkauf", "vorgang", "kassenbon"},
		"customer":  {"client", "cust"},
		"customers": {"clients", "custs"},
		"product":   {"prod"},
		"products":  {"things", "stuff", "articles"},
	}, []string{"customer"}, []string{"sku", "barcode"}, german(), english
}

// Core lists the capabilities for the most common tasks of a desk, most common first. A model with a small context
// receives them before others.
func Core() []string {
	return []string{"catalog.search", "customer.search", "cart.addItem", "cart.getSummary", "checkout.submit",
		"order.search", "order.get", "order.cancel", "order.addNote", "order.process", "cart.setQuantity",
		"cart.removeItem", "report.sales", "order.fulfil", "customer.get"}
}
