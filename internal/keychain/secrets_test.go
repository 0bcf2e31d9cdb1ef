package keychain

import (
	"strings"
	"testing"

	"github.com/zalando/go-keyring"
)

// TestWithoutAKeychainSecretsAreInMemory: for this run, and nowhere else.
func TestWithoutAKeychainSecretsAreInMemory(t *testing.T) {
	keyring.MockInitWithError(keyring.ErrUnsupportedPlatform)
	s, other := New(t.TempDir()), New(t.TempDir())
	for _, k := range []*Secrets{s, other} {
		k.getenv = func(string) string { return "" }
	}
	if err := s.Keep(t.Context(), "mail.password", "x"); err != nil || s.Lasting() {
		t.Fatalf("%v, lasting %v", err, s.Lasting())
	}
	mine, _ := s.Find(t.Context(), "mail.password")
	theirs, _ := other.Find(t.Context(), "mail.password")
	if mine != "x" || theirs != "" {
		t.Errorf("kept %q, another program has %q", mine, theirs)
	}
	s.getenv = func(name string) string { return map[string]string{"DESKHAND_WEBHOOK_NEW_STOCK": "given"}[name] }
	if got, _ := s.Find(t.Context(), "webhook.new-stock"); got != "given" {
		t.Errorf("from the environment: %q", got)
	}
}

func TestALockedKeychainIsSaid(t *testing.T) {
	if e := problem(keyring.ErrSetDataTooBig); !strings.Contains(e.Error(), "keychain") {
		t.Error(e)
	}
	if problem(nil) != nil {
		t.Error("no problem is one")
	}
}
