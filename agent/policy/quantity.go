package policy

import (
	"encoding/json"
	"math/big"
	"reflect"
	"strings"
)

// quantity is a number, or an amount of money in minor units.
type quantity struct {
	n        *big.Rat
	currency string // "" for a bare number
}

// sizeOf reads a JSON number, or the absolute value of the wire form of money: -5 is as large as 5.
func sizeOf(v any) (quantity, bool) {
	if q, ok := moneyOf(v); ok {
		q.n = new(big.Rat).Abs(q.n)
		return q, true
	}
	n, ok := rational(v)
	return quantity{n: n}, ok
}

// moneyOf reads the wire form of money and ignores its text.
func moneyOf(v any) (quantity, bool) {
	m, ok := v.(map[string]any)
	if !ok {
		return quantity{}, false
	}
	known := 0
	for _, key := range []string{"amount", "currency", "text"} {
		if _, has := m[key]; has {
			known++
		}
	}
	n, isNumber := rational(m["amount"])
	code, _ := m["currency"].(string)
	return quantity{n, code}, isNumber && code != "" && known == len(m)
}

// longestNumber limits the digits of an exact number, because an exponent could need any amount of memory.
const longestNumber = 40

func rational(v any) (*big.Rat, bool) {
	switch t := v.(type) {
	case json.Number:
		if s := string(t); len(s) <= longestNumber && !strings.ContainsAny(s, "eE") {
			return new(big.Rat).SetString(s)
		}
		f, _ := t.Float64() // too large a number becomes infinite, which SetFloat64 refuses
		return rational(f)
	case float64:
		n := new(big.Rat).SetFloat64(t)
		return n, n != nil
	case int:
		return new(big.Rat).SetInt64(int64(t)), true
	case int64:
		return new(big.Rat).SetInt64(t), true
	}
	return nil, false
}

// ordered reports whether a is at most b. It returns false for values that cannot be compared.
func ordered(a, b any) bool {
	x, ok := sizeOf(a)
	y, ok2 := sizeOf(b)
	if !ok || !ok2 || x.currency != "" && y.currency != "" && x.currency != y.currency {
		return false
	}
	return x.n.Cmp(y.n) <= 0
}

// sameValue compares JSON values: numbers by value, money without its text.
func sameValue(a, b any) bool {
	if x, ok := rational(a); ok {
		y, ok := rational(b)
		return ok && x.Cmp(y) == 0
	}
	if x, ok := moneyOf(a); ok {
		y, ok := moneyOf(b)
		return ok && x.currency == y.currency && x.n.Cmp(y.n) == 0
	}
	return reflect.DeepEqual(plainValue(a), plainValue(b))
}

// plainValue returns v as encoding/json would decode it by default.
func plainValue(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		return v
	}
	var plain any
	if json.Unmarshal(raw, &plain) != nil {
		return v
	}
	return plain
}
