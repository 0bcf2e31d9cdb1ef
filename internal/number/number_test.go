package number_test

import (
	"encoding/json"
	"os"
	"strconv"
	"testing"

	"github.com/deskhand/deskhand/internal/number"
)

// TestThePageReadsTheSameNumbers: the table of cases is the page's own.
func TestThePageReadsTheSameNumbers(t *testing.T) {
	raw, err := os.ReadFile("../../frontend/src/language/numbers.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Locale, Text string
		Decimals     int
		Min, Max     *float64
		Value        *float64
		Refused      number.Refusal
	}
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	for _, tt := range cases {
		got, why := number.Read(tt.Text, tt.Locale, tt.Decimals)
		n, _ := strconv.ParseFloat(got, 64)
		switch {
		case why == "" && tt.Min != nil && n < *tt.Min:
			why = "min" // whoever asks for the number has the limits
		case why == "" && tt.Max != nil && n > *tt.Max:
			why = "max"
		}
		if tt.Min != nil && why == number.Ambiguous {
			continue // by the limits the page tells which it is
		}
		if why != tt.Refused || why == "" && n != *tt.Value {
			t.Errorf("%s: %q with %d decimals is %q, refused %q; want %+v", tt.Locale, tt.Text, tt.Decimals, got, why, tt)
		}
	}
	if len(cases) < 100 {
		t.Errorf("%d cases", len(cases))
	}
}

func TestANumberIsScaledExactly(t *testing.T) {
	for digits, want := range map[string]int64{"12.5": 1250, "0.07": 7, "-3.25": -325, "283.4952313": 28350,
		"0.005": 1, "-0.005": -1, "999999999999": 99999999999900, "": 0} {
		if got := number.Scaled(digits, 2); got != want {
			t.Errorf("%q is %d, want %d", digits, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{"1,234.50", "1.234,50", "-", "1e3", "1'000", "٣", "..", "1 000 000,5"} {
		f.Add(seed, 2)
	}
	f.Fuzz(func(t *testing.T, text string, decimals int) {
		if decimals < 0 || decimals > 9 {
			return
		}
		for _, locale := range []string{"en", "de", "fr", "de-CH"} {
			digits, why := number.Read(text, locale, decimals)
			if _, err := strconv.ParseFloat(digits, 64); (err != nil) != (why != "") {
				t.Errorf("%s: %q is %q, refused %q", locale, text, digits, why)
			}
		}
	})
}
