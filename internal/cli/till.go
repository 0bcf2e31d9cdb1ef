package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/remote"
	"github.com/deskhand/deskhand/internal/keychain"
	"github.com/deskhand/deskhand/internal/till"
)

// there is the shop on another computer whose till the data folder is.
type there struct {
	t       *terminal
	pairing *till.Pairing
}

// atHost returns the shop whose till the data folder is, or nil if it is no till.
func (t *terminal) atHost() (*there, error) {
	p, err := till.Read(t.ctx, t.flags.Data, keychain.New(t.flags.Data))
	if p == nil || err != nil {
		return nil, err
	}
	return &there{t, p}, nil
}

// open opens a link to the shop and signs in the person.
func (h *there) open() (*remote.Link, error) {
	conn, err := h.pairing.DialCommands(h.t.ctx)
	if err != nil {
		return nil, err
	}
	l, err := remote.Open(h.t.ctx, conn, remote.Options{})
	if err != nil {
		return nil, err
	}
	if err := h.signIn(l); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// signIn signs in the person of --as.
func (h *there) signIn(l *remote.Link) error {
	r := l.Invoke(h.t.ctx, bus.Invocation{Capability: "session.get"}, nil)
	var session struct {
		People []struct {
			ID, Name string
			NeedsPIN bool
		}
	}
	if err := r.Error(); err != nil {
		return err
	}
	if err := json.Unmarshal(r.Data, &session); err != nil {
		return err
	}
	var names []string
	for _, one := range session.People {
		if names = append(names, one.Name); one.ID != h.t.flags.As && !strings.EqualFold(one.Name, h.t.flags.As) {
			continue
		}
		in := map[string]string{"staffId": one.ID}
		if one.NeedsPIN {
			pin, err := h.t.askPIN(h.t.ctx, one.Name)
			if err != nil {
				return err
			}
			in["pin"] = pin
		}
		args, err := json.Marshal(in)
		if err != nil {
			return err
		}
		r := l.Invoke(h.t.ctx, bus.Invocation{Capability: "session.signIn", Arguments: args}, nil)
		return r.Error()
	}
	if len(names) == 0 {
		return fmt.Errorf("no person at the shop of %s has a PIN yet; set one there with staff.setPin", h.pairing.Address)
	}
	return fmt.Errorf("say who you are at the shop of %s: --as NAME, one of %s", h.pairing.Address,
		strings.Join(names, ", "))
}

// pass forwards each line to the host, or the unchanged bytes with --link.
func (c busCommand) pass(h *there, err error) error {
	if err != nil {
		return err
	}
	if c.Link {
		return h.passBytes()
	}
	l, err := h.open()
	if err != nil {
		return err
	}
	defer l.Close()
	in, out := newLines(h.t.In), json.NewEncoder(h.t.Out)
	out.SetEscapeHTML(false)
	for {
		line, err := in.next(h.t.ctx)
		if len(bytes.TrimSpace(line)) > 0 {
			var inv bus.Invocation
			r := bus.Result{Status: bus.StatusError}
			if wrong := json.Unmarshal(line, &inv); wrong != nil {
				r.Err = bus.Errorf(bus.Validation, bus.ReasonEnvelope, "A line is no invocation.").WithCause(wrong)
			} else {
				r = l.Invoke(h.t.ctx, inv, nil)
			}
			if err := out.Encode(r); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// passBytes connects the standard streams with the host. The other program signs in with session.signIn.
func (h *there) passBytes() error {
	conn, err := h.pairing.DialCommands(h.t.ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	ended := make(chan error, 2)
	go func() { _, err := io.Copy(conn, h.t.In); ended <- err }()
	go func() { _, err := io.Copy(h.t.Out, conn); ended <- err }()
	select {
	case err := <-ended:
		return err
	case <-h.t.ctx.Done():
		return nil
	}
}

// pass runs one capability at the host.
func (c invokeCommand) pass(h *there, err error) error {
	if err != nil {
		return err
	}
	if c.All || c.Approve != "" && c.Approve != "deny" {
		return errors.New("at a till a list comes page by page, and a card is answered in a window: " +
			"leave out --all and --approve")
	}
	l, err := h.open()
	if err != nil {
		return err
	}
	defer l.Close()
	r := l.Invoke(h.t.ctx, bus.Invocation{Capability: c.Name, Arguments: json.RawMessage(c.Arguments),
		IdempotencyKey: c.Key, DryRun: c.DryRun, Caller: bus.Caller{Source: "invoke"}}, nil)
	if h.t.flags.JSON {
		return h.t.outcome(r, r.OK())
	}
	if err := failure(r, c.Name); err != nil {
		return err
	}
	return h.t.print(r.Data)
}
