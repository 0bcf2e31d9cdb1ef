package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// deskWithPost is the program "deskhand-post FOLDER PERSON": `deskhand bus` with
// one capability more, a network step, which the shop does not have.
func deskWithPost(args []string) int {
	t := &terminal{ctx: context.Background(), in: os.Stdin, out: os.Stdout, errOut: os.Stderr, flags: &commands{Data: args[0], As: args[1]}}
	err := t.with(deskOptions{Allow: true}, func(d *desk) error {
		d.bus.MustRegister(letterPost(args[0]))
		return t.serve(d)
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

type letter struct {
	To string `json:"to"`
}

// letterPost reaches the world outside: a line in a file that no transaction
// takes back.
func letterPost(folder string) bus.Capability {
	return bus.Define(bus.Capability{Name: "letter.post", Title: "Post a letter", Description: "Posts a letter.", SideEffect: bus.Network,
		Resources: []string{"network:write"},
		Preview:   func(context.Context, *bus.Call) (json.RawMessage, error) { return json.RawMessage(`{}`), nil },
	}, func(_ context.Context, _ *bus.Call, in letter) (struct{}, error) {
		f, err := os.OpenFile(lettersIn(folder), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return struct{}{}, err
		}
		_, err = f.WriteString(in.To + "\n")
		return struct{}{}, errors.Join(err, f.Close())
	})
}

func lettersIn(folder string) string { return filepath.Join(folder, "letters") }

// lettersPosted counts how often each letter went out.
func lettersPosted(t testing.TB, folder string) map[string]int {
	t.Helper()
	posted := map[string]int{}
	f, err := os.Open(lettersIn(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return posted
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		posted[lines.Text()]++
	}
	return posted
}
