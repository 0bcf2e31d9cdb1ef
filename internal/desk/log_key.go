package desk

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/keychain"
)

// LogKeyName is the secret that signs the log of a shop: DESKHAND_AUDIT_KEY, a credential of systemd called audit.key,
// or in the keychain. It is never in the shop's folder: a thief of the folder would sign another log.
const LogKeyName = "audit.key"

// logKey finds the key of the log of the shop in a folder.
func logKey(folder string) func() ([]byte, error) {
	secrets := keychain.New(folder)
	return func() ([]byte, error) {
		seed, err := keychain.FindSeed(context.Background(), secrets, LogKeyName)
		if seed == nil && err == nil {
			err = bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "There is no key that signs the log.").
				WithHint("deskhand audit key makes one and keeps it in the keychain. Without a keychain give one in " +
					"DESKHAND_AUDIT_KEY, or to a service as the credential audit.key: openssl rand -base64 32 writes one.")
		}
		return seed, err
	}
}
