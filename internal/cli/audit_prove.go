package cli

import (
	"fmt"
	"time"

	"github.com/deskhand/deskhand/audit/chain"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/keychain"
)

type auditKey struct{}

// Run makes the key if there is none, where a keychain can keep it.
func (auditKey) Run(t *terminal) error {
	return t.with(desk.Options{}, func(d *desk.Desk) error {
		if _, err := keychain.Seed(t.ctx, keychain.New(d.Folder), desk.LogKeyName, true); err != nil {
			return err
		}
		key, err := d.Log.PublicKey()
		if err == nil {
			_, err = fmt.Fprintln(t.Out, key)
		}
		return err
	})
}

type auditProve struct {
	RequestID string `arg:"" help:"Request id of the record."`
	Disclose  bool   `help:"Show arguments, result and changed rows of the record, which may be personal."`
}

// Run prints the proof alone, so that it can go into a file.
func (c auditProve) Run(t *terminal) error {
	return t.with(desk.Options{}, func(d *desk.Desk) error {
		proof, err := d.Log.Prove(t.ctx, c.RequestID, c.Disclose)
		if err == nil {
			_, err = t.Out.Write(proof)
		}
		return err
	})
}

type auditCheckProof struct {
	Key  string `help:"Public key of the log, from deskhand audit key." required:"" placeholder:"KEY"`
	File string `arg:"" help:"File with the proof." type:"existingfile"`
}

// Run opens no shop.
func (c auditCheckProof) Run(t *terminal) error {
	text, err := readFile(c.File, "it is no proof")
	if err != nil {
		return err
	}
	p, err := chain.CheckProof(c.Key, text)
	if err != nil {
		return err
	}
	payload := "not disclosed"
	if p.Salt != nil {
		payload = "as it was recorded"
	}
	_, err = fmt.Fprintf(t.Out, "The proof holds. Record %d of %d in the log %s: %q, %s, at %s. Its payload is %s.\n",
		p.Seq, p.Last(), p.Log(), p.Capability, p.Status, time.UnixMilli(p.Time).UTC().Format(time.RFC3339), payload)
	return err
}
