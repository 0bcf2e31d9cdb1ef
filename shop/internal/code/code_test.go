package code_test

import (
	"slices"
	"testing"

	"github.com/deskhand/deskhand/shop/internal/code"
)

func TestFormsOfOneGTINAreTheSame(t *testing.T) {
	const lot = "\x1d10LOT7\x1d"
	for _, group := range [][]string{
		{"036000291452", "0036000291452", "00036000291452", " 0 36000 29145 2\r\n", "(01)00036000291452",
			"(01)00036000291452(10)AB-1", "(17) 261231 (01) 00036000291452", "]C10100036000291452" + lot,
			"]d2\x1d0100036000291452", "\x1d0100036000291452", "010003600029145210LOT7",
			"]C117261231" + "0100036000291452", "]C110LOT7\x1d0100036000291452",
			"https://id.gs1.org/01/00036000291452", "HTTPS://shop.example/tea/01/036000291452/10/LOT7?17=261231",
			"http://example.com/gtin/0036000291452"},
		{"4006381333931", "04006381333931", "(01)04006381333931", "https://example.com/01/4006381333931"},
		{"40170725", "0000040170725", "00000040170725", "(01)00000040170725"},
		{"10614141000415", "(01)10614141000415"}, // a case
		{"AB-12", "ab-12", " Ab -12\t"},
		{"0012", " 00 12"},
	} {
		for _, a := range group {
			for _, b := range group {
				if !code.Same(a, b) {
					t.Errorf("%q and %q are different: %q, %q", a, b, code.Forms(a), code.Forms(b))
				}
			}
		}
	}
	for _, pair := range [][2]string{{"0012", "12"}, {"036000291452", "36000291452"}, {"0614141000415", "10614141000415"},
		{"AB-12", "AB-13"}, {"AB-12", "AB12"}, {"", ""}, {" ", ""}, {"4006381333931", "4006381333932"},
		{"0112345678901234", "12345678901234"}, // an internal number: no GTIN ends in this way
		{"(02)00036000291452", "036000291452"}, {"https://example.com/1/036000291452", "036000291452"},
		{"https://example.com/01/x36000291452", "036000291452"}, {"(01)3600029145", "3600029145"}} {
		if code.Same(pair[0], pair[1]) {
			t.Errorf("%q and %q are the same", pair[0], pair[1])
		}
	}
}

func TestOfAnElementStringTheGTINIsStored(t *testing.T) {
	for given, want := range map[string]string{"(01)00036000291452(10)7": "0036000291452",
		"https://id.gs1.org/01/04006381333931": "4006381333931", "(01)10614141000415": "10614141000415",
		"036000291452": "036000291452", "4006381 333931": "4006381 333931", "AB-12": "AB-12", "": "", "8901E": "8901E"} {
		if got := code.Stored(given); got != want {
			t.Errorf("%q is stored as %q", given, got)
		}
	}
	if forms := code.Forms("036000291452"); !slices.Equal(forms, []string{"036000291452", "00036000291452",
		"0036000291452"}) {
		t.Errorf("%q", forms)
	}
}

// FuzzForms: any text equals itself in another case, and a GTIN has 14 digits.
func FuzzForms(f *testing.F) {
	for _, seed := range []string{"(01)00036000291452", "]C1", "]C101", "\x1d", "https://a/01/", "https://", "01", "ß", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, given string) {
		if gtin := code.GTIN(given); gtin != "" && len(gtin) != 14 {
			t.Errorf("%q has the GTIN %q", given, gtin)
		}
		if code.Clean(given) != "" && !code.Same(given, code.Clean(given)) && code.GTIN(given) == "" {
			t.Errorf("%q is not %q", given, code.Forms(given))
		}
	})
}
