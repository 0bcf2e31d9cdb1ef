package shopfile_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/shop/transfer/internal/shopfile"
)

// ignoring accepts every element.
type ignoring struct{}

func (ignoring) Shop(shopfile.Place, *shopfile.Shop) error                     { return nil }
func (ignoring) TaxClass(shopfile.Place, *shopfile.TaxClass) error             { return nil }
func (ignoring) ShippingMethod(shopfile.Place, *shopfile.ShippingMethod) error { return nil }
func (ignoring) Product(shopfile.Place, *shopfile.Product) error               { return nil }
func (ignoring) Customer(shopfile.Place, *shopfile.Customer) error             { return nil }
func (ignoring) Order(shopfile.Place, *shopfile.Order) error                   { return nil }

const head = `{"format":"deskhand.shop","version":1,
"shop":{"name":"A","currency":"USD","timeZone":"UTC"},
"taxClasses":[{"id":"t","name":"T","ratePpm":0}],
"shippingMethods":[{"id":"s","name":"S","price":{"amount":0,"currency":"USD"},"days":1}]`

func TestProblemsHaveAPlace(t *testing.T) {
	for name, test := range map[string]struct{ file, want string }{
		"an empty file": {``, "Line 1, the file: The file ends too early."},
		"no object":     {`[]`, `Line 1, the file: There must be "{" here.`},
		"another format": {`{"format":"other"}`,
			`Line 1, /format: It must be "deskhand.shop": this is no shop that this program can read.`},
		"a later version": {`{"format":"deskhand.shop","version":2}`,
			`Line 1, /version: It must be 1: this is no shop that this program can read.`},
		"a byte order mark": {"\ufeff" + head + `}`,
			`Line 1, the file: It is not JSON: invalid character 'ï' looking for beginning of value.`},
		"a member left out": {`{"format":"deskhand.shop","shop":{}}`,
			`Line 1, the file: "shop" stands where "version" must.`},
		"an end too early": {`{"format":"deskhand.shop"}`, `Line 1, the file: There is no "version".`},
		"an unknown member": {head + ",\n\"carts\":[]}",
			`Line 5, the file: "carts" is not a member of the file, or does not belong here.`},
		"a member twice": {head + ",\n\"orders\":[],\"orders\":[]}",
			`Line 5, the file: "orders" is not a member of the file, or does not belong here.`},
		"something after it": {head + "}\n{", `Line 5, the file: Something follows the end.`},
		"a foreign refund limit": {
			`{"format":"deskhand.shop","version":1,"shop":{"name":"A","currency":"USD","timeZone":"UTC","refundLimit":{"amount":1,"currency":"EUR"}}}`, `Line 1, /shop/refundLimit/currency: The amount is in "EUR" and the shop's currency is USD.`},
		"no tax classes": {`{"format":"deskhand.shop","version":1,"shop":{"name":"A","currency":"USD","timeZone":"UTC"},"taxClasses":[]}`, `Line 1, /taxClasses: There must be at least one.`},
		"no list":        {head + ",\n\"orders\":{}}", `Line 5, /orders: There must be "[" here.`},
	} {
		t.Run(name, func(t *testing.T) {
			var problem *shopfile.Problem
			if err := shopfile.Read(strings.NewReader(test.file), ignoring{}); !errors.As(err, &problem) ||
				problem.Error() != test.want {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

// TestEndlessFilesAreNotRead: an endless element is refused after a limited number of bytes.
func TestEndlessFilesAreNotRead(t *testing.T) {
	for name, test := range map[string]struct{ begin, more, place string }{
		"white space": {head + ",\"orders\":[", "\n \t", "/orders"},
		"a string":    {head + ",\"orders\":[{\"id\":\"", "long ", "/orders/0"},
		"an array":    {head + ",\"orders\":[[", "1,", "/orders/0"},
		"nesting":     {head + ",\"orders\":[", "[", "/orders/0"},
		"a name":      {head + ",\"", "long ", ""},
	} {
		t.Run(name, func(t *testing.T) {
			endless := &repeated{text: test.more}
			var problem *shopfile.Problem
			err := shopfile.Read(io.MultiReader(strings.NewReader(test.begin), endless), ignoring{})
			if !errors.As(err, &problem) || problem.Path != test.place {
				t.Errorf("got %v, want a problem at %s", err, test.place)
			}
			if endless.given > 48<<20 {
				t.Errorf("%d MB were read", endless.given>>20)
			}
		})
	}
}

type repeated struct {
	text  string
	given int
}

func (r *repeated) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r.text[(r.given+i)%len(r.text)]
	}
	r.given += len(p)
	return len(p), nil
}
