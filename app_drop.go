package main

import (
	"bytes"
	"io"
	"path"
	"strings"
	"unicode"

	"github.com/deskhand/deskhand/bus"
)

// maxDropped is the largest file that may be dropped onto the window, in bytes: its
// content comes through the page. A larger one is picked.
const maxDropped = 16 << 20

// keptDrops is how many dropped files are kept in memory, the last ones.
const keptDrops = 4

// drop is a file that was dropped onto the window: what was in it then, and no path.
type drop struct {
	token, name string
	content     []byte
}

// dropName is what a dropped file is called where it is told of: the last part of
// what the page says, without anything that is not seen.
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

// drop makes a token for a dropped file; it holds until newer ones have come, or the
// program ends.
func (f *files) drop(said string, content []byte) (token, name string, err error) {
	name = dropName(said)
	if !strings.EqualFold(path.Ext(name), ".csv") {
		return "", "", bus.Errorf(bus.Validation, bus.ReasonArguments, "Only a CSV file can be dropped here: an export of products, customers or orders.")
	}
	if len(content) > maxDropped {
		return "", "", bus.Errorf(bus.Validation, bus.ReasonArguments, "%s is larger than %d MB.", name, maxDropped>>20).
			WithHint("Choose it with Import a file instead.")
	}
	token = newFileToken()
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.drops) == keptDrops {
		f.drops = append([]drop(nil), f.drops[1:]...)
	}
	f.drops = append(f.drops, drop{token, name, content})
	return token, name, nil
}

// dropped opens what was dropped under a token; nil when nothing was.
func (f *files) dropped(token string) (content io.ReadCloser, name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, d := range f.drops {
		if d.token == token {
			return io.NopCloser(bytes.NewReader(d.content)), d.name
		}
	}
	return nil, ""
}
