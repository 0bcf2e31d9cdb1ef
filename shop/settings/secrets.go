package settings

import (
	"context"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// Secrets stores passwords and keys outside the shop's file, its log and every output. A name is a plain word, such as
// "mail.password".
type Secrets interface {
	// Keep stores a secret under a name and replaces an earlier one; "" removes it. A dry run stores nothing.
	Keep(ctx context.Context, name, secret string) error
	// Find returns the secret with a name, or "" if there is none.
	Find(ctx context.Context, name string) (string, error)
	// Lasting reports whether secrets outlive the program.
	Lasting() bool
}

// whereSecrets returns the kind of place that stores the secrets: an enum value of settings.get.
func whereSecrets(secrets Secrets) string {
	switch {
	case secrets == nil:
		return "none"
	case secrets.Lasting():
		return "keychain"
	}
	return "memory"
}

// keepSecret stores a secret through the port, and notifies the person if it will not last.
func keepSecret(ctx context.Context, call *bus.Call, secrets Secrets, name, secret, what string) error {
	if secrets == nil {
		return core.Unavailable("This program keeps no secrets.")
	}
	if err := secrets.Keep(ctx, name, secret); err != nil {
		return fmt.Errorf("keep %s: %w", name, err)
	}
	if secret != "" && !secrets.Lasting() {
		call.Notify("warning", "There is no keychain here: %s is kept until the program ends.", what)
	}
	return nil
}

// forgetSecret removes a secret. Without a port there is none.
func forgetSecret(ctx context.Context, secrets Secrets, name string) error {
	if secrets == nil {
		return nil
	}
	return secrets.Keep(ctx, name, "")
}

// FindSecret returns a secret. Without a port there is none.
func FindSecret(ctx context.Context, secrets Secrets, name string) (string, error) {
	if secrets == nil {
		return "", nil
	}
	return secrets.Find(ctx, name)
}
