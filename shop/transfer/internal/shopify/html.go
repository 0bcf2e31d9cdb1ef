package shopify

import (
	"strings"

	"golang.org/x/net/html"
)

// plainText returns the visible text of HTML, without markup and scripts. Each block is on a separate line.
func plainText(source string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(source))
	hidden := 0
	for {
		switch z.Next() {
		case html.ErrorToken: // the end; a string has no other errors
			return b.String()
		case html.TextToken:
			if hidden == 0 {
				// A browser shows line breaks of the source as spaces.
				b.WriteString(strings.ReplaceAll(strings.ReplaceAll(string(z.Text()), "\r", " "), "\n", " "))
			}
		case html.StartTagToken:
			tag := z.Token().Data
			if unread[tag] {
				hidden++
			}
			b.WriteString(before[tag])
		case html.SelfClosingTagToken:
			b.WriteString(before[z.Token().Data])
		case html.EndTagToken:
			tag := z.Token().Data
			if unread[tag] && hidden > 0 {
				hidden--
			}
			b.WriteString(after[tag])
		}
	}
}

var (
	unread = map[string]bool{"script": true, "style": true, "template": true, "head": true, "noscript": true,
		"iframe": true}
	before = map[string]string{"br": "\n", "hr": "\n", "p": "\n", "div": "\n", "li": "\n• ", "tr": "\n", "td": " ",
		"th": " ", "ul": "\n", "ol": "\n", "table": "\n", "h1": "\n", "h2": "\n", "h3": "\n", "h4": "\n", "h5": "\n",
		"h6": "\n", "blockquote": "\n"}
	after = map[string]string{"p": "\n\n", "div": "\n", "li": "\n", "ul": "\n", "ol": "\n", "table": "\n", "tr": "\n",
		"h1": "\n\n", "h2": "\n\n", "h3": "\n\n", "h4": "\n\n", "h5": "\n", "h6": "\n", "blockquote": "\n"}
)
