package peers

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"sync"

	"github.com/deskhand/deskhand/internal/keychain"
)

// Secrets stores the key that signs calls of capabilities elsewhere; it is never in a file of the shop. Keep stores
// nothing in a dry run.
type Secrets = keychain.Kept

// secretKey is the name of the key among the secrets: its 32 bytes of seed in base64.
const secretKey = "peer.key"

// key is the Ed25519 key of a shop, created at first use.
type key struct {
	secrets Secrets

	mu   sync.Mutex
	made ed25519.PrivateKey // in this program; it may not be stored so far
}

// private returns the key, or nil if there is none. With create it makes one. lasts reports whether the key outlives
// the program.
func (k *key) private(ctx context.Context, create bool) (found ed25519.PrivateKey, lasts bool, err error) {
	seed, err := keychain.FindSeed(ctx, k.secrets, secretKey)
	if err != nil {
		return nil, false, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if seed != nil {
		found = ed25519.NewKeyFromSeed(seed)
		return found, k.secrets.Lasting() || !found.Equal(k.made), nil
	}
	if !create {
		return nil, false, nil
	}
	if k.made != nil { // a dry run stored nothing
		seed = k.made.Seed()
		err = k.secrets.Keep(ctx, secretKey, base64.StdEncoding.EncodeToString(seed))
	} else if seed, err = keychain.MakeSeed(ctx, k.secrets, secretKey); err == nil {
		k.made = ed25519.NewKeyFromSeed(seed)
	}
	return k.made, k.secrets.Lasting(), err
}

// public returns the public key for the receivers of calls, in base64, or "" if there is none.
func (k *key) public(ctx context.Context, create bool) (public string, lasts bool, err error) {
	private, lasts, err := k.private(ctx, create)
	if err != nil || private == nil {
		return "", false, err
	}
	return base64.StdEncoding.EncodeToString(private.Public().(ed25519.PublicKey)), lasts, nil
}
