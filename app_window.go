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

// openWindow runs the window until it is closed.
func openWindow(ctx context.Context, folder string) error {
	if goruntime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" && !generating {
		return errNoDisplay
	}
	assets, err := fs.Sub(dist, "frontend/dist")
	if err != nil {
		return err
	}
	app := &App{}
	if generating {
		return run(app, assets, lifecycle{})
	}
	app.ctx = ctx
	app.emit = func(string, any) {}
	d, err := openDesk(ctx, deskOptions{Folder: folder, Create: true, Door: doorWindow, Heads: headsFor(folder),
		OnCard: func(e agent.CardEvent) { app.emit("approval", e) }})
	if err != nil {
		return err
	}
	defer func() {
		if err := d.close(); err != nil {
			slog.Error("close", "cause", err)
		}
	}()
	app.desk = d
	following, unfollow := context.WithCancel(ctx)
	return run(app, assets, lifecycle{shutdown: unfollow, startup: func(wctx context.Context) {
		app.emit = func(name string, payload any) {
			raw, err := json.Marshal(payload)
			if err != nil {
				slog.Error("event does not marshal", "name", name, "cause", err)
				return
			}
			runtime.EventsEmit(wctx, name, string(raw))
		}
		app.pick = func(title, pattern string) (string, error) {
			return runtime.OpenFileDialog(wctx, runtime.OpenDialogOptions{Title: title,
				Filters: []runtime.FileFilter{{DisplayName: pattern, Pattern: pattern}}})
		}
		go d.follow(following, func(e bus.Event) { app.emit("bus", e) })
	}})
}

// lifecycle is what happens in the life of the window; nil does nothing.
type lifecycle struct {
	startup  func(context.Context)
	shutdown func()
}

func run(app *App, assets fs.FS, h lifecycle) error {
	err := wails.Run(&options.App{
		Title:            "Deskhand",
		Width:            1280,
		Height:           820,
		MinWidth:         900,
		MinHeight:        600,
		BackgroundColour: options.NewRGB(250, 250, 248),
		AssetServer:      &assetserver.Options{Assets: assets},
		OnStartup:        h.startup,
		OnShutdown: func(context.Context) {
			if h.shutdown != nil {
				h.shutdown()
			}
		},
		Bind:  []any{app},
		Linux: &linux.Options{ProgramName: "deskhand"},
	})
	if err != nil {
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
