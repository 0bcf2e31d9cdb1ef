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

// ClientCommand returns the command with which an enrolled program starts this one, and the command that enters it in
// the settings of Claude. It returns neither if this program's path is unknown.
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

// Client returns the person that the enrolled program with that name serves, with the person's current rights. There is
// no sign-in: calls beyond the rights of an assistant need a person at another door.
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
