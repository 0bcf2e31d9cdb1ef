package keychain

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"

	"github.com/deskhand/deskhand/bus"
)

// Kept stores a key: [Secrets], or a substitute in tests.
type Kept interface {
	Find(ctx context.Context, name string) (string, error)
	Keep(ctx context.Context, name, secret string) error
	Lasting() bool
}

// FindSeed returns the seed of an Ed25519 key among the secrets, 32 bytes in base64, or nil if there is none.
func FindSeed(ctx context.Context, s Kept, name string) ([]byte, error) {
	kept, err := s.Find(ctx, name)
	if err != nil || kept == "" {
		return nil, err
	}
	seed, err := base64.StdEncoding.DecodeString(kept)
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The key %s is not 32 bytes in base64.", name).
			WithHint("openssl rand -base64 32 writes one.")
	}
	return seed, nil
}

// MakeSeed draws a seed and stores it.
func MakeSeed(ctx context.Context, s Kept, name string) ([]byte, error) {
	seed := make([]byte, ed25519.SeedSize)
	_, _ = rand.Read(seed) // it never fails
	return seed, s.Keep(ctx, name, base64.StdEncoding.EncodeToString(seed))
}

// Seed returns a seed, or nil if there is none. With create it makes one that outlives the program. If it cannot be
// stored, the error explains another way to provide one.
func Seed(ctx context.Context, s Kept, name string, create bool) ([]byte, error) {
	seed, err := FindSeed(ctx, s, name)
	if seed != nil || err != nil || !create {
		return seed, err
	}
	if !s.Lasting() {
		return nil, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "There is no keychain for the key %s.", name).
			WithHint("Give one in %s, each time, or to a service as the credential %s: "+
				"openssl rand -base64 32 writes one.", variable(name), name)
	}
	return MakeSeed(ctx, s, name)
}
