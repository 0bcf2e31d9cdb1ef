package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/zalando/go-keyring"
)

// TestSecretsLieInTheKeychain sets, tries out, replaces and removes one.
func TestSecretsLieInTheKeychain(t *testing.T) {
	keyring.MockInit()
	t.Cleanup(func() { keyring.MockInitWithError(keyring.ErrUnsupportedPlatform) })
	d := freshSample(t, deskOptions{})
	const mail = `{"section":"mail","values":{"host":"smtp.example.com","from":"a@b.example","password":"%"}}`
	key := "mail.password in " + d.folder
	set := func(password string, dry bool) {
		t.Helper()
		r := d.bus.Invoke(t.Context(), bus.Invocation{Capability: "settings.set", Arguments: json.RawMessage(strings.Replace(mail, "%", password, 1)),
			DryRun: dry, Principal: d.person, Caller: bus.Caller{Type: bus.CallerTest}})
		if !r.OK() {
			t.Fatal(r.Err)
		}
		if strings.Contains(string(r.Data), "pass-") {
			t.Errorf("the password is in the answer: %s", r.Data)
		}
	}
	is := func(want string) {
		t.Helper()
		if got, _ := keyring.Get(keychainService, key); got != want {
			t.Errorf("the keychain has %q, want %q", got, want)
		}
	}
	set("pass-0", true)
	is("")
	set("pass-1", false)
	is("pass-1")
	set("pass-2", true)
	is("pass-1")
	set("pass-3", false)
	is("pass-3")
	set("", false)
	is("")
}

// TestWithoutAKeychainSecretsAreInMemory: for this run, and nowhere else.
func TestWithoutAKeychainSecretsAreInMemory(t *testing.T) {
	keyring.MockInitWithError(keyring.ErrUnsupportedPlatform)
	s, other := secretsFor(t.TempDir()), secretsFor(t.TempDir())
	for _, k := range []*secrets{s, other} {
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
	if e := keychainProblem(keyring.ErrSetDataTooBig); !strings.Contains(e.Error(), "keychain") {
		t.Error(e)
	}
	if keychainProblem(nil) != nil {
		t.Error("no problem is one")
	}
}
