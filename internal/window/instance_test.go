package window

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
)

// startAt is the boundary of a window on a folder whose shop is not open yet.
func startAt(t *testing.T, folder string) *desk.Boundary {
	t.Helper()
	at := &instance{folder: folder}
	b := &desk.Boundary{Context: t.Context(), Folder: folder, Emit: func(string, any) {},
		Open: func() (*desk.Desk, error) {
			return at.open(t.Context(), desk.Options{Folder: folder, Create: true, Door: desk.DoorWindow})
		}}
	t.Cleanup(func() {
		b.Close()
		at.release()
	})
	return b
}

// said returns the message of a refusal.
func said(t *testing.T, answer string) string {
	t.Helper()
	var p struct {
		Error struct {
			Code, Message string
			Hint          string `json:"recovery_hint"`
		}
	}
	if err := json.Unmarshal([]byte(answer), &p); err != nil {
		t.Fatal(err)
	}
	if p.Error.Code != "" && p.Error.Hint == "" {
		t.Errorf("no way on: %s", answer)
	}
	return p.Error.Message
}

func TestAWindowWhoseShopCannotBeOpenedSaysWhyAndTriesAgain(t *testing.T) {
	folder := t.TempDir()
	shop := filepath.Join(folder, desk.DatabaseName)
	if err := os.WriteFile(shop, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	a := startAt(t, folder)
	for name, answer := range map[string]string{"Manifest": a.Manifest(`{}`),
		"Invoke": a.Invoke(`{"capability":"session.get"}`), "Send": a.Send(`{"text":"hello"}`)} {
		if got := said(t, answer); !strings.Contains(got, "damaged") || !strings.Contains(got, folder) {
			t.Errorf("%s said %q", name, got)
		}
	}
	if err := os.Remove(shop); err != nil {
		t.Fatal(err)
	}
	if got := said(t, a.Manifest(`{}`)); got != "" {
		t.Errorf("with the cause gone: %s", got)
	}
	var r bus.Result
	if err := json.Unmarshal([]byte(a.Invoke(`{"capability":"session.get"}`)), &r); err != nil || !r.OK() {
		t.Errorf("%+v %v", r, err)
	}
}

func TestAFolderThatIsNoneIsSaid(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := said(t, startAt(t, filepath.Join(file, "shop")).Manifest(`{}`)); !strings.Contains(got,
		"cannot be written") {
		t.Errorf("said %q", got)
	}
}

func TestOneWindowForAShop(t *testing.T) {
	folder := t.TempDir()
	first, second := startAt(t, folder), startAt(t, folder)
	if got := said(t, first.Manifest(`{}`)); got != "" {
		t.Fatal(got)
	}
	if got := said(t, second.Manifest(`{}`)); got != "Deskhand is open on this shop already." {
		t.Errorf("the second window said %q", got)
	}
	if raw, err := os.ReadFile(filepath.Join(folder, lockName)); err != nil || len(raw) < 2 {
		t.Errorf("the lock names no process: %q %v", raw, err)
	}
}

func TestAWindowStandsWhereThereIsRoom(t *testing.T) {
	folder := t.TempDir()
	if _, known := rememberedPlace(folder); known {
		t.Error("a new window was somewhere before")
	}
	was := place{X: 1900, Y: -40, Width: 1600, Height: 1100}
	if err := was.save(folder); err != nil {
		t.Fatal(err)
	}
	kept, known := rememberedPlace(folder)
	if !known || kept != was {
		t.Errorf("kept %+v", kept)
	}
	for _, c := range []struct{ width, height, x, y, w, h int }{
		{1920, 1080, 320, 0, 1600, 1080}, {1024, 700, 0, 0, 1024, 700}, {3000, 2000, 1400, 0, 1600, 1100},
		{0, 0, 1900, -40, 1600, 1100},
	} {
		if got, want := kept.on(c.width, c.height), (place{X: c.x, Y: c.y, Width: c.w, Height: c.h}); got != want {
			t.Errorf("on %d × %d: %+v", c.width, c.height, got)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, placeName), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if p, known := rememberedPlace(folder); known || p.Width != width {
		t.Errorf("from half a note: %+v", p)
	}
}
