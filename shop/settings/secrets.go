package settings

import (
	"context"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// Secrets keeps passwords and keys outside the shop's file, its log and every
// output. A name is a plain word of ours, such as "mail.password".
type Secrets interface {
	// Keep stores a secret in place of an earlier one of that name; "" removes it. A dry run keeps nothing.
	Keep(ctx context.Context, name, secret string) error
	// Find returns the secret of that name, "" if there is none.
	Find(ctx context.Context, name string) (string, error)
	// Lasting reports whether secrets outlive the program.
	Lasting() bool
}

// whereSecrets names the place where the port keeps secrets: an enum value of settings.get.
func whereSecrets(secrets Secrets) string {
	switch {
	case secrets == nil:
		return "none"
	case secrets.Lasting():
		return "keychain"
	}
	return "memory"
}

// keepSecret hands a secret to the port, and notifies the person if it will not last.
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

// forgetSecret removes a secret; without a port there is none.
func forgetSecret(ctx context.Context, secrets Secrets, name string) error {
	if secrets == nil {
		return nil
	}
	return secrets.Keep(ctx, name, "")
}

// FindSecret finds a secret; without a port there is none.
func FindSecret(ctx context.Context, secrets Secrets, name string) (string, error) {
	if secrets == nil {
		return "", nil
	}
	return secrets.Find(ctx, name)
}
