//go:build dev

package window

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
)

// isDriven reports whether a browser drives this development build.
var isDriven = os.Getenv("DESKHAND_DRIVEN") != ""

// middleware removes the page from the window while a browser drives the development build (DESKHAND_DRIVEN), because
// two pages of one desk would navigate and lock independently. It forwards the answers of file dialogs, a POST to
// /driven/dialog with title and path; without a path the dialog of the system opens.
func middleware() assetserver.Middleware {
	if !isDriven {
		return nil
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method == http.MethodPost && r.URL.Path == "/driven/dialog":
				if err := answerDialog(r.Context(), r.FormValue("title"), r.FormValue("path")); err != nil {
					http.Error(w, err.Error(), http.StatusConflict)
				}
			case strings.Contains(r.UserAgent(), "wails.io"): // the web view's name for itself
				w.Header().Set("Content-Type", "text/html")
				_, _ = io.WriteString(w, "<!doctype html><title>driven by a browser</title>") // there is no reader
			default:
				next.ServeHTTP(w, r)
			}
		})
	}
}

// dialogTimeout limits the time that a file dialog and its answer wait for each other.
const dialogTimeout = time.Minute

// openDialog is a file dialog that waits for its answer.
type openDialog struct {
	title  string
	answer chan string // a path; "": the dialog of the system
}

var openDialogs = make(chan openDialog)

// driven returns a dialog that the browser answers, if a browser drives this build.
func driven(system fileDialog) fileDialog {
	if !isDriven {
		return system
	}
	return func(title, pattern string) (string, error) {
		d := openDialog{title, make(chan string)}
		select {
		case openDialogs <- d:
		case <-time.After(dialogTimeout):
			return "", fmt.Errorf("the dialog %q was not answered", title)
		}
		path, ok := <-d.answer
		switch {
		case !ok:
			return "", errors.New("the answer is of another dialog")
		case path == "":
			return system(title, pattern)
		}
		return path, nil
	}
}

// answerDialog answers the open file dialog, or the next one.
func answerDialog(ctx context.Context, title, path string) error {
	select {
	case d := <-openDialogs:
		if d.title != title {
			close(d.answer)
			return fmt.Errorf("the dialog is %q and not %q", d.title, title)
		}
		d.answer <- path
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(dialogTimeout):
		return fmt.Errorf("no dialog %q opened", title)
	}
}
