package tills_test

import (
	"strings"
	"testing"

	"github.com/deskhand/deskhand/internal/tills"
)

// TestAHostThatWasKilledIsNotRunning although its file says where it listened. There is one host of a folder at a time.
func TestAHostThatWasKilledIsNotRunning(t *testing.T) {
	folder := t.TempDir()
	refused := func(what string) {
		t.Helper()
		if _, err := tills.Running(folder); err == nil || !strings.Contains(err.Error(), "serves no tills") {
			t.Errorf("%s: %v", what, err)
		}
	}
	refused("there never was one")
	told, err := tills.Announce(folder, tills.Host{Address: "127.0.0.1:4222", Key: "00"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tills.Announce(folder, tills.Host{}); err == nil {
		t.Error("two hosts serve one shop")
	}
	if err := told.Connected([]string{"UB", "UA"}); err != nil {
		t.Fatal(err)
	}
	h, err := tills.Running(folder)
	if err != nil || h.Address != "127.0.0.1:4222" || strings.Join(h.Tills, " ") != "UA UB" {
		t.Errorf("%+v, %v", h, err)
	}
	told.End()
	refused("it has ended")
}

// TestACodeIsReadAsItWasTyped or pasted, and what is none is refused at its field.
func TestACodeIsReadAsItWasTyped(t *testing.T) {
	want := tills.Code{Address: "shop.example:4222", Secret: "K7QM2RTX", Key: "0123456789ABCDEF"}
	for _, typed := range []string{want.String(), "shop.example:4222/k7qm2rtx/o123 4567–89ab-cdef\n",
		"   deskhand join shop.example:4222 / K7QM 2RTX / OI23-4567-89AB-CDEF", "deskhand --data X join " + want.String()} {
		if got, err := tills.ParseCode(typed); err != nil || got != want {
			t.Errorf("%q: %+v, %v", typed, got, err)
		}
	}
	for typed, address := range map[string]string{"NATS:shop.example:4222": "nats:shop.example:4222",
		"tls:shop.example:4222": "tls:shop.example:4222", "nats:4222": "nats:4222", "tls:4222": "tls:4222"} {
		got, err := tills.ParseCode(typed + "/K7QM-2RTX/0123-4567-89AB-CDEF")
		if err != nil || got.Address != address {
			t.Errorf("%q: %+v, %v", typed, got, err)
		}
	}
	for _, typed := range []string{"", "wss:shop.example:4222/K7QM-2RTX/0123-4567-89AB-CDEF", "K7QM-2RTX", "shop.example/K7QM-2RTX/0123-4567-89AB-CDEF", ":4222/K7QM-2RTX/0123-4567-89AB-CDEF",
		"shop.example:4222/K7QM-2RT/0123-4567-89AB-CDEF", "shop.example:4222/K7QM-2RTU/0123-4567-89AB-CDEF",
		want.String() + "/"} {
		if got, err := tills.ParseCode(typed); err == nil {
			t.Errorf("%q is read as %+v", typed, got)
		}
	}
}
