package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// fakeTTY is a terminal with typed input.
type fakeTTY struct {
	io.Reader
	bytes.Buffer
	changed int
	dropped string // what was shown when earlier input was dropped
}

func (f *fakeTTY) Read(p []byte) (int, error) { return f.Reader.Read(p) }
func (f *fakeTTY) Close() error               { return nil }
func (f *fakeTTY) State() (func(), error) {
	f.changed++
	return func() { f.changed-- }, nil
}

func (f *fakeTTY) Drop() error {
	f.dropped = "before " + f.String()
	return nil
}

// ReadPassword reads a line byte by byte: a second PIN may follow.
func (f *fakeTTY) ReadPassword() (line []byte, err error) {
	one := make([]byte, 1)
	for {
		if _, err := f.Reader.Read(one); err != nil || one[0] == '\n' {
			return line, err
		}
		line = append(line, one...)
	}
}

func TestTheCommandLineAsksForThePIN(t *testing.T) {
	folder := desktest.LockedShop(t)
	var asked fakeTTY
	for _, tc := range []struct {
		name, typed, as, says, shows string
		none                         bool
	}{
		{name: "right", typed: desktest.OwnersPIN + "\n", as: "owner", shows: "mara_lindqvist pin"},
		{name: "the owner without a name", typed: desktest.OwnersPIN + "\r\n", shows: "mara_lindqvist pin"},
		{name: "wrong", typed: "1234\n", says: "That is not the PIN of Mara Lindqvist."},
		{name: "a scanned code", typed: "4006381333931\n", says: "longer than a PIN"},
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
		err := term.with(desk.Options{}, func(d *desk.Desk) error {
			got = d.Person.ID + " " + d.Person.Authentication
			return nil
		})
		if got != tc.shows || (err == nil) != (tc.says == "") || err != nil && !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: signed in %q, %v", tc.name, got, err)
		}
		if !tc.none && (!strings.Contains(asked.String(), "PIN of Mara Lindqvist: ") || asked.changed != 0 || asked.dropped != "before ") {
			t.Errorf("%s: the terminal says %q, changed %d", tc.name, asked.String(), asked.changed)
		}
	}
}

// TestThePINIsTheFirstLineOfStandardInput and what follows is the command's.
func TestThePINIsTheFirstLineOfStandardInput(t *testing.T) {
	folder := desktest.LockedShop(t)
	var out, errs bytes.Buffer
	in := strings.NewReader(desktest.OwnersPIN + "\n" + `{"capability":"session.get"}` + "\n")
	if code := Run(t.Context(), Process{Args: []string{"--data", folder, "--pin-fd", "0", "bus"}, In: in, Out: &out,
		ErrOut: &errs}); code != 0 {
		t.Fatal(errs.String())
	}
	if !strings.Contains(out.String(), `"id":"mara_lindqvist","name":"Mara Lindqvist","role":"owner"`) ||
		strings.Contains(out.String(), desktest.OwnersPIN) {
		t.Errorf("answered %s", out.String())
	}
	t.Setenv("DESKHAND_PIN", desktest.OwnersPIN)
	if code := Run(t.Context(), Process{Args: []string{"--data", folder, "--pin-fd", "0", "bus"},
		In: strings.NewReader(""), Out: &out, ErrOut: &errs}); code != 1 {
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
