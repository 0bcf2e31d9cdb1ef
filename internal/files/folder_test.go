package files_test

import (
	"archive/zip"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/deskhand/deskhand/internal/files"
)

// TestAFolderAndAZIPFileAreOpenedAlike: what is in them is read, and nothing that a link in them leads to outside.
func TestAFolderAndAZIPFileAreOpenedAlike(t *testing.T) {
	dir := t.TempDir()
	inside, packed := filepath.Join(dir, "photos"), filepath.Join(dir, "photos.zip")
	w, err := os.Create(packed)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(w)
	for _, dir := range []string{"", "in"} {
		if err := os.MkdirAll(filepath.Join(inside, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(inside, "in", "a.png"), []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	entry, err := z.Create("in/a.png")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := entry.Write([]byte("a")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(packed, filepath.Join(inside, "outside.png")); err != nil {
		t.Fatal(err)
	}
	tokens := files.New(dir, false)
	for path, name := range map[string]string{inside: "photos", packed: "photos.zip"} {
		folder, said, err := tokens.OpenFolder(t.Context(), tokens.Add(path))
		if err != nil || said != name {
			t.Fatal(said, err)
		}
		if data, err := fs.ReadFile(folder, "in/a.png"); err != nil || string(data) != "a" {
			t.Errorf("%s: %q %v", name, data, err)
		}
		if _, err := fs.ReadFile(folder, "outside.png"); err == nil {
			t.Errorf("%s: a link led outside", name)
		}
		if err := folder.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, file := range []string{inside, tokens.Add(filepath.Join(inside, "in", "a.png")), tokens.Add(dir + "/none")} {
		if _, _, err := tokens.OpenFolder(t.Context(), file); err == nil {
			t.Errorf("%s was opened", file)
		}
	}
}
