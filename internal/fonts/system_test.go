package fonts

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/image/font/gofont/goregular"
)

// TestFontsOfTheSystemAreFound: one that has the character, may be embedded and
// is whole.
func TestFontsOfTheSystemAreFound(t *testing.T) {
	forbidden := slices.Clone(goregular.TTF)
	for i := 12; ; i += 16 {
		if string(forbidden[i:i+4]) == "OS/2" {
			binary.BigEndian.PutUint16(forbidden[binary.BigEndian.Uint32(forbidden[i+8:])+8:], 2)
			break
		}
	}
	for name, tt := range map[string]struct {
		file string
		ttf  []byte
		find rune
		want bool
	}{
		"a font":                {"a/b/Font.TTF", goregular.TTF, 'Ж', true},
		"without the character": {"Font.ttf", goregular.TTF, '王', false},
		"in bold":               {"Font-Bold.ttf", goregular.TTF, 'A', false},
		"not to be embedded":    {"Font.ttf", forbidden, 'A', false},
		"cut off":               {"Font.ttf", goregular.TTF[:500], 'A', false},
		"empty":                 {"Font.ttf", nil, 'A', false},
		"of another kind":       {"Font.ttf", append([]byte("OTTO"), goregular.TTF[4:]...), 'A', false},
		"no font at all":        {"Font.txt", goregular.TTF, 'A', false},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, tt.file)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, tt.ttf, 0o600); err != nil {
				t.Fatal(err)
			}
			s := &System{folders: []string{folder, filepath.Join(folder, "none")}}
			if got := s.Find(tt.find) != nil; got != tt.want {
				t.Errorf("found: %v", got)
			}
		})
	}
}

func TestPlainFontsComeFirst(t *testing.T) {
	dejaVu, noto, other := rank("/x/DejaVuSans.ttf"), rank("/x/NotoSans-Regular.ttf"), rank("/x/Another.ttf")
	if dejaVu >= noto || noto >= other || rank("/x/DejaVuSans-Bold.ttf") >= 0 {
		t.Error("the order is wrong")
	}
}
