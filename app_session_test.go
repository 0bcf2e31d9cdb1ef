package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

const ownersPIN = "2468013579"

// lockedShop is a sample shop whose owner has a PIN.
func lockedShop(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(sampleShop(t))); err != nil {
		t.Fatal(err)
	}
	d, err := openDesk(t.Context(), deskOptions{Folder: folder, Door: "cli"})
	if err != nil {
		t.Fatal(err)
	}
	d.must(t, bus.CallerTest, "staff.setPin", `{"staffId":"mara_lindqvist","pin":"`+ownersPIN+`"}`, nil)
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	return folder
}

// fakeTTY is a terminal on which somebody types.
type fakeTTY struct {
	io.Reader
	bytes.Buffer
	hidden int
}

func (f *fakeTTY) Read(p []byte) (int, error) { return f.Reader.Read(p) }
func (f *fakeTTY) Close() error               { return nil }
func (f *fakeTTY) Hide() (func(), error) {
	f.hidden++
	return func() { f.hidden-- }, nil
}

func TestTheCommandLineAsksForThePIN(t *testing.T) {
	folder := lockedShop(t)
	var asked fakeTTY
	for _, tc := range []struct {
		name, typed, as, says, shows string
		none                         bool
	}{
		{name: "right", typed: ownersPIN + "\n", as: "owner", shows: "mara_lindqvist pin"},
		{name: "the owner without a name", typed: ownersPIN + "\r\n", shows: "mara_lindqvist pin"},
		{name: "wrong", typed: "1234\n", says: "That is not the PIN of Mara Lindqvist."},
		{name: "nothing", typed: "\n", says: "no PIN was given"},
		{name: "no terminal", none: true, says: "no terminal to ask"},
		{name: "somebody without a PIN", none: true, as: "clerk", shows: "idris_bello none"},
	} {
		var got string
		term := &terminal{ctx: t.Context(), flags: &commands{Data: folder, As: tc.as, PINFD: -1}, tty: func() (tty, error) {
			if tc.none {
				return nil, errors.New("there is none")
			}
			asked = fakeTTY{Reader: strings.NewReader(tc.typed)}
			return &asked, nil
		}}
		err := term.with(deskOptions{}, func(d *desk) error {
			got = d.person.Person + " " + d.person.Authentication
			return nil
		})
		if got != tc.shows || (err == nil) != (tc.says == "") || err != nil && !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: signed in %q, %v", tc.name, got, err)
		}
		if !tc.none && (!strings.Contains(asked.String(), "PIN of Mara Lindqvist: ") || asked.hidden != 0) {
			t.Errorf("%s: the terminal says %q, hidden %d", tc.name, asked.String(), asked.hidden)
		}
	}
}

// TestThePINIsTheFirstLineOfStandardInput and what follows is the command's.
func TestThePINIsTheFirstLineOfStandardInput(t *testing.T) {
	folder := lockedShop(t)
	var out, errs bytes.Buffer
	in := strings.NewReader(ownersPIN + "\n" + `{"capability":"session.get"}` + "\n")
	if code := execute(t.Context(), []string{"--data", folder, "--pin-fd", "0", "bus"}, in, &out, &errs); code != 0 {
		t.Fatal(errs.String())
	}
	if !strings.Contains(out.String(), `"id":"mara_lindqvist","name":"Mara Lindqvist","role":"owner"`) || strings.Contains(out.String(), ownersPIN) {
		t.Errorf("answered %s", out.String())
	}
	t.Setenv("DESKHAND_PIN", ownersPIN)
	if code := execute(t.Context(), []string{"--data", folder, "--pin-fd", "0", "bus"}, strings.NewReader(""), &out, &errs); code != 1 {
		t.Error("a PIN was taken from the environment")
	}
}

func TestWaitingForAPINCanBeInterrupted(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupted"))
	if _, err := firstLine(ctx, r); err == nil || err.Error() != "interrupted" {
		t.Errorf("%v", err)
	}
}

func TestTheWindowIsLockedUntilSomebodySignsIn(t *testing.T) {
	a := newTestApp(t)
	a.desk = testDesk(t, deskOptions{Folder: lockedShop(t), Door: doorWindow})
	says := func(answer string, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if !strings.Contains(answer, part) {
				t.Fatalf("answered %s, want %s", answer, part)
			}
		}
	}
	signIn := func(id, pin, more string) string {
		return a.Invoke(fmt.Sprintf(`{"capability":"session.signIn","arguments":{"staffId":%q,"pin":%q}%s}`, id, pin, more))
	}
	const get = `{"capability":"session.get"}`
	says(a.Invoke(get), `"locked":true`, `{"id":"mara_lindqvist","name":"Mara Lindqvist","needsPin":true}`)
	says(a.Invoke(`{"capability":"order.search"}`), `"FORBIDDEN"`)
	says(a.Send(`{"text":"hello"}`), "Nobody is signed in")
	says(a.Decide(`{"approval_id":"x","answer":"allow"}`), "Nobody is signed in")
	says(signIn("mara_lindqvist", "1111", ""), `"FORBIDDEN"`)
	says(a.Invoke(get), `"locked":true`)
	says(signIn("mara_lindqvist", ownersPIN, `,"dry_run":true`), `"success"`)
	says(a.Invoke(get), `"locked":true`)
	says(signIn("mara_lindqvist", ownersPIN, `,"idempotency_key":"k"`), `"success"`, `"pin"`)
	says(a.Invoke(get), `"locked":false`)
	says(a.Invoke(`{"capability":"staff.list"}`), `"success"`)
	says(a.Invoke(`{"capability":"session.signOut"}`), `"success"`)
	says(signIn("mara_lindqvist", ownersPIN, `,"idempotency_key":"k"`), `"replayed":true`)
	says(a.Invoke(get), `"locked":true`)
}

func TestWhoIsRemovedIsSignedOut(t *testing.T) {
	a := newTestApp(t)
	sign := func(id string) {
		t.Helper()
		if got := a.Invoke(fmt.Sprintf(`{"capability":"session.signIn","arguments":{"staffId":%q}}`, id)); !strings.Contains(got, `"success"`) {
			t.Fatal(got)
		}
	}
	owner := a.desk.signedIn(t.Context())
	sign("june_park")
	if p := a.desk.signedIn(t.Context()); p.Role != "clerk" || p.Door != doorWindow {
		t.Fatalf("%+v", p)
	}
	a.desk.person = owner // the owner, at another door
	a.desk.must(t, bus.CallerTest, "staff.save", `{"staffId":"june_park","name":"June Park","role":"auditor"}`, nil)
	if p := a.desk.signedIn(t.Context()); p.Role != "auditor" {
		t.Errorf("with another role: %+v", p)
	}
	a.desk.must(t, bus.CallerTest, "staff.remove", `{"staffId":"june_park"}`, nil)
	if p := a.desk.signedIn(t.Context()); p.Person != "" || len(p.Scopes) != 0 {
		t.Errorf("removed: %+v", p)
	}
	sign("idris_bello")
	a.desk.leave("june_park")
	if p := a.desk.signedIn(t.Context()); p.Person != "idris_bello" {
		t.Errorf("somebody else's sign-out: %+v", p)
	}
	a.desk.leave("idris_bello")
	if p := a.desk.signedIn(t.Context()); p.Person != "" {
		t.Errorf("signed out: %+v", p)
	}
}
