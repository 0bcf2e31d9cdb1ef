// Command peers is a label printer for a shop: a peer that a desk starts as a child process and calls over its standard
// streams. Each label is a file of ZPL, the language of label printers, in the folder that it is given.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/remote"
)

type label struct {
	OrderID string   `json:"orderId" jsonschema:"pattern=^[A-Za-z0-9#-]+$,maxLength=20"`
	Lines   []string `json:"lines" jsonschema:"minItems=1,maxItems=6"`
}

type printed struct {
	File string `json:"file"`
}

// standard is this process's standard streams.
type standard struct {
	io.Reader
	io.WriteCloser
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: peers FOLDER")
		os.Exit(2)
	}
	view := bus.View{Caller: bus.CallerCLI, Principal: bus.Principal{ID: "desk", Name: "The desk"}}
	err := remote.Serve(context.Background(), standard{os.Stdin, os.Stdout}, printer(os.Args[1]), view)
	if err != nil && !errors.Is(err, io.EOF) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// printer is a bus that prints labels into a folder.
func printer(folder string) *bus.Bus {
	b := bus.New(bus.Options{Journal: &bustest.Journal{}, Name: "label-printer", Version: "1.0.0"})
	c := bus.Define(bus.Capability{Name: "label.print", Title: "Print a label",
		Description: "Print the address label of an order. Use it once an order is packed; it sends nothing.",
		SideEffect:  bus.UIOnly, Resources: []string{"filesystem:write"}},
		func(_ context.Context, call *bus.Call, in label) (printed, error) {
			file := filepath.Join(folder, strings.Trim(in.OrderID, "#")+".zpl")
			if err := os.WriteFile(file, []byte(zpl(in)), 0o644); err != nil {
				return printed{}, bus.Errorf(bus.Transient, bus.ReasonNetwork, "The printer does not take the label.").
					WithCause(err)
			}
			return printed{file}, nil
		})
	c.Run.Preview = func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
		var in label
		if err := call.Decode(&in); err != nil {
			return nil, err
		}
		call.Summarize("Print a label for %s: %s", in.OrderID, strings.Join(in.Lines, ", "))
		return json.Marshal(in.Lines)
	}
	b.MustRegister(c)
	return b
}

// plain writes text for a ZPL field: what commands a printer is written in hexadecimal, so that an address cannot.
var plain = strings.NewReplacer(`\`, `\5C`, "^", `\5E`, "~", `\7E`, "\r", " ", "\n", " ")

// zpl is a label in the printer's language.
func zpl(l label) string {
	var b strings.Builder
	b.WriteString("^XA^CI28\n")
	for i, line := range append([]string{l.OrderID}, l.Lines...) {
		fmt.Fprintf(&b, "^FO40,%d^A0N,36^FH\\^FD%s^FS\n", 40+50*i, plain.Replace(line))
	}
	b.WriteString("^XZ\n")
	return b.String()
}
