package shop_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// damages is the number of damaged files to try; make soak uses more.
var damages = flag.Int("damages", 76, "damaged files that an import must refuse")

// TestDamagedFilesAreRefused: the refusal names the place of the damage, and the shop is unchanged.
func TestDamagedFilesAreRefused(t *testing.T) {
	whole := lively(t)
	d := openNew(t)
	before := d.stateHash()
	kinds := slices.Sorted(maps.Keys(damage))
	for i := range *damages {
		kind := kinds[i%len(kinds)]
		r := rand.New(rand.NewPCG(uint64(i), 77))
		file := &damaged{r: r, lines: strings.Split(whole, "\n")}
		damage[kind](file)
		d.files["damaged"] = strings.Join(file.lines, "\n")
		if file.cut > 0 {
			d.files["damaged"] = d.files["damaged"][:file.cut]
		}
		res := d.invoke("shop.import", `{"file":"damaged"}`)
		if res.OK() {
			t.Fatalf("%s, number %d: imported; damaged at %s in line %d: %.600s", kind, i, file.path, file.line,
				file.lines[file.line-1])
		}
		if res.Err.Code != bus.Validation || res.Err.Hint == "" || len(res.Err.Violations) != 1 {
			t.Fatalf("%s, number %d: %s (%s) %s, hint %q, places %v, cause %v", kind, i, res.Err.Code, res.Err.Reason,
				res.Err.Message, res.Err.Hint, res.Err.Violations, res.Err.Unwrap())
		}
		place := res.Err.Violations[0].Path
		exact := file.path == place || !file.exactly && strings.HasPrefix(place, file.path)
		if !exact || !file.exactly && !strings.Contains(res.Err.Message, fmt.Sprintf("Line %d,", file.line)) {
			t.Errorf("%s, number %d: damaged at %s in line %d and refused with %q at %s", kind, i, file.path, file.line,
				res.Err.Message, place)
		}
		if d.stateHash() != before {
			t.Fatalf("%s, number %d: the shop has changed", kind, i)
		}
	}
	d.files["whole"] = whole
	d.must("shop.import", `{"file":"whole"}`, nil)
}

// lively is the export of a small shop in which everything happens.
func lively(t testing.TB) string {
	d := openImported(t, tiny)
	order := func(name, args string) {
		d.must(name, `{"orderId":"#W2378156",`+args+`}`, nil)
	}
	order("order.return", `"lines":[{"variantId":"7706410293","quantity":1}],"paymentMethodId":"gift_card_1"`)
	order("order.receiveReturn", `"restock":true`)
	order("order.exchange", `"changes":[{"variantId":"7706410293","newVariantId":"1151293680"}],"paymentMethodId":"credit_card_9513926"`)
	order("order.addNote", `"text":"Rings twice"`)
	for _, then := range []string{"order.cancel", "order.process", ""} {
		d.must("cart.setCustomer", `{"customerId":"yusuf_rossi_9620"}`, nil)
		d.must("cart.addItem", `{"productId":"1656367028","variantId":"7706410293","quantity":1}`, nil)
		d.must("cart.addItem", `{"productId":"1656367028","variantId":"1151293680","quantity":2}`, nil)
		var placed struct{ OrderID string }
		d.must("checkout.submit", `{"shippingAddressId":"a1","paymentMethodId":"credit_card_9513926"}`, &placed)
		switch then {
		case "order.cancel":
			d.must(then, jsonf(`{"orderId":%q,"reason":"other"}`, placed.OrderID), nil)
		case "order.process":
			d.must(then, jsonf(`{"orderId":%q}`, placed.OrderID), nil)
			d.must("order.fulfil", jsonf(`{"orderId":%q,"trackingId":"1Z","variantIds":["7706410293"]}`, placed.OrderID), nil)
		}
	}
	d.must("catalog.setPrice", `{"variantId":"7706410293","price":{"amount":25000,"currency":"USD"}}`, nil)
	return d.export()
}

// damaged is a file while something is broken in it, and where that is.
type damaged struct {
	r       *rand.Rand
	lines   []string
	path    string // the refusal's place begins so
	line    int    // and it names this one
	exactly bool   // it is this very place, found when all lines are read
	cut     int    // the file ends here; 0: at its end
}

// element is a line with an element on it.
type element struct {
	line  int // from 0
	path  string
	value map[string]any
}

func (f *damaged) elements(section string) (all []element) {
	in, n := "", 0
	for i, line := range f.lines {
		switch {
		case strings.HasSuffix(line, ": ["):
			in, n = strings.Trim(line, `": [`), 0
		case strings.HasPrefix(line, "{") && len(line) > 1:
			if section == "" || in == section {
				var value map[string]any
				if err := json.Unmarshal([]byte(strings.TrimSuffix(line, ",")), &value); err != nil {
					panic(err)
				}
				all = append(all, element{i, fmt.Sprintf("/%s/%d", in, n), value})
			}
			n++
		}
	}
	return all
}

func (f *damaged) one(all []element) element { return all[f.r.IntN(len(all))] }

// put writes an element back.
func (f *damaged) put(e element) {
	text, err := json.Marshal(e.value)
	if err != nil {
		panic(err)
	}
	f.replace(e, string(text))
}

func (f *damaged) replace(e element, text string) {
	if strings.HasSuffix(f.lines[e.line], ",") {
		text += ","
	}
	f.lines[e.line] = text
	f.path, f.line = e.path, e.line+1
}

// spot is a value within an element.
type spot struct {
	path, name string
	value      any
	set        func(any)
}

func spots(path string, v any) (all []spot) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			all = append(all, spot{path + "/" + k, k, v[k], func(x any) { v[k] = x }})
			all = append(all, spots(path+"/"+k, v[k])...)
		}
	case []any:
		for i := range v {
			all = append(all, spot{fmt.Sprintf("%s/%d", path, i), "", v[i], func(x any) { v[i] = x }})
			all = append(all, spots(fmt.Sprintf("%s/%d", path, i), v[i])...)
		}
	}
	return all
}

// change changes one value that fits, somewhere in the file.
func (f *damaged) change(section string, fits func(spot) bool, to func(spot) any) {
	all := f.elements(section)
	for {
		e := f.one(all)
		var found []spot
		for _, s := range spots(e.path, e.value) {
			if fits(s) {
				found = append(found, s)
			}
		}
		if len(found) > 0 {
			s := found[f.r.IntN(len(found))]
			s.set(to(s))
			f.put(e)
			f.path = s.path
			return
		}
	}
}

func named(names ...string) func(spot) bool {
	return func(s spot) bool { return slices.Contains(names, s.name) }
}

func anything(spot) bool { return true }

// number is whether it is the number of an amount.
func number(s spot) bool {
	_, is := s.value.(float64)
	return is && s.name == "amount"
}

// damage are the ways to break a file.
var damage = map[string]func(*damaged){
	"truncated": func(f *damaged) {
		e := f.one(f.elements(""))
		for _, line := range f.lines[:e.line] {
			f.cut += len(line) + 1
		}
		f.path, f.line = e.path, e.line+1
		f.cut += 1 + f.r.IntN(len(f.lines[e.line])-2)
	},
	"wrong type": func(f *damaged) {
		f.change("", anything, func(s spot) any {
			switch s.value.(type) {
			case string:
				return []any{7, nil, true, []any{}}[f.r.IntN(4)]
			case float64:
				return []any{"7", nil, true, 1.5}[f.r.IntN(4)]
			case bool:
				return []any{"yes", 1, nil}[f.r.IntN(3)]
			case []any:
				return []any{map[string]any{}, "", nil}[f.r.IntN(3)]
			}
			return []any{[]any{}, "", 5}[f.r.IntN(3)]
		})
	},
	"duplicate id": func(f *damaged) {
		e := f.one(f.elements(""))
		text := strings.TrimSuffix(f.lines[e.line], ",")
		section, n, _ := strings.Cut(strings.TrimPrefix(e.path, "/"), "/")
		var i int
		_, _ = fmt.Sscan(n, &i)
		f.lines = slices.Insert(f.lines, e.line, text+",")
		f.path, f.line = fmt.Sprintf("/%s/%d", section, i+1), e.line+2
	},
	"duplicate id within": func(f *damaged) {
		f.change("", func(s spot) bool {
			list, ok := s.value.([]any)
			return ok && len(list) > 0 && strings.HasSuffix(s.name, "s")
		}, func(s spot) any {
			list := s.value.([]any)
			return append(list, list[f.r.IntN(len(list))])
		})
		// A duplicate line or option changes a sum, so the error names the sum.
		f.path = strings.Join(strings.SplitN(f.path, "/", 4)[:3], "/")
	},
	"dangling reference": func(f *damaged) {
		f.change("orders", named("customerId", "variantId", "methodId", "newVariantId", "productId", "returnedBy"),
			func(spot) any { return "nowhere" })
	},
	"dangling reference of a product": func(f *damaged) {
		f.change("products", named("taxClass"), func(spot) any { return "nowhere" })
	},
	"negative money": func(f *damaged) {
		f.change("", func(s spot) bool {
			return number(s) && s.value != 0.0 && !strings.Contains(s.path, "/requests/") || s.name == "quantity"
		},
			func(s spot) any { return -s.value.(float64) })
	},
	"foreign currency": func(f *damaged) {
		f.change("", named("currency"), func(spot) any { return []any{"EUR", "JPY", "usd", ""}[f.r.IntN(4)] })
	},
	"money that does not add up": func(f *damaged) {
		f.change("orders", func(s spot) bool {
			return number(s) && !strings.Contains(s.path, "/requests/") && !strings.Contains(s.path, "/tendered/")
		},
			func(s spot) any { return s.value.(float64) + 1 })
		f.path = strings.Join(strings.SplitN(f.path, "/", 4)[:3], "/")
	},
	"stock that does not add up": func(f *damaged) {
		f.change("products", named("stock"), func(s spot) any { return s.value.(float64) + 1 })
		f.exactly = true
	},
	"a very long line": func(f *damaged) {
		f.change("", func(s spot) bool { _, ok := s.value.(string); return ok },
			func(spot) any { return strings.Repeat("long ", (1+4*f.r.IntN(2))<<20) })
		if len(f.lines[f.line-1]) > 16<<20 {
			f.path = strings.Join(strings.SplitN(f.path, "/", 4)[:3], "/")
		}
	},
	"deep nesting": func(f *damaged) {
		depth := []int{1, 13, 9_000, 100_000}[f.r.IntN(4)]
		e := f.one(f.elements(""))
		f.replace(e, strings.Repeat(`{"a":[`, depth)+strings.Repeat(`]}`, depth))
	},
	"a member too many": func(f *damaged) {
		f.change("", func(s spot) bool { _, ok := s.value.(map[string]any); return ok }, func(s spot) any {
			with := maps.Clone(s.value.(map[string]any))
			with["note ~/"] = "more"
			return with
		})
	},
	"a member twice": func(f *damaged) {
		e := f.one(f.elements(""))
		f.replace(e, strings.Replace(strings.TrimSuffix(f.lines[e.line], ","), `{"id":`, `{"id":"other","id":`, 1))
		f.path += "/id"
	},
	"a member missing": func(f *damaged) {
		e := f.one(f.elements(""))
		for _, name := range []string{"lines", "address", "total", "variants", "price", "name", "ratePpm", "customerId"} {
			if _, ok := e.value[name]; ok {
				delete(e.value, name)
				break
			}
		}
		f.put(e)
	},
	"bytes that are no text": func(f *damaged) {
		e := f.one(f.elements(""))
		text := strings.TrimSuffix(f.lines[e.line], ",")
		f.replace(e, strings.Replace(text, `{"id":"`, `{"id":"`+[]string{"\xff", "\x00", `\u0000`, `\ud800`,
			`\u202e`}[f.r.IntN(5)], 1))
	},
	"a section out of order": func(f *damaged) {
		i := slices.Index(f.lines, `"customers": [`)
		f.lines[i] = `"orders": [`
		f.path, f.line = "/orders/0", i+2
	},
}
