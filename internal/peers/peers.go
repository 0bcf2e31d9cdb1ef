// Package peers stores the other programs that work with a shop, and adds their offers to its bus.
package peers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/peer"
	"github.com/deskhand/deskhand/bus/remote"
	"github.com/deskhand/deskhand/bus/token"
)

//go:embed migrations/*.sql
var migrations embed.FS

//go:embed texts.txt
var texts string

// Module returns the migrations of the table of peers, for audit.Options.Modules.
func Module() fs.FS {
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic("peers: " + err.Error()) // the folder is embedded above
	}
	return sub
}

// Options configures the peers of a shop.
type Options struct {
	Log     *audit.Log
	Open    OpenFile
	Secrets Secrets
	Clock   func() time.Time
}

// OpenFile opens the file that a person chose.
type OpenFile = func(ctx context.Context, file string) (io.ReadCloser, string, error)

// Peers manages the other programs that work with a shop.
type Peers struct {
	o   Options
	key key
}

// New returns the peers of a shop.
func New(o Options) *Peers { return &Peers{o: o, key: key{secrets: o.Secrets}} }

// Peer is a program that was added.
type Peer struct {
	Name      string   `json:"name"`
	Command   []string `json:"command,omitempty"`
	Locations []string `json:"locations,omitempty"`
	PublicKey string   `json:"publicKey,omitempty"`
	KeyLasts  bool     `json:"keyLasts,omitempty"`
	Digest    string   `json:"digest"`
	Offers    []string `json:"offers"` // names on the bus
	AddedBy   string   `json:"addedBy"`
	AddedAt   int64    `json:"addedAt" x:"time=true"`
}

// row is a peer in its table.
type row struct {
	name, file, digest, addedBy string
	addedAt                     int64
}

// rows returns the peer with a name, or all peers.
func rows(ctx context.Context, log *audit.Log, name string) (list []row, err error) {
	err = log.Query(ctx, func(scan func(dest ...any) error) error {
		var r row
		err := scan(&r.name, &r.file, &r.digest, &r.addedBy, &r.addedAt)
		list = append(list, r)
		return err
	}, `SELECT name, file, digest, added_by, added_at FROM peers WHERE name = ?1 OR ?1 = '' ORDER BY name`, name)
	return list, err
}

// read parses the stored file.
func (r row) read() (*peer.File, error) {
	return peer.Inspect(strings.NewReader(r.file), "capabilities.yaml")
}

// describe returns a peer for display. With create it makes the public key if there is none.
func (p *Peers) describe(ctx context.Context, r row, create bool) (d Peer, err error) {
	f, err := r.read()
	if err != nil {
		return d, err
	}
	d = Peer{Name: r.name, Digest: r.digest, AddedBy: r.addedBy, AddedAt: r.addedAt, Offers: []string{}}
	for i, c := range f.Capabilities(nil) {
		d.Offers = append(d.Offers, c.Name)
		switch at := f.Offers[i].Location; {
		case at == "":
			d.Command = Command(f)
		case !slices.Contains(d.Locations, at):
			d.Locations = append(d.Locations, at)
		}
	}
	if d.Locations != nil {
		d.PublicKey, d.KeyLasts, err = p.key.public(ctx, create)
	}
	return d, err
}

// Command returns the command that starts a peer, or nil if its file has none.
func Command(f *peer.File) []string {
	for _, t := range f.Transports {
		if t.Kind == peer.Stdio {
			return t.Command
		}
	}
	return nil
}

type addInput struct {
	File string `json:"file" jsonschema:"minLength=1,maxLength=4000" x:"file=yaml"`
}

type removeInput struct {
	Name string `json:"name" jsonschema:"minLength=1,maxLength=100"`
}

type requestInput struct {
	Peer       string          `json:"peer" jsonschema:"pattern=^(agent://)?[a-z0-9]+(-[a-z0-9]+)*$,maxLength=100"`
	Capability string          `json:"capability" jsonschema:"pattern=^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$,maxLength=100"`
	Arguments  json.RawMessage `json:"arguments,omitempty" jsonschema:"type=object"`
}

type listOutput struct {
	Peers []Peer `json:"peers"`
}

// Capabilities returns peer.list, peer.add, peer.remove and agent.request. Additions and removals take effect when the
// program is opened again.
func (p *Peers) Capabilities() []bus.Capability {
	base := bus.Capability{Texts: texts, SideEffect: bus.UIOnly, Permissions: []string{"policy:write"},
		Resources: []string{"database:write", "filesystem:read", "secrets:read"},
		Listing:   bus.Listing{Category: "peer", Routes: []string{"settings"}},
		Checks:    bus.Checks{Access: bus.Access{Agent: bus.RuleDeny}}}
	list, add, remove := base, base, base
	list.Name, list.Type, list.SideEffect = "peer.list", bus.TypeData, bus.Pure
	list.Permissions, list.Run.Idempotent = []string{"policy:read"}, true
	list.Resources = []string{"database:read", "secrets:read"}
	add.Name, add.Run.Prepare = "peer.add", p.readFile
	add.Checks.Access.User = bus.RuleConfirm // the card shows the peer, and the approval holds for exactly that file
	remove.Name, remove.Resources = "peer.remove", []string{"database:write"}
	request := bus.Capability{Name: "agent.request", Texts: texts, SideEffect: bus.Network,
		Resources: []string{"network:write"}, Listing: bus.Listing{Category: "peer", Routes: base.Listing.Routes},
		Checks: bus.Checks{Access: bus.Access{Agent: bus.RuleConfirm}}}
	return []bus.Capability{
		bus.StandIn(request, func(in requestInput) (string, json.RawMessage) {
			return peer.LocalName(in.Peer, in.Capability), in.Arguments
		}),
		bus.Define(list, func(ctx context.Context, _ *bus.Call, _ struct{}) (listOutput, error) {
			out := listOutput{Peers: []Peer{}}
			all, err := rows(ctx, p.o.Log, "")
			for _, r := range all {
				d, wrong := p.describe(ctx, r, false)
				err = errors.Join(err, wrong)
				out.Peers = append(out.Peers, d)
			}
			return out, err
		}),
		bus.Define(add, p.add),
		bus.Define(remove, func(ctx context.Context, call *bus.Call, in removeInput) (struct{}, error) {
			call.Summarize("Remove the peer %s", in.Name)
			call.Announce("peer", bus.Textf("A peer was removed."), in.Name)
			known, err := rows(ctx, p.o.Log, in.Name)
			if err == nil && known == nil {
				err = bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no peer %q.", in.Name).WithHint("peer.list lists them.")
			}
			if err != nil {
				return struct{}{}, err
			}
			return struct{}{}, p.o.Log.Exec(ctx, `DELETE FROM peers WHERE name = ?`, in.Name)
		}),
	}
}

// maxFile is the size limit of an added file in bytes, because the shop's file contains it.
const maxFile = 64 << 10

// chosen is a file that was read.
type chosen struct {
	file *peer.File
	text string
}

// readFile reads the file to add, before the transaction.
func (p *Peers) readFile(ctx context.Context, call *bus.Call) (any, error) {
	var in addInput
	if err := call.Decode(&in); err != nil {
		return nil, err
	}
	content, name, err := p.o.Open(ctx, in.File)
	if err != nil {
		return nil, err
	}
	defer content.Close()
	text, err := io.ReadAll(io.LimitReader(content, maxFile+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > maxFile:
		return nil, bus.Errorf(bus.Validation, bus.ReasonArguments, "The file is larger than %d KB.", maxFile>>10)
	}
	f, err := peer.Read(bytes.NewReader(text), name)
	if err != nil {
		return nil, bus.Errorf(bus.Validation, bus.ReasonArguments, "The file is not taken: %v.", err).
			WithHint("Mend it, then add it again.")
	}
	return chosen{f, string(text)}, nil
}

// add stores a peer's file, and replaces an earlier one with the same name.
func (p *Peers) add(ctx context.Context, call *bus.Call, _ addInput) (d Peer, err error) {
	made, err := call.Prepared(ctx)
	if err != nil {
		return d, err
	}
	c := made.(chosen)
	sum := sha256.Sum256([]byte(c.text))
	r := row{c.file.Name(), c.text, hex.EncodeToString(sum[:]), call.Person.ID, call.Now.UnixMilli()}
	if d, err = p.describe(ctx, r, true); err != nil {
		return d, err
	}
	started := slices.ContainsFunc(c.file.Offers, func(o peer.Offer) bool { return o.Location == "" })
	if started && (d.Command == nil || !filepath.IsAbs(d.Command[0])) {
		return d, bus.Errorf(bus.Validation, bus.ReasonArguments, "The file does not say how the peer is started.").
			WithHint("Give it a transport of the kind stdio whose command begins with an absolute path, or a location.")
	}
	offers, command, at := strings.Join(d.Offers, ", "), strings.Join(d.Command, " "), strings.Join(d.Locations, ", ")
	switch {
	case d.Locations == nil:
		call.Summarize("Let %s work here, started as %s: %s", c.file.Agent, command, offers)
	case d.Command == nil:
		call.Summarize("Let %s work here, called at %s: %s", c.file.Agent, at, offers)
	default:
		call.Summarize("Let %s work here, started as %s and called at %s: %s", c.file.Agent, command, at, offers)
	}
	call.Announce("peer", bus.Textf("A peer was added."), r.name)
	if err := p.o.Log.Exec(ctx, `DELETE FROM peers WHERE name = ?`, r.name); err != nil {
		return d, err
	}
	return d, p.o.Log.Exec(ctx, `INSERT INTO peers (name, file, digest, added_by, added_at) VALUES (?, ?, ?, ?, ?)`,
		r.name, r.file, r.digest, r.addedBy, r.addedAt)
}

// Register adds the offers of a shop's peers to its bus. Their programs start at the first call; end ends them. An
// offer that cannot be added is skipped and logged, so that the shop opens anyway.
func (p *Peers) Register(ctx context.Context, b *bus.Bus) (end func(), err error) {
	var all []row
	if err := p.o.Log.View(ctx, func(ctx context.Context) (err error) {
		all, err = rows(ctx, p.o.Log, "")
		return err
	}); err != nil {
		return nil, fmt.Errorf("the peers cannot be read: %w", err)
	}
	var reached []*peer.Peer
	for _, r := range all {
		f, err := r.read()
		if err == nil {
			one := peer.New(f, peer.Child(Command(f)))
			one.At = p.at
			reached = append(reached, one)
			err = b.Register(f.Capabilities(one.Invoke)...)
		}
		if err != nil {
			slog.Error("A peer is left out.", "peer", r.name, "cause", err)
		}
	}
	return func() {
		for _, one := range reached {
			_ = one.Close() // it may have ended
		}
	}, nil
}

// at returns an invoker for calls to a location.
func (p *Peers) at(ctx context.Context, location string) (remote.Invoker, error) {
	private, _, err := p.key.private(ctx, true)
	if err != nil {
		return nil, err
	}
	return token.Issuer{Name: "deskhand", Key: private, Clock: p.o.Clock}.Invoker(location, nil)
}
