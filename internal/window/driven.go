//go:build dev

package window

import (
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
)

// middleware leaves the page out of the window itself while a browser drives the development build
// (DESKHAND_DRIVEN): two pages of one desk would navigate and lock beside each other.
func middleware() assetserver.Middleware {
	if os.Getenv("DESKHAND_DRIVEN") == "" {
		return nil
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.Contains(r.UserAgent(), "wails.io") { // as the web view calls itself
				next.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<!doctype html><title>driven by a browser</title>") // nobody waits for it
		})
	}
}
