package files

import (
	"bytes"
	"io"
	"path"
	"strings"
	"unicode"

	"github.com/deskhand/deskhand/bus"
)

// MaxDropped is the size limit of a file dropped onto the window, in bytes, because its content passes through the
// page. The user must pick a larger file in the dialog.
const MaxDropped = 16 << 20

// KeptDrops is the number of dropped files in memory: the newest ones.
const KeptDrops = 4

// drop is a file that was dropped onto the window: its content at that moment, without a path.
type drop struct {
	token, name string
	content     []byte
}

// dropName returns the last part of the name from the page, without invisible characters.
func dropName(said string) string {
	name := path.Base(strings.ReplaceAll(said, `\`, "/"))
	name = strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, name))
	const most = 120
	if letters := []rune(name); len(letters) > most {
		name = string(letters[:most-len(".csv")]) + path.Ext(name)
	}
	return name
}

// Drop returns a token for a dropped file. It is valid until newer ones replace it, or the program ends.
func (f *Tokens) Drop(said string, content []byte) (token, name string, err error) {
	name = dropName(said)
	if !strings.EqualFold(path.Ext(name), ".csv") {
		return "", "", bus.Errorf(bus.Validation, bus.ReasonArguments,
			"Only a CSV file can be dropped here: an export of products, customers or orders.")
	}
	if len(content) > MaxDropped {
		return "", "", bus.Errorf(bus.Validation, bus.ReasonArguments, "%s is larger than %d MB.",
			name, MaxDropped>>20).
			WithHint("Choose it with Import a file instead.")
	}
	token = newToken()
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.drops) == KeptDrops {
		f.drops = append([]drop(nil), f.drops[1:]...)
	}
	f.drops = append(f.drops, drop{token, name, content})
	return token, name, nil
}

// dropped opens the dropped file of a token, or returns nil if there is none.
func (f *Tokens) dropped(token string) (content io.ReadCloser, name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, d := range f.drops {
		if d.token == token {
			return io.NopCloser(bytes.NewReader(d.content)), d.name
		}
	}
	return nil, ""
}
