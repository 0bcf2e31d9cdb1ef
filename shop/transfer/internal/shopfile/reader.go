package shopfile

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// Visitor receives the elements of a file in order. A Problem that it returns stops the reading, like any other error.
type Visitor interface {
	Shop(at Place, s *Shop) error
	TaxClass(at Place, c *TaxClass) error
	ShippingMethod(at Place, m *ShippingMethod) error
	Product(at Place, p *Product) error
	Customer(at Place, c *Customer) error
	Order(at Place, o *Order) error
}

// Read reads a file and passes its elements to v. An error in the file is a *Problem; v has received all elements
// before it.
func Read(r io.Reader, v Visitor) error {
	parts, err := compile("shop", "taxClass", "shippingMethod", "product", "customer", "order")
	if err != nil {
		return err
	}
	src := &source{r: r, line: 1}
	f := &file{src: src, dec: json.NewDecoder(src), parts: parts}
	return f.read(v)
}

// file holds the state of reading.
type file struct {
	src      *source
	dec      *json.Decoder
	parts    map[string]*jsonschema.Schema
	currency string
}

// member is one member of the file's object.
type member struct {
	name     string
	required bool
	read     func(path string) error
}

func (f *file) read(v Visitor) error {
	members := []member{
		{"format", true, func(path string) error { return f.constant(path, `"`+Format+`"`) }},
		{"version", true, func(path string) error { return f.constant(path, index(Version)) }},
		{"shop", true, func(path string) error {
			return element(f, path, "shop", func(at Place, s *Shop) error {
				f.currency = s.Currency
				s.RefundLimit.Currency = cmp.Or(s.RefundLimit.Currency, s.Currency)
				if s.RefundLimit.Currency != s.Currency {
					return at.Refuse("/refundLimit/currency", "The amount is in %q and the shop's currency is %s.",
						s.RefundLimit.Currency, s.Currency)
				}
				return v.Shop(at, s)
			})
		}},
		{"taxClasses", true, func(path string) error { return elements(f, path, "taxClass", 1, v.TaxClass) }},
		{"shippingMethods", true, func(path string) error {
			return elements(f, path, "shippingMethod", 1, v.ShippingMethod)
		}},
		{"products", false, func(path string) error { return elements(f, path, "product", 0, v.Product) }},
		{"customers", false, func(path string) error { return elements(f, path, "customer", 0, v.Customer) }},
		{"orders", false, func(path string) error { return elements(f, path, "order", 0, v.Order) }},
	}
	if err := f.delim("", '{'); err != nil {
		return err
	}
	next := 0
	for f.more() {
		at := f.here("")
		token, err := f.token("")
		if err != nil {
			return err
		}
		name, _ := token.(string)
		i := next
		for i < len(members) && members[i].name != name {
			if members[i].required {
				return at.Refuse("", "%q stands where %q must.", shown(name), members[i].name)
			}
			i++
		}
		if i == len(members) {
			return at.Refuse("", "%q is not a member of the file, or does not belong here.", shown(name))
		}
		if err := members[i].read(jsonpointer.Join(name)); err != nil {
			return err
		}
		next = i + 1
	}
	if err := f.delim("", '}'); err != nil {
		return err
	}
	if next < len(members) && members[next].required {
		return f.here("").Refuse("", "There is no %q.", members[next].name)
	}
	if _, err := f.token(""); !errors.Is(err, io.EOF) {
		return f.here("").Refuse("", "Something follows the end.")
	}
	return nil
}

// more reports whether an array or object continues.
func (f *file) more() bool {
	f.allow()
	return f.dec.More()
}

// allow lets the decoder read one more element, up to the size limit.
func (f *file) allow() { f.src.upTo = f.dec.InputOffset() + maxElement }

// here returns the position of the next token.
func (f *file) here(path string) Place {
	offset := f.dec.InputOffset()
	ahead := f.dec.Buffered()
	var b [1]byte
	for {
		if n, _ := ahead.Read(b[:]); n == 0 {
			break
		}
		if b[0] != ' ' && b[0] != '\n' && b[0] != '\r' && b[0] != '\t' && b[0] != ',' && b[0] != ':' {
			break
		}
		offset++
	}
	return Place{Path: path, Line: f.src.lineAt(offset)}
}

// token reads a token. It returns io.EOF unchanged at the end of the file only.
func (f *file) token(path string) (json.Token, error) {
	f.allow()
	token, err := f.dec.Token()
	if err != nil && !(errors.Is(err, io.EOF) && path == "") {
		err = f.broken(f.here(path), err)
	}
	return token, err
}

func (f *file) delim(path string, want json.Delim) error {
	at := f.here(path)
	token, err := f.token(path)
	if errors.Is(err, io.EOF) {
		return at.Refuse("", "The file ends too early.")
	}
	if err == nil && token != want {
		err = at.Refuse("", "There must be %q here.", want.String())
	}
	return err
}

// broken explains a syntax error in the JSON.
func (f *file) broken(at Place, err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, errElement):
		return at.Refuse("", "It is larger than %d MB, or does not end.", maxElement>>20)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return at.Refuse("", "The file ends in the middle of it.")
	case errors.As(err, &syntax):
		return at.Refuse("", "It is not JSON: %s.", syntax.Error())
	}
	return err
}

// raw reads the next value without decoding it.
func (f *file) raw(path string) (json.RawMessage, Place, error) {
	f.allow()
	at := f.here(path)
	var raw json.RawMessage
	if err := f.dec.Decode(&raw); err != nil {
		return nil, at, f.broken(at, err)
	}
	return raw, at, nil
}

func (f *file) constant(path, want string) error {
	raw, at, err := f.raw(path)
	if err == nil && string(raw) != want {
		err = at.Refuse("", "It must be %s: this is no shop that this program can read.", want)
	}
	return err
}

// element reads a value of a kind, validates it and passes it to visit.
func element[T any](f *file, path, kind string, visit func(Place, *T) error) error {
	raw, at, err := f.raw(path)
	if err != nil {
		return err
	}
	value, err := (&tree{at: at, currency: f.currency}).read(raw)
	if err != nil {
		return err
	}
	if bad := violation(f.parts[kind], at, value); bad != nil {
		return bad
	}
	v := new(T)
	if err := json.Unmarshal(raw, v); err != nil {
		return at.Refuse("", "It cannot be read: %v.", err)
	}
	return visit(at, v)
}

// elements reads an array of elements.
func elements[T any](f *file, path, kind string, least int, visit func(Place, *T) error) error {
	if err := f.delim(path, '['); err != nil {
		return err
	}
	n := 0
	for ; f.more(); n++ {
		if err := element(f, path+jsonpointer.Join(index(n)), kind, visit); err != nil {
			return err
		}
	}
	at := f.here(path)
	if err := f.delim(path, ']'); err != nil {
		return err
	}
	if n < least {
		return at.Refuse("", "There must be at least one.")
	}
	return nil
}
