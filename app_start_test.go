package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// startAt is the bound App of a window at a folder, whose shop is not open yet.
func startAt(t *testing.T, folder string) *App {
	t.Helper()
	s := &windowSeat{folder: folder}
	a := &App{ctx: t.Context(), folder: folder, emit: func(string, any) {}, open: func() (*desk, error) {
		return s.open(t.Context(), deskOptions{Folder: folder, Create: true, Door: doorWindow})
	}}
	t.Cleanup(func() {
		a.close()
		s.leave()
	})
	return a
}

// said is what a bound method refused with.
func said(t *testing.T, answer string) string {
	t.Helper()
	var p problem
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
	shop := filepath.Join(folder, databaseName)
	if err := os.WriteFile(shop, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	a := startAt(t, folder)
	for name, answer := range map[string]string{"Manifest": a.Manifest(`{}`), "Invoke": a.Invoke(`{"capability":"session.get"}`), "Send": a.Send(`{"text":"hello"}`)} {
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
	if got := said(t, startAt(t, filepath.Join(file, "shop")).Manifest(`{}`)); !strings.Contains(got, "cannot be written") {
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
	if raw, err := os.ReadFile(filepath.Join(folder, windowLock)); err != nil || len(raw) < 2 {
		t.Errorf("the lock names no process: %q %v", raw, err)
	}
}

func TestWhatIsInTheWayHasWords(t *testing.T) {
	for want, err := range map[string]error{
		"The disk is full":  &os.PathError{Op: "write", Path: "shop.db", Err: syscall.ENOSPC},
		"cannot be written": &os.PathError{Op: "open", Path: "shop.db", Err: syscall.EACCES},
		"cannot be opened":  errors.New("no idea"),
	} {
		e := inTheWay(t.TempDir(), err)
		if e.Code != bus.PreconditionFailed || !strings.Contains(e.Message, want) || e.Hint == "" {
			t.Errorf("%v is told as %+v", err, e)
		}
	}
}

func TestAWindowStandsWhereThereIsRoom(t *testing.T) {
	folder := t.TempDir()
	if _, known := rememberedPlace(folder); known {
		t.Error("a new window was somewhere before")
	}
	was := windowPlace{X: 1900, Y: -40, Width: 1600, Height: 1100}
	if err := was.remember(folder); err != nil {
		t.Fatal(err)
	}
	kept, known := rememberedPlace(folder)
	if !known || kept != was {
		t.Errorf("kept %+v", kept)
	}
	for _, c := range []struct{ width, height, x, y, w, h int }{
		{1920, 1080, 320, 0, 1600, 1080}, {1024, 700, 0, 0, 1024, 700}, {3000, 2000, 1400, 0, 1600, 1100}, {0, 0, 1900, -40, 1600, 1100},
	} {
		if got, want := kept.on(c.width, c.height), (windowPlace{X: c.x, Y: c.y, Width: c.w, Height: c.h}); got != want {
			t.Errorf("on %d × %d: %+v", c.width, c.height, got)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, placeName), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if p, known := rememberedPlace(folder); known || p.Width != windowWidth {
		t.Errorf("from half a note: %+v", p)
	}
}
