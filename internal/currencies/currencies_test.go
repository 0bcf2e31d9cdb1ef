package currencies_test

import (
	"testing"

	"github.com/deskhand/deskhand/internal/currencies"
)

func TestDigits(t *testing.T) {
	for code, want := range map[string]int{"USD": 2, "JPY": 0, "KWD": 3, "VES": 2, "MRU": 2, "SLE": 2, "XCG": 2, "ZWG": 2,
		"STN": 2, "UYW": 4} {
		if digits, known := currencies.Digits(code); !known || digits != want {
			t.Errorf("%s has %d digits, known %v, want %d", code, digits, known, want)
		}
	}
	for _, code := range []string{"", "ABC", "U", "DOLLAR", "US$"} {
		if _, known := currencies.Digits(code); known {
			t.Errorf("%q is a currency", code)
		}
	}
}
