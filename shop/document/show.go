package document

import (
	"context"
	"encoding/json"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type showIn struct {
	File string `json:"file" jsonschema:"minLength=1,maxLength=4096"`
}

type showOut struct {
	Name string `json:"name" doc:"Of the file."`
}

// shows defines a capability that makes the system open a file, or show it in its folder.
func (p Ports) shows(name string, inFolder bool) bus.Capability {
	return bus.Define(core.Write(bus.Capability{Name: name, Texts: texts, Permissions: []string{"document:write"},
		Resources: []string{"filesystem:read"},
		Checks: bus.Checks{Access: core.AgentNever, Available: func(context.Context, *bus.Call) error {
			if p.ShowFile == nil {
				return core.Unavailable("There is no window here that a file could be opened from.").
					WithHint("document.export says where the file is; open it there.")
			}
			return nil
		}},
		Run: bus.Run{Preview: func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
			call.Summarize("Open a file")
			return call.Arguments, nil
		}}}), func(ctx context.Context, call *bus.Call, in showIn) (out showOut, err error) {
		if out.Name, err = p.ShowFile(ctx, in.File, inFolder); err != nil {
			return out, err
		}
		call.Summarize("Open %s", out.Name)
		if inFolder {
			call.Summarize("Show %s in its folder", out.Name)
		}
		return out, nil
	})
}
