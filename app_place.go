package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
)

// The window's size when nobody has chosen one, and the smallest it can have.
const (
	windowWidth, windowHeight       = 1280, 820
	windowMinWidth, windowMinHeight = 900, 600
)

// placeName is the file in the data folder that remembers where the window was.
const placeName = "window.json"

// windowPlace is where a window stands on its screen, in logical pixels. When it is
// maximised, the rest is where it goes back to.
type windowPlace struct {
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	Maximised bool `json:"maximised,omitempty"`
}

// rememberedPlace is where the window of a folder was; false when that is not known.
func rememberedPlace(folder string) (windowPlace, bool) {
	p := windowPlace{Width: windowWidth, Height: windowHeight}
	raw, err := os.ReadFile(filepath.Join(folder, placeName))
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			slog.Error("where the window was could not be read", "cause", err)
		}
		return p, false
	}
	var kept windowPlace
	if json.Unmarshal(raw, &kept) != nil || kept.Width <= 0 || kept.Height <= 0 {
		return p, false
	}
	return kept, true
}

// remember keeps where the window of a folder is.
func (p windowPlace) remember(folder string) error {
	raw, err := json.Marshal(p)
	if err != nil {
		return err
	}
	path := filepath.Join(folder, placeName)
	if err := os.WriteFile(path+".new", append(raw, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// on is the place on a screen of that size: as large as there is room for, and all
// of it to be seen. The screen may be another one than when it was noted.
func (p windowPlace) on(width, height int) windowPlace {
	if width <= 0 || height <= 0 {
		return p
	}
	p.Width = min(max(p.Width, windowMinWidth), width)
	p.Height = min(max(p.Height, windowMinHeight), height)
	p.X = min(max(p.X, 0), width-p.Width)
	p.Y = min(max(p.Y, 0), height-p.Height)
	return p
}
