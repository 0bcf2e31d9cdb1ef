package shop_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestTypingErrorsAreForgiven: a word without a match is replaced by a similar one; the beginning of a word is enough.
// A caller that does not request it gets exact matches only.
func TestTypingErrorsAreForgiven(t *testing.T) {
	d := openSample(t, "owner")
	order := d.anasOrder("PayPal")
	for _, tc := range []struct{ capability, typed, found string }{
		{"customer.search", "ruix", "Ana Ruiz"}, // another letter
		{"customer.search", "riuz", "Ana Ruiz"}, // two exchanged
		{"customer.search", "ruuiz ana", "Ana Ruiz"},
		{"customer.search", "vandnberg", "Zoë Vandenberg"}, // one missing, accents folded
		{"customer.search", "vandemverg", "Zoë Vandenberg"},
		{"customer.search", "tremb1", ""},     // numbers are not letters
		{"customer.search", "anq", ""},        // too short to tell
		{"customer.search", "xylophonia", ""}, // like nothing
		{"catalog.search", "gjui", "Guji Natural"},
		{"catalog.search", "toraxa", "Toraja Sulotco"},
		{"catalog.search", "kayanxa bourb", "Kayanza Bourbon"},
		{"catalog.search", "the gujji", "Guji Natural"},
		{"order.search", "ana ruzi", order},
		{"order.search", "riuz gujy", order},
		{"order.search", "ruiz gujii natral", order},
	} {
		if got := string(d.invoke(tc.capability, jsonf(`{"query":%q,"forgiving":true}`, tc.typed)).Data); tc.found == "" &&
			strings.Contains(got, `"id"`) || !strings.Contains(got, tc.found) {
			t.Errorf("%s %q finds %.200s, want %q", tc.capability, tc.typed, got, tc.found)
		}
		if plain := string(d.invoke(tc.capability, jsonf(`{"query":%q}`, tc.typed)).Data); strings.Contains(plain, `"id"`) {
			t.Errorf("%s %q finds %.200s without being forgiven", tc.capability, tc.typed, plain)
		}
	}
}

// TestWhatIsSpeltSoComesAlone: exact matches exclude similar ones, pages continue, and an exported file has the same
// rows as the list.
func TestWhatIsSpeltSoComesAlone(t *testing.T) {
	d := openSample(t, "owner")
	for i, name := range []string{"Meyer", "Meyer", "Meyer", "Mayer"} {
		d.must("customer.create", jsonf(`{"name":%q,"email":"m%d@example.com"}`, fmt.Sprint("Kim ", name), i), nil)
	}
	for typed, want := range map[string]int{"mayer": 1, "meyer": 3, "mexer": 3} {
		got := d.hits("customer.search", jsonf(`{"query":%q,"forgiving":true}`, typed), 2)
		if len(got) != want {
			t.Errorf("%q finds %d of them, want %d", typed, len(got), want)
		}
		_, rows, _ := d.document(jsonf(`{"kind":"customers","format":"csv","query":%q,"forgiving":true}`, typed))
		if int(rows) != want {
			t.Errorf("%q writes %d of them, want %d", typed, rows, want)
		}
	}
}
