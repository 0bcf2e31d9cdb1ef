package peers

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"sync"

	"github.com/deskhand/deskhand/bus"
)

// Secrets keeps the key with which calls of capabilities elsewhere are signed; never in a file of the shop.
type Secrets interface {
	Keep(ctx context.Context, name, secret string) error // a dry run keeps nothing
	Find(ctx context.Context, name string) (string, error)
	Lasting() bool // it outlives the program
}

// secretKey is the name of the key among the secrets: its 32 bytes of seed in base64.
const secretKey = "peer.key"

// key is the Ed25519 key of a shop, made when it is first needed.
type key struct {
	secrets Secrets

	mu   sync.Mutex
	made ed25519.PrivateKey // in this program; it may not be kept yet
}

// private finds the key, or makes it if create says so; nil: there is none. lasts reports whether the next program
// finds it too.
func (k *key) private(ctx context.Context, create bool) (found ed25519.PrivateKey, lasts bool, err error) {
	kept, err := k.secrets.Find(ctx, secretKey)
	if err != nil {
		return nil, false, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if kept != "" {
		seed, err := base64.StdEncoding.DecodeString(kept)
		if err != nil || len(seed) != ed25519.SeedSize {
			return nil, false, bus.Errorf(bus.PreconditionFailed, bus.ReasonState,
				"The key with which calls elsewhere are signed is none.").
				WithHint("It is 32 bytes in base64, as openssl rand -base64 32 writes them.")
		}
		found = ed25519.NewKeyFromSeed(seed)
		return found, k.secrets.Lasting() || !found.Equal(k.made), nil
	}
	if !create {
		return nil, false, nil
	}
	if k.made == nil {
		if _, k.made, err = ed25519.GenerateKey(nil); err != nil {
			return nil, false, err
		}
	}
	err = k.secrets.Keep(ctx, secretKey, base64.StdEncoding.EncodeToString(k.made.Seed()))
	return k.made, k.secrets.Lasting(), err
}

// public is the key for the programs that are called, in base64; "": there is none yet.
func (k *key) public(ctx context.Context, create bool) (public string, lasts bool, err error) {
	private, lasts, err := k.private(ctx, create)
	if err != nil || private == nil {
		return "", false, err
	}
	return base64.StdEncoding.EncodeToString(private.Public().(ed25519.PublicKey)), lasts, nil
}
