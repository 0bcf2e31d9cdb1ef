//go:build desktop || dev

// Package window opens the window: a page in a web view, which calls the methods bound to it.
package window

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	goruntime "runtime"
	"sync"

	"github.com/deskhand/deskhand/agent/page"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/frontend"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/keychain"
	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// Available reports whether this build can open a window.
const Available = true

var errNoDisplay = errors.New("there is no display to open a window on\n" +
	"With a display set DISPLAY; without one: xvfb-run deskhand, or see what works in the terminal: deskhand --help")

// Open runs a window until it is closed: on the shop in a folder, on the shop of the host that the folder is a till of,
// or on the archive in the folder. bind wraps the methods that the page may call. If a shop cannot be opened, the
// window opens anyway and the page shows the reason.
func Open(ctx context.Context, folder string, bind func(page.Methods) any) error {
	if goruntime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return errNoDisplay
	}
	reduceMemory()
	assets, err := fs.Sub(frontend.Dist, "dist")
	if err != nil {
		return err
	}
	at := &instance{folder: folder}
	defer at.release()
	// Other errors of claiming appear in the window, because Ready repeats them.
	if err := at.claim(); errors.Is(err, desk.ErrWindowOpen) && raiseWindow(folder) {
		fmt.Fprintln(os.Stderr, "Deskhand is open on this shop already: its window was brought to the front.")
		return nil
	}
	ctx, closed := context.WithCancel(ctx)
	defer closed()
	answers := &sides{ctx: ctx, folder: folder, secrets: keychain.New(folder)}
	answers.open = func(o desk.Options) (*desk.Desk, error) {
		o.Heads, o.ShowFile = keychain.Heads(folder), showFile
		return at.open(ctx, o)
	}
	answers.openDraft = func(o desk.Options) (*desk.Desk, error) {
		o.ShowFile = showFile
		return desk.Open(ctx, o)
	}
	if err := answers.begin(); err != nil {
		return err
	}
	w := &window{ctx: ctx, folder: folder, holder: holder{folder: folder}, sides: answers, bound: bind(answers)}
	w.place, w.placed = rememberedPlace(folder)
	onRaise(ctx, w.raise)
	defer w.holder.release()
	defer answers.close()
	return run(w.options(), assets)
}

// window is the only window of the process.
type window struct {
	ctx    context.Context
	sides  *sides // handle the calls of the page
	bound  any    // the methods that the page may call
	folder string
	place  place     // the last one
	placed bool      // whether the last place is known
	saved  sync.Once // guards saving the place on closing
	holder holder    // while there may be file dialogs

	wails context.Context // Wails' own; nil until it has started
}

func (w *window) options() *options.App {
	o := &options.App{Width: w.place.Width, Height: w.place.Height, Bind: []any{w.bound},
		OnStartup: w.started, OnBeforeClose: w.closing}
	if w.place.Maximised {
		o.WindowStartState = options.Maximised
	}
	return o
}

// started connects the page with the window.
func (w *window) started(wctx context.Context) {
	w.wails = wctx
	send := page.Numbered(func(name, payload string, number int64) {
		runtime.EventsEmit(wctx, name, payload, number)
	})
	attention := newAttention(w.desktop(wctx))
	go attention.run(w.ctx)
	emit := func(name string, payload any) {
		send(name, payload)
		if e, is := cardOf(name, payload); is {
			attention.onCard(e)
		}
	}
	dialog := driven(func(title, pattern string) (string, error) {
		if pattern == "" {
			return runtime.OpenDirectoryDialog(wctx, runtime.OpenDialogOptions{Title: title})
		}
		return runtime.OpenFileDialog(wctx, runtime.OpenDialogOptions{Title: title,
			Filters: []runtime.FileFilter{{DisplayName: pattern, Pattern: pattern}}})
	})
	w.sides.connect(channel{emit, func(title, pattern string) (string, error) {
		if _, isHere := w.sides.side().(*here); isHere {
			if err := w.holder.hold(); err != nil {
				return "", err
			}
		}
		return dialog(title, pattern)
	}})
	// A signal closes the window like a click: Wails receives it, and quitting twice may crash GTK. This signal came
	// earlier.
	if w.ctx.Err() != nil {
		runtime.Quit(wctx)
	}
	reloadEndedPage()
	watchFront()
	if w.placed && !w.place.Maximised {
		p := w.place.on(screen(wctx))
		// On Linux Wails resizes from this goroutine while another thread shows the window, and one window in five
		// stayed blank. GTK itself keeps it within the screen.
		if goruntime.GOOS != "linux" {
			runtime.WindowSetSize(wctx, p.Width, p.Height)
		}
		runtime.WindowSetPosition(wctx, p.X, p.Y)
	}
}

// fileDialog opens a dialog for a file, or for a folder if there is no pattern. The path is "" when cancelled.
type fileDialog = func(title, pattern string) (path string, err error)

// cardOf returns the event of a card. An event from a host is JSON.
func cardOf(stream string, payload any) (e policy.CardEvent, is bool) {
	if raw, is := payload.(json.RawMessage); is && stream == "approval" {
		return e, json.Unmarshal(raw, &e) == nil
	}
	e, is = payload.(policy.CardEvent)
	return e, is
}

// desktop returns the system's functions for a person who works in another window.
func (w *window) desktop(wctx context.Context) desktop {
	n := newNotifier(wctx, w.raise)
	return desktop{title: func(text string) { runtime.WindowSetTitle(wctx, text) },
		behind: func() bool { return isBehind(wctx) }, urge: urge, notify: n.notify, withdraw: n.withdraw, german: w.german,
		muted: w.muted}
}

// german reports whether the person reads German, by choice or by the system's setting.
func (w *window) german() bool {
	language, _ := w.sides.side().chosen(w.ctx)
	return language == "de" || language == "system" && systemIsGerman()
}

// muted reports whether the person wants no notifications.
func (w *window) muted() bool {
	_, notifies := w.sides.side().chosen(w.ctx)
	return !notifies
}

// screen returns the size of the window's screen; 0 when unknown.
func screen(wctx context.Context) (width, height int) {
	screens, err := runtime.ScreenGetAll(wctx)
	if err != nil {
		return 0, 0
	}
	for _, s := range screens {
		if width == 0 || s.IsCurrent {
			width, height = s.Size.Width, s.Size.Height
		}
	}
	return width, height
}

// closing saves the window's place, once. It never prevents closing.
func (w *window) closing(wctx context.Context) (prevent bool) {
	w.saved.Do(func() {
		p := w.place
		if p.Maximised = runtime.WindowIsMaximised(wctx); !p.Maximised && !runtime.WindowIsMinimised(wctx) {
			p.X, p.Y = runtime.WindowGetPosition(wctx)
			p.Width, p.Height = runtime.WindowGetSize(wctx)
		}
		if err := p.save(w.folder); err != nil {
			slog.Error("Could not save the place of the window.", "cause", err)
		}
	})
	return false
}

// raise brings the window to the front.
func (w *window) raise() {
	if w.wails == nil {
		return
	}
	runtime.WindowUnminimise(w.wails)
	runtime.WindowShow(w.wails)
}

func run(o *options.App, assets fs.FS) error {
	o.Title, o.MinWidth, o.MinHeight = title, minWidth, minHeight
	o.BackgroundColour = options.NewRGB(239, 241, 240) // the page's, of frontend/index.html
	o.AssetServer = &assetserver.Options{Assets: assets, Middleware: middleware()}
	// The window contains text and lines. Without a GPU it uses no processor time at rest, needs much less memory, and
	// avoids broken graphics drivers: decision 014.
	o.Linux = &linux.Options{ProgramName: "deskhand", WebviewGpuPolicy: linux.WebviewGpuPolicyNever}
	if err := wails.Run(o); err != nil {
		return fmt.Errorf("the window could not be opened: %w", err)
	}
	return nil
}
