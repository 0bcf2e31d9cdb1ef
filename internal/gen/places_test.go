package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// notPlaces are files of the page that name capabilities without offering them.
var notPlaces = regexp.MustCompile(`\.gen\.ts$|\.test\.tsx?$|/fake/|/shop/(answers|vocabulary)\.ts$`)

// TestEveryCapabilityHasAPlaceInTheWindow: what a person may do is done somewhere in the window beside the palette, or
// docs/window.md says why not.
func TestEveryCapabilityHasAPlaceInTheWindow(t *testing.T) {
	m, err := ourManifest()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("docs/window.md")
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+\\.\\w+)` \\| .+ \\|$").FindAllStringSubmatch(string(page), -1) {
		reasons[row[1]] = true
	}
	var source strings.Builder
	err = filepath.WalkDir("frontend/src", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(path, ".ts") || notPlaces.MatchString(path) {
			return err
		}
		text, err := os.ReadFile(path)
		source.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range m.Capabilities {
		if e.Access != nil && e.Access.User == bus.RuleDeny {
			continue
		}
		placed := strings.Contains(source.String(), "'"+e.Name+"'") || strings.Contains(source.String(), `="`+e.Name+`"`)
		switch {
		case !placed && !reasons[e.Name]:
			t.Errorf("%s is found in the palette only: give it a place, or say in docs/window.md why not", e.Name)
		case placed && reasons[e.Name]:
			t.Errorf("docs/window.md says why %s has no place, and it has one", e.Name)
		}
	}
}
