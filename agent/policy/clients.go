package policy

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/deskhand/deskhand/agent/internal/stored"
	"github.com/deskhand/deskhand/bus"
)

// enrolled is another program whose assistant may work here for the person who enrolled it. It has no token, because
// every program of the same user account could read it.
type enrolled struct {
	Name      string   `json:"name"`
	Person    string   `json:"person"`
	Scopes    []string `json:"scopes"`
	Until     int64    `json:"until" jsonschema_extras:"x-time=true"`
	CreatedAt int64    `json:"createdAt" jsonschema_extras:"x-time=true"`
	Command   []string `json:"command,omitempty"` // only in lists, like Install
	Install   []string `json:"install,omitempty"`
}

const clientColumns = `SELECT name, person, scopes, until, created_at FROM assistant_clients `

func scanClient(scan stored.Scan) (c enrolled, err error) {
	var scopes string
	if err := scan(&c.Name, &c.Person, &scopes, &c.Until, &c.CreatedAt); err != nil {
		return c, err
	}
	return c, json.Unmarshal([]byte(scopes), &c.Scopes)
}

// Client returns an enrolled client's person, and the function narrow, which reduces that person's
// rights to those of the client. It refuses an unknown or expired client. Call it for every call of the client.
func (p *Policy) Client(ctx context.Context, name string, now time.Time) (person string,
	narrow func(bus.Principal) bus.Principal, err error) {
	var c *enrolled
	if err := p.o.Log.View(ctx, func(ctx context.Context) (err error) {
		c, err = stored.One(ctx, p.o.Log, scanClient, clientColumns+`WHERE name = $1`, name)
		return err
	}); err != nil {
		return "", nil, err
	}
	switch {
	case c == nil:
		return "", nil, bus.Errorf(bus.Forbidden, bus.ReasonPermission, "The client %q is not enrolled.", name).
			WithHint("A person enrols it: deskhand mcp enrol %s", name)
	case now.UnixMilli() >= c.Until:
		return c.Person, nil, bus.Errorf(bus.Forbidden, bus.ReasonPermission, "The time of the client %q is over.", name).
			WithHint("A person enrols it again: deskhand mcp enrol %s", name)
	}
	return c.Person, func(who bus.Principal) bus.Principal {
		if len(c.Scopes) > 0 {
			who.Scopes = slices.DeleteFunc(slices.Clone(c.Scopes), func(s string) bool { return !who.Has(s) })
		}
		return who
	}, nil
}

type enrolInput struct {
	Name   string   `json:"name" jsonschema:"title=Client,pattern=^[a-z0-9][a-z0-9._-]*$,minLength=1,maxLength=40"`
	Scopes []string `json:"scopes,omitempty" jsonschema:"title=Rights,maxItems=40"`
	Days   int64    `json:"days,omitempty" jsonschema:"minimum=1,maximum=366,default=90"`
}

type endClientInput struct {
	Name string `json:"name" jsonschema:"title=Client,minLength=1,maxLength=40"`
}

type clientsOutput struct {
	Clients []enrolled `json:"clients"`
}

// clientCapabilities returns assistant.clients, assistant.enrolClient and assistant.endClient.
func clientCapabilities(o Options) []bus.Capability {
	db := o.Log
	base := bus.Capability{Texts: texts, SideEffect: bus.UIOnly, Permissions: []string{scopeGrant},
		Resources: []string{"database:write"},
		Listing:   bus.Listing{Category: "assistant", Group: "grant", Routes: []string{"settings"}},
		Checks:    bus.Checks{Access: bus.Access{Agent: bus.RuleDeny}}}
	list, enrol, end := base, base, base
	list.Name, list.Type, list.SideEffect = "assistant.clients", bus.TypeData, bus.Pure
	list.Permissions, list.Resources, list.Run.Idempotent = []string{"grant:read"}, []string{"database:read"}, true
	enrol.Name = "assistant.enrolClient"
	end.Name, end.Run.Idempotent = "assistant.endClient", true
	return []bus.Capability{
		bus.Define(list, func(ctx context.Context, call *bus.Call, _ struct{}) (out clientsOutput, err error) {
			out.Clients, err = stored.Rows(ctx, db, scanClient, clientColumns+`ORDER BY name`)
			if out.Clients == nil {
				out.Clients = []enrolled{}
			}
			for i := range out.Clients {
				if o.ClientCommand != nil {
					c := &out.Clients[i]
					c.Command, c.Install = o.ClientCommand(c.Name)
				}
			}
			return out, err
		}),
		bus.Define(enrol, func(ctx context.Context, call *bus.Call, in enrolInput) (enrolled, error) {
			return enrolClient(ctx, db, call, in)
		}),
		bus.Define(end, func(ctx context.Context, call *bus.Call, in endClientInput) (struct{}, error) {
			c, err := stored.One(ctx, db, scanClient, clientColumns+`WHERE name = $1`, in.Name)
			if err == nil && c == nil {
				err = bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no such client.").
					WithHint("assistant.clients lists them.")
			}
			if err != nil {
				return struct{}{}, err
			}
			call.Summarize("End the client %s", in.Name)
			call.Announce("assistant", bus.Textf("A client was ended."), in.Name)
			return struct{}{}, db.Exec(ctx, `DELETE FROM assistant_clients WHERE name = $1`, in.Name)
		}),
	}
}

// enrolClient enrols a client for the person of the call, or renews it after its end. It refuses a name that is taken.
func enrolClient(ctx context.Context, db Database, call *bus.Call, in enrolInput) (out enrolled, err error) {
	for _, s := range in.Scopes {
		if err := call.CheckScope(s); err != nil {
			return out, err
		}
		if !call.Person.Has(s) {
			return out, bus.Errorf(bus.Forbidden, bus.ReasonPermission, "You have not the permission %s to give.", s).
				WithHint("Give a client what you may do yourself.")
		}
	}
	before, err := stored.One(ctx, db, scanClient, clientColumns+`WHERE name = $1`, in.Name)
	if err != nil {
		return out, err
	}
	if before != nil && before.Person != call.Person.ID {
		return out, bus.Errorf(bus.Conflict, bus.ReasonChanged, "Another person has enrolled a client of that name.").
			WithHint("Take another name, or end that one.")
	}
	if before != nil && call.Now.UnixMilli() < before.Until {
		return out, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The client %q is enrolled already.", in.Name).
			WithHint("Take another name, or end it first: deskhand mcp end %s", in.Name)
	}
	out = enrolled{Name: in.Name, Person: call.Person.ID, Scopes: append([]string{}, in.Scopes...),
		Until: call.Now.Add(time.Duration(in.Days) * 24 * time.Hour).UnixMilli(), CreatedAt: call.Now.UnixMilli()}
	scopes, err := json.Marshal(out.Scopes)
	if err != nil {
		return out, err
	}
	call.Summarize("Let the assistant of %s work here for %d days", in.Name, in.Days)
	call.Announce("assistant", bus.Textf("A client was enrolled."), in.Name)
	if before != nil {
		return out, db.Exec(ctx, `UPDATE assistant_clients SET scopes = $1, until = $2, created_at = $3 WHERE name = $4`,
			string(scopes), out.Until, out.CreatedAt, out.Name)
	}
	return out, db.Exec(ctx, `INSERT INTO assistant_clients (name, person, scopes, until, created_at)
		VALUES ($1, $2, $3, $4, $5)`, out.Name, out.Person, string(scopes), out.Until, out.CreatedAt)
}
