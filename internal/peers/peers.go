// Package peers keeps which other programs work at a shop, and puts what they offer on its bus.
package peers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strings"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/peer"
)

//go:embed migrations/*.sql
var migrations embed.FS

//go:embed texts.txt
var texts string

// Module is the table of peers, for audit.Options.Modules.
func Module() fs.FS {
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic("peers: " + err.Error()) // the folder is embedded above
	}
	return sub
}

// Peer is a program that was added.
type Peer struct {
	Name    string   `json:"name"`
	Command []string `json:"command,omitempty"`
	Digest  string   `json:"digest"`
	Offers  []string `json:"offers"` // as capabilities of the bus
	AddedBy string   `json:"addedBy"`
	AddedAt int64    `json:"addedAt"`
}

// row is a peer as it is kept.
type row struct {
	name, file, digest, addedBy string
	addedAt                     int64
}

func rows(ctx context.Context, log *audit.Log) (list []row, err error) {
	err = log.Query(ctx, func(scan func(dest ...any) error) error {
		var r row
		err := scan(&r.name, &r.file, &r.digest, &r.addedBy, &r.addedAt)
		list = append(list, r)
		return err
	}, `SELECT name, file, digest, added_by, added_at FROM peers ORDER BY name`)
	return list, err
}

// describe is a peer for people.
func (r row) describe() (p Peer, f *peer.File, err error) {
	f, err = peer.Inspect(strings.NewReader(r.file), "capabilities.yaml")
	if err != nil {
		return p, nil, err
	}
	p = Peer{Name: r.name, Digest: r.digest, AddedBy: r.addedBy, AddedAt: r.addedAt, Command: Command(f),
		Offers: []string{}}
	for _, c := range f.Capabilities(nil) {
		p.Offers = append(p.Offers, c.Name)
	}
	return p, f, nil
}

// Command is how a peer is started; nil where its file does not say.
func Command(f *peer.File) []string {
	for _, t := range f.Transports {
		if t.Kind == peer.Stdio {
			return t.Command
		}
	}
	return nil
}

// OpenFile opens the file that a person chose.
type OpenFile = func(ctx context.Context, file string) (io.ReadCloser, string, error)

type addInput struct {
	File string `json:"file" jsonschema:"minLength=1,maxLength=4000" x:"file=yaml"`
}

type removeInput struct {
	Name string `json:"name" jsonschema:"minLength=1,maxLength=100"`
}

type listOutput struct {
	Peers []Peer `json:"peers"`
}

// Capabilities are peer.list, peer.add and peer.remove. What was added or removed is so when the program is opened the
// next time.
func Capabilities(log *audit.Log, open OpenFile) []bus.Capability {
	base := bus.Capability{Texts: texts, SideEffect: bus.UIOnly, Permissions: []string{"policy:write"},
		Resources: []string{"database:write", "filesystem:read"},
		Listing:   bus.Listing{Category: "peer", Routes: []string{"settings"}},
		Checks:    bus.Checks{Access: bus.Access{Agent: bus.RuleDeny}}}
	list, add, remove := base, base, base
	list.Name, list.Type, list.SideEffect = "peer.list", bus.TypeData, bus.Pure
	list.Permissions, list.Resources, list.Run.Idempotent = []string{"policy:read"}, []string{"database:read"}, true
	add.Name, remove.Name = "peer.add", "peer.remove"
	add.Checks.Access.User = bus.RuleConfirm // the card shows what would be started, and holds for exactly that file
	remove.Resources = []string{"database:write"}
	return []bus.Capability{
		bus.Define(list, func(ctx context.Context, _ *bus.Call, _ struct{}) (listOutput, error) {
			out := listOutput{Peers: []Peer{}}
			all, err := rows(ctx, log)
			for _, r := range all {
				p, _, wrong := r.describe()
				err = errors.Join(err, wrong)
				out.Peers = append(out.Peers, p)
			}
			return out, err
		}),
		bus.Define(add, func(ctx context.Context, call *bus.Call, in addInput) (Peer, error) {
			return addPeer(ctx, log, open, call, in.File)
		}),
		bus.Define(remove, func(ctx context.Context, call *bus.Call, in removeInput) (struct{}, error) {
			call.Summarize("Remove the peer %s", in.Name)
			call.Changed("peer", "A peer was removed.", in.Name)
			known, err := exists(ctx, log, in.Name)
			if err == nil && !known {
				err = bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no peer %q.", in.Name).WithHint("peer.list lists them.")
			}
			if err != nil {
				return struct{}{}, err
			}
			return struct{}{}, log.Exec(ctx, `DELETE FROM peers WHERE name = ?`, in.Name)
		}),
	}
}

func exists(ctx context.Context, log *audit.Log, name string) (known bool, err error) {
	all, err := rows(ctx, log)
	for _, r := range all {
		known = known || r.name == name
	}
	return known, err
}

// maxFile bounds a file that is added, in bytes: it stands in the shop's file.
const maxFile = 64 << 10

// addPeer reads a peer's file and keeps it, in the place of an earlier one of that name.
func addPeer(ctx context.Context, log *audit.Log, open OpenFile, call *bus.Call, file string) (Peer, error) {
	content, name, err := open(ctx, file)
	if err != nil {
		return Peer{}, err
	}
	defer content.Close()
	text, err := io.ReadAll(io.LimitReader(content, maxFile+1))
	switch {
	case err != nil:
		return Peer{}, err
	case len(text) > maxFile:
		return Peer{}, bus.Errorf(bus.Validation, bus.ReasonArguments, "The file is larger than %d KB.", maxFile>>10)
	}
	f, err := peer.Read(bytes.NewReader(text), name)
	if err != nil {
		return Peer{}, bus.Errorf(bus.Validation, bus.ReasonArguments, "The file is not taken: %v.", err).
			WithHint("Mend it, then add it again.")
	}
	sum := sha256.Sum256(text)
	r := row{f.Name(), string(text), hex.EncodeToString(sum[:]), call.Person.ID, call.Now.UnixMilli()}
	p, _, err := r.describe()
	if err != nil {
		return p, err
	}
	if p.Command == nil || !filepath.IsAbs(p.Command[0]) {
		return p, bus.Errorf(bus.Validation, bus.ReasonArguments, "The file does not say how the peer is started.").
			WithHint("Give it a transport of the kind stdio whose command begins with an absolute path.")
	}
	call.Summarize("Let %s work here, started as %s: %s", f.Agent, strings.Join(p.Command, " "),
		strings.Join(p.Offers, ", "))
	call.Changed("peer", "A peer was added.", r.name)
	if err := log.Exec(ctx, `DELETE FROM peers WHERE name = ?`, r.name); err != nil {
		return p, err
	}
	return p, log.Exec(ctx, `INSERT INTO peers (name, file, digest, added_by, added_at) VALUES (?, ?, ?, ?, ?)`,
		r.name, r.file, r.digest, r.addedBy, r.addedAt)
}

// Register puts what the peers of a shop offer on its bus. Their programs are started when they are first called; end
// ends them. What cannot be put there is left out and logged: the shop opens all the same.
func Register(ctx context.Context, log *audit.Log, b *bus.Bus) (end func(), err error) {
	var all []row
	if err := log.View(ctx, func(ctx context.Context) (err error) {
		all, err = rows(ctx, log)
		return err
	}); err != nil {
		return nil, fmt.Errorf("the peers cannot be read: %w", err)
	}
	var reached []*peer.Peer
	for _, r := range all {
		_, f, err := r.describe()
		if err == nil {
			p := peer.New(f, peer.Child(Command(f)))
			reached = append(reached, p)
			err = b.Register(f.Capabilities(p.Invoke)...)
		}
		if err != nil {
			slog.Error("A peer is left out.", "peer", r.name, "cause", err)
		}
	}
	return func() {
		for _, p := range reached {
			_ = p.Close() // it may have ended
		}
	}, nil
}
