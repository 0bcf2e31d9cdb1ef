package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/peer"
)

// TestMain is the label printer when it is started as one.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && !strings.HasPrefix(os.Args[1], "-test") {
		main()
		return
	}
	os.Exit(m.Run())
}

// desk is a bus with a peer, whose command is put in place of the one in its file.
func desk(t *testing.T, file string, command ...string) *bus.Bus {
	t.Helper()
	text, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	f, err := peer.Read(text, file)
	if err != nil {
		t.Fatal(err)
	}
	p := peer.New(f, peer.Child(command))
	t.Cleanup(func() { p.Close() })
	b, _, _ := bustest.New(t, f.Capabilities(p.Invoke)...)
	return b
}

func invocation(capability, arguments string) bus.Invocation {
	return bus.Invocation{Capability: capability, Arguments: json.RawMessage(arguments),
		Caller: bus.Caller{Type: bus.CallerUI}, Principal: bus.Principal{ID: "kim"}}
}

func TestTheLabelPrinterPrintsAndSaysWhatItWouldPrint(t *testing.T) {
	folder := t.TempDir()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b := desk(t, "label-printer.yaml", program, folder)
	inv := invocation("peer.label_printer.label_print", `{"orderId":"#W1001","lines":["Ana ^XA~JR","Main Street 1"]}`)
	inv.DryRun = true
	if r := b.Invoke(context.Background(), inv); !r.OK() || r.Summary != "Print a label for #W1001: Ana ^XA~JR, Main Street 1" {
		t.Fatalf("tried out: %q %v", r.Summary, r.Err)
	}
	file := filepath.Join(folder, "W1001.zpl")
	if _, err := os.Stat(file); err == nil {
		t.Error("the dry run printed")
	}
	inv.DryRun = false
	if r := b.Invoke(context.Background(), inv); !r.OK() {
		t.Fatal(r.Err)
	}
	label, err := os.ReadFile(file)
	if err != nil || strings.Count(string(label), "^XA") != 1 || strings.Contains(string(label), "~") ||
		!strings.Contains(string(label), `Ana \5EXA\7EJR`) {
		t.Errorf("the label is %q (%v)", label, err)
	}
}

func TestTheAddressCheckerInPython(t *testing.T) {
	script, err := filepath.Abs("check_address.py")
	if err != nil {
		t.Fatal(err)
	}
	b := desk(t, "address-checker.yaml", "/usr/bin/python3", script)
	for arguments, want := range map[string]string{
		`{"country":"DE","postalCode":"10115"}`: `"fits"`,
		`{"country":"DE","postalCode":"1011"}`:  `"wrong"`,
		`{"country":"AQ","postalCode":"1"}`:     `"unknown"`,
	} {
		r := b.Invoke(context.Background(), invocation("peer.address_checker.check_address", arguments))
		if !r.OK() || !strings.Contains(string(r.Data), want) {
			t.Errorf("%s: %s %v, want %s", arguments, r.Data, r.Err, want)
		}
	}
	if r := b.Invoke(context.Background(), invocation("peer.address_checker.check_address", `{"country":"Deutschland","postalCode":"1"}`)); r.OK() ||
		r.Err.SchemaSide != "request" {
		t.Errorf("a country that is none: %v", r.Err)
	}
}
