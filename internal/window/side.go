//go:build desktop || dev || bindings

package window

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/office"
	"github.com/deskhand/deskhand/internal/till"
)

// side is what answers the page: a shop on this computer, or the host of one on another.
type side interface {
	// connect begins to send events to the page, until ctx ends; pick opens the system's file dialog.
	connect(ctx context.Context, emit func(string, any), pick func(title, pattern string) (string, error))
	// chosen is what the person signed in has chosen: "de", "en" or "system", and whether the desktop is to tell of what
	// waits.
	chosen(context.Context) (language string, notifies bool)
}

// here is a shop on this computer.
type here struct{ *desk.Boundary }

func (h here) connect(ctx context.Context, emit func(string, any), pick func(title, pattern string) (string, error)) {
	h.Emit, h.Pick = emit, pick
	h.ForwardEvents(ctx)
}

func (h here) chosen(ctx context.Context) (language string, notifies bool) {
	d, err := h.Ready()
	if err != nil {
		return "system", true
	}
	return d.Language(ctx), d.Notifies(ctx)
}

// away is an archive of the logs of shops.
type away struct{ *office.Office }

func (a away) connect(ctx context.Context, emit func(string, any), _ func(title, pattern string) (string, error)) {
	a.Emit = emit
	a.ForwardEvents(ctx)
}

// chosen is as the system is set: nothing is chosen in an archive.
func (away) chosen(context.Context) (language string, notifies bool) { return "system", false }

// elsewhere is a shop on another computer.
type elsewhere struct {
	*till.Client
	running sync.WaitGroup
}

func (e *elsewhere) connect(ctx context.Context, emit func(string, any),
	pick func(title, pattern string) (string, error)) {
	e.Emit = emit
	e.Pick = func(kind string) (name string, content []byte, err error) {
		title, pattern := desk.Dialog(kind)
		if pattern == "" {
			return "", nil, bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "A till hands over no folder.").
				WithHint("Choose a ZIP file of it.")
		}
		path, err := pick(title, pattern)
		if path == "" || err != nil {
			return "", nil, err
		}
		if content, err = os.ReadFile(path); err != nil {
			err = bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s cannot be read.", filepath.Base(path)).WithCause(err)
		}
		return filepath.Base(path), content, err
	}
	e.running.Go(func() { e.Run(ctx) })
}

// chosen is as the system is set: what the person has chosen is known to the host.
func (*elsewhere) chosen(context.Context) (language string, notifies bool) { return "system", true }

// cardOf returns the event of a card. That of a host comes as JSON.
func cardOf(stream string, payload any) (e policy.CardEvent, is bool) {
	if raw, is := payload.(json.RawMessage); is && stream == "approval" {
		return e, json.Unmarshal(raw, &e) == nil
	}
	e, is = payload.(policy.CardEvent)
	return e, is
}
