package window

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/deskhand/deskhand/internal/atomicfile"
)

// The window's first size, and its smallest one.
const (
	width, height       = 1280, 820
	minWidth, minHeight = 900, 600
)

// placeName is the file in the data folder that stores the place of the window.
const placeName = "window.json"

// place is the position and size of a window on its screen, in logical pixels. A maximised window returns there.
type place struct {
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	Maximised bool `json:"maximised,omitempty"`
}

// rememberedPlace returns the last place of the window of a folder, and whether it is known.
func rememberedPlace(folder string) (place, bool) {
	p := place{Width: width, Height: height}
	raw, err := os.ReadFile(filepath.Join(folder, placeName))
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			slog.Error("Could not read the place of the window.", "cause", err)
		}
		return p, false
	}
	var kept place
	if json.Unmarshal(raw, &kept) != nil || kept.Width <= 0 || kept.Height <= 0 {
		return p, false
	}
	return kept, true
}

// save keeps the place for the next window of a folder.
func (p place) save(folder string) error {
	raw, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(folder, placeName), append(raw, '\n'), 0o600)
}

// on fits the place to a screen of a size, which may differ from the previous one. The window stays as large as
// possible and completely visible.
func (p place) on(width, height int) place {
	if width <= 0 || height <= 0 {
		return p
	}
	p.Width = min(max(p.Width, minWidth), width)
	p.Height = min(max(p.Height, minHeight), height)
	p.X = min(max(p.X, 0), width-p.Width)
	p.Y = min(max(p.Y, 0), height-p.Height)
	return p
}
