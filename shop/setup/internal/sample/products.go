package sample

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/deskhand/deskhand/shop/internal/text"
)

// coffees lists the coffees, sold by weight as beans or ground.
//
//go:embed coffees.txt
var coffees string

// goods lists all other products.
//
//go:embed goods.txt
var goods string

// table splits the lines of an embedded table into fields.
func table(text string) [][]string {
	var rows [][]string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), " | "))
		}
	}
	return rows
}

const kindCoffee = "Coffee"

func products(r *dice) []Product {
	var all []Product
	for _, c := range table(coffees) {
		code, price, kilo := c[1], number(c[2]), number(c[3])
		p := start(c[0], c[5], kindCoffee, "food", c[4])
		p.Options, p.Drawing = []string{"Size", "Grind"}, "bag"
		for _, size := range []struct {
			name, code string
			price      int64
		}{{"250 g", "250", price}, {"1 kg", "1K", kilo}} {
			for _, grind := range []struct{ name, code string }{{"Whole bean", "WB"}, {"Ground", "GR"}} {
				p.add(fmt.Sprintf("NL-%s-%s-%s", code, size.code, grind.code), []string{size.name, grind.name}, size.price,
					int64(12+r.roll(70)))
			}
		}
		switch code {
		case "GUJ":
			p.Variants[0].Stock = 84
		case "BOQ": // a limited lot: low stock, no ground kilos
			p.Variants[0].Stock, p.Variants[1].Stock, p.Variants[2].Stock, p.Variants[3].Stock = 4, 0, 1, 0
			p.Variants[3].Withdrawn = true
		}
		all = append(all, p)
	}
	for _, g := range table(goods) {
		p := start(g[0], g[5], g[2], g[3], g[4])
		p.Default, p.Drawing = int(number(g[7])), g[9]
		if g[6] != "" {
			p.Options = strings.Split(g[6], ",")
		}
		for i, v := range strings.Split(g[8], "; ") {
			words := strings.Split(v, " ")
			n := len(words)
			var values []string
			if name := strings.Join(words[:n-2], " "); name != "" {
				values = strings.Split(name, "/")
			}
			p.add(fmt.Sprintf("NL-%s-%02d", g[1], i+1), values, number(words[n-2]), number(words[n-1]))
		}
		all = append(all, p)
	}
	return all
}

func start(name, description, kind, tax, tags string) Product {
	slug := text.Slug(name, 60)
	return Product{ID: "prd_" + slug, Handle: strings.ReplaceAll(slug, "_", "-"), Name: name, Description: description,
		Kind: kind, Tax: tax, Tags: strings.Split(tags, ", ")}
}

func (p *Product) add(sku string, values []string, price, stock int64) {
	n := len(p.Variants) + 1
	p.Variants = append(p.Variants, Variant{
		ID: fmt.Sprintf("var_%s_%d", strings.TrimPrefix(p.ID, "prd_"), n), SKU: sku, Barcode: barcode(sku),
		Values: values, Price: price, Stock: stock,
	})
}

// barcode returns an EAN-13 from the range for internal use, with a valid check digit.
func barcode(sku string) string {
	var h uint64 = 14695981039346656037
	for _, b := range []byte(sku) {
		h = (h ^ uint64(b)) * 1099511628211
	}
	digits := fmt.Sprintf("200%09d", h%1_000_000_000)
	sum := 0
	for i, d := range digits {
		weight := 1
		if i%2 == 1 {
			weight = 3
		}
		sum += int(d-'0') * weight
	}
	return fmt.Sprintf("%s%d", digits, (10-sum%10)%10)
}

func number(s string) int64 {
	var n int64
	if _, err := fmt.Sscan(s, &n); err != nil {
		panic("sample: " + s + " is not a number") // the embedded table is wrong
	}
	return n
}
