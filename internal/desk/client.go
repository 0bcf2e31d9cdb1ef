package desk

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/staff"
)

// ClientCommand is how an enrolled program starts this one, and what writes that into the settings of Claude. A program
// without a place in the file system has neither.
func (d *Desk) ClientCommand(name string) (start, install []string) {
	self, err := os.Executable()
	folder, wrong := filepath.Abs(d.Folder)
	if errors.Join(err, wrong) != nil {
		return nil, nil
	}
	command := []string{self, "--data", folder, "mcp"}
	return slices.Concat(command, []string{"--client", name}),
		slices.Concat(command, []string{"install", "claude", "--client", name})
}

// Client returns the person for whom the enrolled program of that name works, with the rights of that person that it
// has at this moment. Nobody signs in: what is more than an assistant may do is asked of a person at another door.
func (d *Desk) Client(ctx context.Context, name string) (bus.Principal, error) {
	id, narrow, err := d.Policy.Client(ctx, name, d.clock())
	if id == "" {
		return bus.Principal{Door: d.Person.Door}, err
	}
	who, bad := read(ctx, d.Log, func(ctx context.Context) (bus.Principal, error) { return staff.Present(ctx, id) })
	switch {
	case bad != nil:
		err = bad
	case who.ID == "":
		err = bus.Errorf(bus.Forbidden, bus.ReasonPermission, "The person who enrolled the client %q is not here any more.",
			name).WithHint("Somebody else enrols it: deskhand mcp enrol %s", name)
	case err == nil:
		who = narrow(who)
	}
	who.Door, who.Authentication = d.Person.Door, "enrolled"
	return who, err
}
