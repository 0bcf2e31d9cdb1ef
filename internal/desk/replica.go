package desk

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/openai"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/filelock"
	"github.com/deskhand/deskhand/internal/files"
)

const (
	replicas = ".replica-" // prefix of the folders of copies in the folder of a shop
	claimed  = "in-use"    // a file in each that its program has locked
)

// Replica opens a temporary copy of the shop. It allows every card, because its calls were allowed before.
func (d *Desk) Replica(ctx context.Context) (*audit.Replica, error) {
	_, r, err := d.copied(ctx, Options{})
	return r, err
}

// copied opens a temporary copy of the shop that allows every card and reaches nothing outside.
func (d *Desk) copied(ctx context.Context, o Options) (_ *Desk, _ *audit.Replica, err error) {
	folder, err := os.MkdirTemp(d.Folder, replicas)
	if err != nil {
		return nil, nil, files.NotWritable(d.Folder, err)
	}
	claim, err := filelock.Claim(filepath.Join(folder, claimed))
	remove := func() error { return errors.Join(claim.Close(), os.RemoveAll(folder)) }
	if err == nil && claim == nil { // another program considered it abandoned
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(folder))
	}
	if _, err := d.Log.Backup(ctx, filepath.Join(folder, DatabaseName)); err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	o.Folder, o.Door, o.Allow, o.Of = folder, "replay", true, d
	c, err := Open(ctx, o)
	if err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	return c, &audit.Replica{Log: c.Log, Invoke: c.Bus.Invoke, Skip: c.skip,
		Close: func() error { return errors.Join(c.Close(), remove()) }}, nil
}

// removeReplicas removes the copies of programs that were killed.
func removeReplicas(folder string) {
	left, _ := filepath.Glob(filepath.Join(folder, replicas+"*")) // the pattern is valid
	for _, at := range left {
		claim, err := filelock.Claim(filepath.Join(at, claimed))
		if claim != nil {
			err = errors.Join(claim.Close(), os.RemoveAll(at))
		}
		if err != nil {
			slog.Warn("Could not remove a copy that was left behind.", "folder", at, "cause", err)
		}
	}
}

// modelReplica opens a copy for testing a model.
func (d *Desk) modelReplica(m *models) func(ctx context.Context, endpoint, name string) (*agent.Replica, error) {
	return func(ctx context.Context, endpoint, name string) (_ *agent.Replica, err error) {
		var ahead atomic.Int64 // of the real clock, in ns
		o := Options{Model: m.builtin, Mask: d.mask,
			Clock: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }}
		if endpoint != "" {
			o.Model, err = openai.New(openai.Options{BaseURL: endpoint, Model: name, Key: m.secrets.ModelKey(endpoint)})
		}
		if err != nil {
			return nil, bus.Errorf(bus.Validation, bus.ReasonArguments, "This is no endpoint of a model: %v.", err)
		}
		c, r, err := d.copied(ctx, o)
		if err != nil {
			return nil, err
		}
		return &agent.Replica{Replica: r, Bridge: c.Bridge, At: func(t time.Time) { ahead.Store(int64(time.Until(t))) }}, nil
	}
}

// ofDrafts reports whether a capability belongs to drafts. A copy has no drafts, because a draft is itself a copy.
func ofDrafts(capability string) bool { return strings.HasPrefix(capability, "draft.") }

// skip returns the reason why a copy does not run records of a capability.
func (d *Desk) skip(capability string) string {
	c, found := d.Bus.Lookup(capability)
	outside := func(r string) bool { return strings.HasPrefix(r, "filesystem:") || strings.HasPrefix(r, "network:") }
	switch {
	case !found || ofDrafts(capability):
		return "what it needs is not there"
	case strings.HasPrefix(capability, "session."):
		return "a session of a program"
	case slices.ContainsFunc(c.Resources, outside):
		return "works with files or other computers"
	}
	return ""
}

// withoutOutside makes a copy refuse effects outside, and drafts.
func withoutOutside(all []bus.Capability) {
	for i := range all {
		if all[i].SideEffect == bus.Network || ofDrafts(all[i].Name) {
			all[i].Handler = func(context.Context, *bus.Call) (json.RawMessage, error) {
				return nil, bus.Errorf(bus.PreconditionFailed, bus.ReasonState,
					"This is a copy: it has no drafts, and nothing of it reaches outside.")
			}
		}
	}
}

// head returns the last committed record of the log. For a copy of another desk, it returns the record that the desk
// noted for a request.
func (d *Desk) head(of *Desk) func(ctx context.Context, requestID string) (seq int64, hash string, err error) {
	return func(ctx context.Context, requestID string) (int64, string, error) {
		if of == nil {
			h, err := d.Log.LastHead(ctx)
			return h.Seq, h.Hash, err
		}
		var noted struct {
			HeadSeq  int64  `json:"headSeq"`
			HeadHash string `json:"headHash"`
		}
		page, err := of.Log.Search(ctx, audit.Query{RequestID: requestID})
		for _, r := range page.Records {
			if err == nil && r.Status == bus.StatusSuccess && !r.DryRun {
				err = json.Unmarshal(r.Data, &noted)
			}
		}
		return noted.HeadSeq, noted.HeadHash, err
	}
}
