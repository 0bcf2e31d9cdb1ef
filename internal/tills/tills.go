// Package tills stores the windows on other computers that may work with a shop, and pairs new ones.
package tills

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

//go:embed migrations/*.sql
var migrations embed.FS

//go:embed texts.txt
var texts string

// Module returns the migrations of the tables of tills, for audit.Options.Modules.
func Module() fs.FS {
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic("tills: " + err.Error()) // the folder is embedded above
	}
	return sub
}

// The lifetime of a code, and the number of wrong attempts.
const (
	CodeLasts = 10 * time.Minute
	maxTries  = 5
)

// Scope is the permission of a host to ask for a till. No role has it.
const Scope = "till:ask"

// The names of capabilities that a host calls or watches.
const (
	AskName = "till.ask"
	Domain  = "till" // of the state changes
)

// Changed reports whether the tills may differ after an event.
func Changed(e bus.Event) bool {
	return e.Type == bus.EventMissed || e.Type == bus.EventStateChange && (e.Domain == Domain || e.Domain == "*")
}

// Options configures the tills of a shop.
type Options struct {
	Log    *audit.Log
	Folder string    // of the shop
	Random io.Reader // for the secrets of codes, because the log must not reveal them
	Own    string    // the name of the shop's own desk, which no till may have

	NoShop  func(context.Context) error // returns an error if the folder already contains a shop
	Joining *Joining                    // nil: there is no window
	Serving *Serving                    // nil: there is no window
}

// Tills manages the windows on other computers that work with a shop.
type Tills struct {
	o       Options
	askings askings
}

// New returns the tills of a shop.
func New(o Options) *Tills { return &Tills{o: o} }

// Till is a window on another computer.
type Till struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Asks    bool   `json:"asks,omitempty"`
	AskedAt int64  `json:"askedAt" x:"time=true"`
	AddedBy string `json:"addedBy,omitempty"`
	AddedAt int64  `json:"addedAt,omitempty" x:"time=true"`
}

// All lists the tills by name, within a view of the log or a transaction of it.
func (t *Tills) All(ctx context.Context) (all []Till, err error) {
	all = []Till{}
	err = t.o.Log.Query(ctx, func(scan func(dest ...any) error) error {
		var one Till
		err := scan(&one.ID, &one.Name, &one.AskedAt, &one.AddedBy, &one.AddedAt)
		one.Asks = one.AddedBy == ""
		all = append(all, one)
		return err
	}, `SELECT id, name, asked_at, added_by, added_at FROM tills ORDER BY name`)
	return all, err
}

func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

type listOutput struct {
	Tills   []Till `json:"tills"`
	Port    int    `json:"port,omitempty"`
	Address string `json:"address,omitempty"`
	Problem string `json:"problem,omitempty"`
	Remedy  string `json:"remedy,omitempty"`
}

type pairOutput struct {
	Code  string `json:"code"`
	Until int64  `json:"until" x:"time=true"`
}

type askInput struct {
	Till   string `json:"till" jsonschema:"pattern=^U[A-Z2-7]{55}$"`
	Name   string `json:"name" jsonschema:"minLength=1,maxLength=60"`
	Secret string `json:"secret" jsonschema:"minLength=1,maxLength=20,writeOnly=true"`
}

type askOutput struct {
	Accepted bool `json:"accepted"`
}

type tillInput struct {
	Till string `json:"till" jsonschema:"pattern=^U[A-Z2-7]{55}$"`
}

// Capabilities returns till.list, till.serve, till.endServing, till.pair, till.ask, till.add, till.remove, till.join
// and till.joining.
func (t *Tills) Capabilities() []bus.Capability {
	base := bus.Capability{Texts: texts, SideEffect: bus.UIOnly, Permissions: []string{"policy:write"},
		Resources: []string{"database:write"}, Listing: bus.Listing{Category: Domain, Routes: []string{"settings"}},
		Checks: bus.Checks{Access: bus.Access{Agent: bus.RuleDeny}}}
	list, serve, endServing, pair, ask, add, remove := base, base, base, base, base, base, base
	list.Name, list.Type, list.SideEffect = "till.list", bus.TypeData, bus.Pure
	list.Permissions, list.Run.Idempotent = []string{"policy:read"}, true
	list.Resources = []string{"database:read", "filesystem:read"}
	serve.Name, serve.Checks.Available = "till.serve", t.mayServe
	endServing.Name, endServing.Checks.Available = "till.endServing", t.mayServe
	pair.Name, pair.Run.Unrecorded = "till.pair", true
	pair.Resources = []string{"database:write", "filesystem:read"}
	ask.Name, ask.Permissions, ask.Assistant.Hidden = AskName, []string{Scope}, true
	add.Name = "till.add"
	remove.Name = "till.remove"
	return append([]bus.Capability{
		bus.Define(list, t.list),
		bus.Define(serve, t.serve),
		bus.Define(endServing, t.endServing),
		bus.Define(pair, t.pair),
		bus.Define(ask, t.ask),
		bus.Define(add, t.add),
		bus.Define(remove, t.remove),
	}, t.joinCapabilities()...)
}

// list returns the tills and the address of the host, if one runs.
func (t *Tills) list(ctx context.Context, _ *bus.Call, _ struct{}) (out listOutput, err error) {
	if h, none := Running(t.o.Folder); none == nil {
		out.Address = h.Address
	}
	if t.o.Serving != nil {
		last := t.o.Serving.Newest()
		out.Problem, out.Remedy = last.Problem, last.Remedy
	}
	if out.Port, err = t.port(ctx); err != nil {
		return out, err
	}
	out.Tills, err = t.All(ctx)
	return out, err
}

// pair creates a code and removes expired ones.
func (t *Tills) pair(ctx context.Context, call *bus.Call, _ struct{}) (out pairOutput, err error) {
	h, err := Running(t.o.Folder)
	if err != nil {
		return out, err
	}
	key, err := hex.DecodeString(h.Key)
	if err != nil || len(key) < 10 {
		return out, fmt.Errorf("the key in %s is none: %w", hostName, err)
	}
	var secret [5]byte
	if _, err := io.ReadFull(t.o.Random, secret[:]); err != nil {
		return out, err
	}
	c := Code{Address: h.Address, Secret: letters.EncodeToString(secret[:]), Key: KeyDigits(key)}
	call.Summarize("Make a code for a till")
	if err := t.dropOld(ctx, call); err != nil {
		return out, err
	}
	return pairOutput{c.String(), call.Now.Add(CodeLasts).UnixMilli()},
		t.o.Log.Exec(ctx, `INSERT INTO till_codes (digest, made_at) VALUES (?, ?)`, digest(c.Secret), call.Now.UnixMilli())
}

func (t *Tills) dropOld(ctx context.Context, call *bus.Call) error {
	return t.o.Log.Exec(ctx, `DELETE FROM till_codes WHERE made_at <= ? OR tries >= ?`,
		call.Now.Add(-CodeLasts).UnixMilli(), maxTries)
}

// ask records a till with a correct code. It also succeeds with a wrong code, so that the attempt is counted.
func (t *Tills) ask(ctx context.Context, call *bus.Call, in askInput) (out askOutput, err error) {
	call.Summarize("Ask for the till %s, key %s", in.Name, in.Till)
	if strings.EqualFold(strings.TrimSpace(in.Name), t.o.Own) {
		return out, bus.Errorf(bus.Conflict, bus.ReasonChanged, "The computer of the shop is called %s.", t.o.Own).
			WithHint("Give this till another name.")
	}
	if err := t.dropOld(ctx, call); err != nil {
		return out, err
	}
	want, right := digest(in.Secret), ""
	if err := t.o.Log.Query(ctx, func(scan func(dest ...any) error) error {
		var kept string
		err := scan(&kept)
		if subtle.ConstantTimeCompare([]byte(kept), []byte(want)) == 1 {
			right = kept
		}
		return err
	}, `SELECT digest FROM till_codes`); err != nil {
		return out, err
	}
	if right == "" {
		return out, t.o.Log.Exec(ctx, `UPDATE till_codes SET tries = tries + 1`)
	}
	all, err := t.All(ctx)
	if err != nil {
		return out, err
	}
	for _, one := range all {
		if one.Name == in.Name && one.ID != in.Till && !one.Asks {
			return out, bus.Errorf(bus.Conflict, bus.ReasonChanged, "Another till is called %s.", in.Name).
				WithHint("Give this one another name, or remove the other with till.remove.")
		}
	}
	call.Announce(Domain, bus.Textf("A till asks to work here."), in.Till)
	for _, step := range []struct {
		text string
		args []any
	}{
		{`DELETE FROM till_codes WHERE digest = ?`, []any{right}},
		{`DELETE FROM tills WHERE id = ? OR name = ?`, []any{in.Till, in.Name}},
		{`INSERT INTO tills (id, name, asked_at) VALUES (?, ?, ?)`, []any{in.Till, in.Name, call.Now.UnixMilli()}},
	} {
		if err := t.o.Log.Exec(ctx, step.text, step.args...); err != nil {
			return out, err
		}
	}
	return askOutput{true}, nil
}

// find returns a till by its key.
func (t *Tills) find(ctx context.Context, id string) (Till, error) {
	all, err := t.All(ctx)
	for _, one := range all {
		if one.ID == id {
			return one, err
		}
	}
	if err == nil {
		err = bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no till with that key.").WithHint("till.list lists them.")
	}
	return Till{}, err
}

func (t *Tills) add(ctx context.Context, call *bus.Call, in tillInput) (one Till, err error) {
	if one, err = t.find(ctx, in.Till); err != nil {
		return one, err
	}
	if !one.Asks {
		return one, nil
	}
	one.Asks, one.AddedBy, one.AddedAt = false, call.Person.ID, call.Now.UnixMilli()
	call.Summarize("Let the till %s in", one.Name)
	call.Announce(Domain, bus.Textf("A till was let in."), one.ID)
	return one, t.o.Log.Exec(ctx, `UPDATE tills SET added_by = ?, added_at = ? WHERE id = ?`,
		one.AddedBy, one.AddedAt, one.ID)
}

func (t *Tills) remove(ctx context.Context, call *bus.Call, in tillInput) (struct{}, error) {
	one, err := t.find(ctx, in.Till)
	if err != nil {
		return struct{}{}, err
	}
	call.Summarize("Remove the till %s", one.Name)
	call.Announce(Domain, bus.Textf("A till was removed."), one.ID)
	return struct{}{}, t.o.Log.Exec(ctx, `DELETE FROM tills WHERE id = ?`, one.ID)
}
