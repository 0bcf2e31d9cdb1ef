package keychain

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"

	"github.com/deskhand/deskhand/bus"
)

// Kept is where a key is kept: [Secrets], or what a test has in its place.
type Kept interface {
	Find(ctx context.Context, name string) (string, error)
	Keep(ctx context.Context, name, secret string) error
	Lasting() bool
}

// FindSeed finds the seed of an Ed25519 key among the secrets, 32 bytes in base64; nil: there is none.
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

// MakeSeed draws a seed and keeps it.
func MakeSeed(ctx context.Context, s Kept, name string) ([]byte, error) {
	seed := make([]byte, ed25519.SeedSize)
	_, _ = rand.Read(seed) // it does not fail
	return seed, s.Keep(ctx, name, base64.StdEncoding.EncodeToString(seed))
}

// Seed finds a seed or makes one that outlives the program, if create says so; nil: there is none. Where none can be
// kept the error says how to give one.
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
