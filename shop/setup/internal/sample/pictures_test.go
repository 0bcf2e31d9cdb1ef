package sample

import (
	"testing"
	"time"
)

// TestEachProductHasADrawing: a name, a form or a colour that is misspelt would leave a picture empty.
func TestEachProductHasADrawing(t *testing.T) {
	used := map[string]bool{}
	for _, p := range Build(time.Now()).Products {
		used[p.Drawing] = true
		if len(parts()[p.Drawing]) == 0 {
			t.Errorf("%s: no drawing %q", p.Name, p.Drawing)
		}
	}
	coordinates := map[string]func(n int) bool{
		"rect": func(n int) bool { return n == 4 },
		"oval": func(n int) bool { return n == 4 },
		"poly": func(n int) bool { return n >= 6 && n%2 == 0 },
	}
	for name, all := range parts() {
		if !used[name] {
			t.Errorf("no product is drawn as %q", name)
		}
		for _, p := range all {
			if _, is := palette[p.colour]; !is && p.colour != "tint" && p.colour != "ground" {
				t.Errorf("%s: no colour %q", name, p.colour)
			}
			if fits := coordinates[p.form]; fits == nil || !fits(len(p.numbers)) {
				t.Errorf("%s: %s of %v", name, p.form, p.numbers)
			}
		}
	}
}
