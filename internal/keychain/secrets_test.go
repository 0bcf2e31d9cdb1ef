package keychain

import (
	"os"
	"path/filepath"
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

// TestASecretOfAServiceIsACredential that systemd gives it.
//
// holds: R8
func TestASecretOfAServiceIsACredential(t *testing.T) {
	keyring.MockInit()
	given := t.TempDir()
	if err := os.WriteFile(filepath.Join(given, "host.key"), []byte("key\n"), 0o400); err != nil {
		t.Fatal(err)
	}
	s := New(t.TempDir())
	s.getenv = func(name string) string { return map[string]string{"CREDENTIALS_DIRECTORY": given}[name] }
	if got, err := s.Find(t.Context(), "host.key"); got != "key" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := s.Find(t.Context(), "mail.password"); got != "" || err != nil {
		t.Errorf("what was not given: %q, %v", got, err)
	}
}
