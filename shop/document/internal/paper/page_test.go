package paper_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/shop/document/internal/paper"
	"github.com/deskhand/deskhand/shop/internal/papertest"
)

// pages prints a document and reads it back.
func pages(t *testing.T, o paper.Options, fill func(*paper.Doc)) [][]string {
	t.Helper()
	o.Created = time.Date(2026, time.March, 12, 0, 0, 0, 0, time.UTC)
	doc, err := paper.New(o)
	if err != nil {
		t.Fatal(err)
	}
	fill(doc)
	var out bytes.Buffer
	if err := doc.Write(&out); err != nil {
		t.Fatal(err)
	}
	all, err := papertest.Pages(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestARowHigherThanAPageGoesOn, and not over the foot.
func TestARowHigherThanAPageGoesOn(t *testing.T) {
	const words = 3000
	got := pages(t, paper.Options{Foot: "Foot"}, func(d *paper.Doc) {
		d.Table(paper.Column{Title: "A", Share: 1}, paper.Column{Title: "B", Share: 1})
		d.Row("before", "1")
		d.Row(strings.Repeat("word ", words), "2")
		d.Row("after", "3")
	})
	seen := 0
	for i, page := range got {
		if last := page[len(page)-1]; !strings.HasPrefix(last, "Foot Page ") {
			t.Errorf("page %d ends with %q", i+1, last)
		}
		seen += strings.Count(strings.Join(page, " "), "word")
	}
	if seen != words || len(got) < 3 || got[1][0] != "A B" {
		t.Errorf("%d words on %d pages, the second begins with %q", seen, len(got), got[1][0])
	}
}

// TestFontsAreAskedForOnce, and never for a character that the embedded subset cannot contain.
func TestFontsAreAskedForOnce(t *testing.T) {
	var asked []rune
	all := pages(t, paper.Options{Font: func(r rune) []byte { asked = append(asked, r); return nil }}, func(d *paper.Doc) {
		d.Paragraph("王 and 王 and 😀")
		if got := string(d.Missing()); got != "王😀" {
			t.Errorf("missing %q", got)
		}
	})
	if string(asked) != "王" || all[0][0] != "□ and □ and □" {
		t.Errorf("asked for %q, printed %q", string(asked), all[0])
	}
}

// TestAFontThatIsNoneIsLeftOut: a computer may list any file as a font.
func TestAFontThatIsNoneIsLeftOut(t *testing.T) {
	for name, ttf := range map[string][]byte{"empty": {}, "text": []byte("no font at all"),
		"cut off": {0, 1, 0, 0, 0, 9}} {
		got := pages(t, paper.Options{Font: func(rune) []byte { return ttf }}, func(d *paper.Doc) { d.Paragraph("王 x") })
		if got[0][0] != "□ x" {
			t.Errorf("%s: %q", name, got[0])
		}
	}
}
