package builtin

import (
	"fmt"
	"testing"
)

// TestAnAddressIsReadFromItsLines, in the orders of city, region and code that countries write.
func TestAnAddressIsReadFromItsLines(t *testing.T) {
	for said, want := range map[string]string{
		"9 Elm St, Bangor, ME 04401":                 "map[city:Bangor country:US line1:9 Elm St postalCode:04401 region:ME]",
		"9 Elm St, Bangor ME 04401-1234, us":         "map[city:Bangor country:US line1:9 Elm St postalCode:04401-1234 region:ME]",
		"Am Markt 3, Hinterhaus, 10115 Berlin, DE":   "map[city:Berlin country:DE line1:Am Markt 3 line2:Hinterhaus postalCode:10115]",
		"12 Rue des Fleurs, Paris 75001, France":     "map[city:Paris country:France line1:12 Rue des Fleurs postalCode:75001]",
		"Am Markt 3, Top 4, WIEN 1010, AT":           "map[city:WIEN country:AT line1:Am Markt 3 line2:Top 4 postalCode:1010]",
		"10 Downing St, London SW1A 2AA, GB":         "map[city:London country:GB line1:10 Downing St postalCode:SW1A 2AA]",
		"10 Downing St, London, sw1a 2aa, gb":        "map[city:London country:GB line1:10 Downing St postalCode:SW1A 2AA]",
		"Kalverstraat 1, 1012 NX Amsterdam, NL":      "map[city:Amsterdam country:NL line1:Kalverstraat 1 postalCode:1012 NX]",
		"Am Markt 3, Berlin":                         "",
		"the corner by the mill, Bangor, ME 04401":   "",
		"9 Elm St, Flat 2, Door 3, 10115 Berlin, DE": "",
	} {
		got, ok := postalAddress(said)
		if text := fmt.Sprint(got); ok != (want != "") || ok && text != want {
			t.Errorf("%s: %s, %v", said, text, ok)
		}
	}
}
