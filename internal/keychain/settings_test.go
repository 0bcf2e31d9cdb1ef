package keychain_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/zalando/go-keyring"
)

// TestSecretsLieInTheKeychain sets, tries out, replaces and removes one.
func TestSecretsLieInTheKeychain(t *testing.T) {
	keyring.MockInit()
	t.Cleanup(func() { keyring.MockInitWithError(keyring.ErrUnsupportedPlatform) })
	d := desktest.Sample(t, desk.Options{})
	const mail = `{"section":"mail","values":{"host":"smtp.example.com","from":"a@b.example","password":"%"}}`
	key := "mail.password in " + d.Folder
	set := func(password string, dry bool) {
		t.Helper()
		r := d.Bus.Invoke(t.Context(), bus.Invocation{Capability: "settings.set",
			Arguments: json.RawMessage(strings.Replace(mail, "%", password, 1)),
			DryRun:    dry, Principal: d.Person, Caller: bus.Caller{Type: bus.CallerTest}})
		if !r.OK() {
			t.Fatal(r.Err)
		}
		if strings.Contains(string(r.Data), "pass-") {
			t.Errorf("the password is in the answer: %s", r.Data)
		}
	}
	is := func(want string) {
		t.Helper()
		if got, _ := keyring.Get("deskhand", key); got != want {
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
