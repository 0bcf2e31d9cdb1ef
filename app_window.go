//go:build desktop || dev || bindings

package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	goruntime "runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/bus"
	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

//go:embed all:frontend/dist
var dist embed.FS

// hasWindow says that this build can open one.
const hasWindow = true

var errNoDisplay = errors.New("there is no display to open a window on\n" +
	"With a display set DISPLAY; without one: xvfb-run deskhand, or see what works in the terminal: deskhand --help")

// openWindow runs the window until it is closed. A shop that cannot be opened is no
// reason to have none: it says what is in the way.
func openWindow(ctx context.Context, folder string) error {
	if goruntime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" && !generating {
		return errNoDisplay
	}
	thrift()
	assets, err := fs.Sub(dist, "frontend/dist")
	if err != nil {
		return err
	}
	if generating {
		return run(&options.App{Bind: []any{&App{}}}, assets)
	}
	at := &windowSeat{folder: folder}
	defer at.leave()
	// What else keeps it from being taken is told by the window: ready meets it again.
	if err := at.take(); errors.Is(err, errOpenAlready) && raiseWindow(folder) {
		fmt.Fprintln(os.Stderr, "Deskhand is open on this shop already: its window was brought to the front.")
		return nil
	}
	ctx, closed := context.WithCancel(ctx)
	defer closed()
	w := &window{ctx: ctx, folder: folder, app: &App{ctx: ctx, folder: folder, emit: func(string, any) {}}}
	w.place, w.placed = rememberedPlace(folder)
	onRaise(ctx, w.raise)
	w.app.open = func() (*desk, error) {
		return at.open(ctx, deskOptions{Folder: folder, Create: true, Door: doorWindow, Heads: headsFor(folder),
			OnCard: func(e agent.CardEvent) { w.app.emit("approval", e) }})
	}
	go func() { // while the window is made; what is asked before it is done waits
		if err := w.app.ready(); err != nil {
			slog.Error("the window opens without its shop", "cause", err)
		}
	}()
	defer w.app.close()
	return run(w.options(), assets)
}

// window is the one window there is.
type window struct {
	ctx    context.Context
	app    *App
	folder string
	place  windowPlace // where it was
	placed bool        // and whether that is known
	noted  sync.Once   // where it is when it is closed

	wails context.Context // Wails' own; nil until it has started
}

func (w *window) options() *options.App {
	o := &options.App{Width: w.place.Width, Height: w.place.Height, OnStartup: w.started, OnBeforeClose: w.closing, Bind: []any{w.app}}
	if w.place.Maximised {
		o.WindowStartState = options.Maximised
	}
	return o
}

// started connects the application with its window.
func (w *window) started(wctx context.Context) {
	w.wails = wctx
	w.app.emit = toPage(func(name, payload string) { runtime.EventsEmit(wctx, name, payload) })
	w.app.pick = func(title, pattern string) (string, error) {
		return runtime.OpenFileDialog(wctx, runtime.OpenDialogOptions{Title: title,
			Filters: []runtime.FileFilter{{DisplayName: pattern, Pattern: pattern}}})
	}
	w.app.following(w.ctx)
	context.AfterFunc(w.ctx, func() { runtime.Quit(wctx) }) // ended from outside, it closes as by hand
	revivePage()
	if w.placed && !w.place.Maximised {
		p := w.place.on(screen(wctx))
		// On Linux Wails would resize it from this goroutine, beside the thread that is showing
		// it: one window in five stayed blank for good. GTK keeps it within its screen by itself.
		if goruntime.GOOS != "linux" {
			runtime.WindowSetSize(wctx, p.Width, p.Height)
		}
		runtime.WindowSetPosition(wctx, p.X, p.Y)
	}
}

// screen is the size of the screen the window is on; 0 when that is not known.
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

// closing notes where the window is, once however often it is told to close; it never
// keeps it open.
func (w *window) closing(wctx context.Context) (prevent bool) {
	w.noted.Do(func() {
		p := w.place
		if p.Maximised = runtime.WindowIsMaximised(wctx); !p.Maximised && !runtime.WindowIsMinimised(wctx) {
			p.X, p.Y = runtime.WindowGetPosition(wctx)
			p.Width, p.Height = runtime.WindowGetSize(wctx)
		}
		if err := p.remember(w.folder); err != nil {
			slog.Error("where the window was could not be noted", "cause", err)
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
	o.Title, o.MinWidth, o.MinHeight = "Deskhand", windowMinWidth, windowMinHeight
	o.BackgroundColour = options.NewRGB(239, 241, 240) // the page's, of frontend/index.html
	o.AssetServer = &assetserver.Options{Assets: assets}
	// The window is text and lines. Drawn by the processor it costs nothing at rest and
	// much less memory, and stays clear of graphics drivers that show nothing: decision 014.
	o.Linux = &linux.Options{ProgramName: "deskhand", WebviewGpuPolicy: linux.WebviewGpuPolicyNever}
	if err := wails.Run(o); err != nil {
		return fmt.Errorf("the window could not be opened: %w", err)
	}
	return nil
}

// follow keeps up with the page that is open and with who was signed out, and
// hands every event to emit, until ctx ends.
func (d *desk) follow(ctx context.Context, emit func(bus.Event)) {
	sub := d.bus.Subscribe()
	defer sub.Close()
	for {
		e, err := sub.Next(ctx)
		if err != nil {
			return
		}
		if e.Type == bus.EventStateChange && e.Domain == "navigation" && len(e.IDs) > 0 {
			page := e.IDs[0]
			d.route.Store(&page)
		}
		if e.Type == bus.EventStateChange && e.Domain == "session" && len(e.IDs) > 0 {
			d.leave(e.IDs[0]) // an assistant's sign-out came through no door of the page
		}
		emit(e)
	}
}

// toPage sends events to the page as the JSON they are.
func toPage(send func(name, payload string)) func(string, any) {
	return func(name string, payload any) {
		raw, err := json.Marshal(payload)
		if err != nil {
			slog.Error("event does not marshal", "name", name, "cause", err)
			return
		}
		send(name, string(raw))
	}
}

// following hands the events of every desk that is opened to the page, until ctx ends.
func (a *App) following(ctx context.Context) {
	a.opening.Lock()
	defer a.opening.Unlock()
	a.opened = func(d *desk) { go d.follow(ctx, func(e bus.Event) { a.emit("bus", e) }) }
	if a.desk != nil {
		a.opened(a.desk)
	}
}

// frugal is what WebKit and GTK are told, which are started from here: by the memory that
// the computer is said to have WebKit chooses how often to collect; most of what its
// optimising compiler makes of a page of lists and forms is never paid back; and a window
// that draws without a GPU needs neither buffers of one nor, in this process, a driver:
// with a device named nobody looks for one. docs/decisions/014 has the figures.
var frugal = map[string]string{
	"JSC_forceRAMSize":               "16777216", // bytes
	"JSC_useDFGJIT":                  "0",
	"WEBKIT_DISABLE_DMABUF_RENDERER": "1",
	"WEBKIT_WEB_RENDER_DEVICE_FILE":  os.DevNull,
	"GDK_GL":                         "disable",
}

// settled is how long after its start a window is taken to stand.
const settled = 3 * time.Second

// thrift has what is not needed any more collected sooner, here and in the page: a
// window is open all day and idle for most of it. Only the start has other things to
// do, and leaves much behind at once. What somebody set stays as it is.
func thrift() {
	for name, value := range frugal {
		if os.Getenv(name) == "" {
			_ = os.Setenv(name, value) // it cannot fail for such names
		}
	}
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(400)
	time.AfterFunc(settled, func() {
		debug.SetGCPercent(50)
		debug.FreeOSMemory()
	})
}
