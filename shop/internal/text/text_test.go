package text_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/deskhand/deskhand/shop/internal/text"
	"github.com/google/go-cmp/cmp"
)

func TestLineTakesOutWhatDeceives(t *testing.T) {
	for in, want := range map[string]string{
		"  Ana \t Ruiz\n":            "Ana Ruiz",
		"Ana\u202eziuR":              "AnaziuR",
		"\u2066Ana\u2069 \u200eRuiz": "Ana Ruiz",
		"A\x00n\x07a":                "Ana",
		"zero\u200bwidth\ufeff":      "zerowidth",
		"Ange\u0301lique":            "Angélique",
		"نامه\u200cای":               "نامه\u200cای",
		"👩\u200d🚀":                   "👩\u200d🚀",
		"bad \xff byte":              "bad byte",
		"line\u2028separator":        "line separator",
		"private \ue000use":          "private use",
		strings.Repeat("é", 130):     strings.Repeat("é", 120),
	} {
		if got := text.Line(in, 120); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestBlockKeepsParagraphs(t *testing.T) {
	if got, want := text.Block("\r\n one \r\n\r\n\r\n\ttwo\u202e\n", 100), "one\n\ntwo"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFoldPutsASpaceAroundEveryWord(t *testing.T) {
	for in, want := range map[string]string{
		"":                      " ",
		"Guji Natural":          " guji natural ",
		"NL-GUJ-250":            " nl guj 250 ",
		"Anaïs  LEFÈVRE":        " anais lefevre ",
		"Søren Møller, Ærø":     " soren moller aero ",
		"Weiß & Łódź":           " weiss lodz ",
		"İstanbul ISPARTA ılık": " istanbul isparta ilik ",
		"O'Connor’s":            " oconnor ",
		"'quoted'":              " quoted ",
		"ﬁne №5":                " fine no5 ",
		"Ελένη":                 " ελενη ",
		"Дмитро Коваль":         " дмитро коваль ",
		"渡辺 健":                  " 渡辺 健 ",
	} {
		if got := text.Fold(in); got != want {
			t.Errorf("%q folds to %q, want %q", in, got, want)
		}
	}
}

func TestKeywordsDropFillersAndPlurals(t *testing.T) {
	if diff := cmp.Diff([]string{"stoneware", "mug", "glass"},
		text.Keywords(text.Words("two... of the stoneware mugs with glass")[1:])); diff != "" {
		t.Error(diff)
	}
}

func TestSlugIsASCII(t *testing.T) {
	for in, want := range map[string]string{"Ana Ruiz": "ana_ruiz", "Þóra Jónsdóttir": "thora_jonsdottir",
		"渡辺 健": ""} {
		if got := text.Slug(in, 40); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
	if got := text.Slug("a bb ccc dddd", 9); got != "a_bb_ccc" {
		t.Errorf("shortened to %q", got)
	}
}

func FuzzCleanTextStaysCleanAndShort(f *testing.F) {
	for _, seed := range []string{"", " a ", "\u202e\u0301", "e\u0301 \u200b x", "\xff\xfe", "ǅ İ ﬁ ẞ", "한국어",
		"1\u20e3", "a\u0345'S"} {
		f.Add(seed, 3)
	}
	f.Add("\u0301 x", 2) // nothing of it can be seen once it is cut
	f.Fuzz(func(t *testing.T, in string, limit int) {
		if limit < 1 || limit > 1000 {
			t.Skip()
		}
		once := text.Line(in, limit)
		if utf8.RuneCountInString(once) > limit || !utf8.ValidString(once) {
			t.Fatalf("%q", once)
		}
		if again := text.Line(once, limit); again != once {
			t.Fatalf("%q becomes %q", once, again)
		}
		if f := text.Fold(in); text.Fold(f) != f {
			t.Fatalf("%q folds to %q and then to %q", in, f, text.Fold(f))
		}
	})
}
