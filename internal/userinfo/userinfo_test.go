package userinfo_test

import (
	"strings"
	"testing"

	"github.com/deskhand/deskhand/internal/userinfo"
)

func TestURLsLoseTheirUserinfo(t *testing.T) {
	for text, want := range map[string]string{
		"":                                             "",
		"no address, ana@example.com":                  "no address, ana@example.com",
		"https://example.com/@ana":                     "https://example.com/@ana",
		"https://example.com:8443/x?to=a@b":            "https://example.com:8443/x?to=a@b",
		"https://[::1]:80/@a":                          "https://[::1]:80/@a",
		"mailto:ana@example.com":                       "mailto:ana@example.com",
		"https://u:p@example.com/x":                    "https://example.com/x",
		"https://token@example.com":                    "https://example.com",
		"https://u:p@ss@example.com":                   "https://example.com",
		"https://u:p/a?s#s@example.com/x":              "https://example.com/x",
		"https://u:%70@[::1]:9/x":                      "https://[::1]:9/x",
		`Get "nats://a:b@one,nats://c:d@two": refused`: `Get "nats://one,nats://two": refused`,
		"https://a:b@one/?next=https://c:d@two/x":      "https://one/?next=https://two/x",
		"https://:p@example.com, smtp://u:p@mail:25":   "https://example.com, smtp://mail:25",
		"http://ä:ö@müller.example":                    "http://müller.example",
	} {
		if got := userinfo.Strip(text); got != want {
			t.Errorf("%q became %q, not %q", text, got, want)
		}
	}
}

// FuzzStrip: what is left has no userinfo, and nothing else was removed.
func FuzzStrip(f *testing.F) {
	f.Add("https://u:p@example.com/x")
	f.Add("a://b://c@d://e:f@g")
	f.Fuzz(func(t *testing.T, text string) {
		got := userinfo.Strip(text)
		if userinfo.Strip(got) != got {
			t.Errorf("%q became %q, which is not the end", text, got)
		}
		if !strings.Contains(text, "@") && got != text {
			t.Errorf("%q became %q", text, got)
		}
	})
}
