package shopify

import (
	"strings"
	"testing"
)

func TestTheHeaderTellsTheKind(t *testing.T) {
	head := func(l layout) string { return strings.Join(l.required, ",") }
	tests := map[string]struct{ file, want string }{
		"products":             {head(products) + "\n", "products"},
		"customers":            {head(customers) + "\nJana,Ostrom,jana@example.com\n", "customers"},
		"orders":               {head(orders), "orders"},
		"with a byte order":    {"\ufeff" + head(customers) + "\n", "customers"},
		"as spreadsheets save": {"handle; title ;VARIANT PRICE\n", "products"},
		"something is missing": {"Handle,Title\n", ""},
		"two at once":          {head(products) + "," + head(customers) + "\n", ""},
		"other columns":        {"City,Weather\n", ""},
		"only its rows":        {"\n\n", ""},
		"empty":                {"", ""},
		"not a table":          {"\x00\x01\"", ""},
		"UTF-16":               {"\xff\xfeH\x00", ""},
	}
	for name, tc := range tests {
		if got := Kind([]byte(tc.file)); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
