package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/cli"
	"github.com/deskhand/deskhand/internal/desk"
)

// deskWithPost is the program "deskhand-post FOLDER PERSON": `deskhand bus` with one capability more, a network step,
// which the shop does not have.
func deskWithPost(args []string) int {
	return cli.Run(context.Background(), cli.Process{
		Args: []string{"--data", args[0], "--as", args[1], "bus", "--approve", "allow"},
		In:   os.Stdin, Out: os.Stdout, ErrOut: os.Stderr,
		Opened: func(d *desk.Desk) { d.Bus.MustRegister(letterPost(args[0])) },
	})
}

type letter struct {
	To string `json:"to"`
}

// letterPost reaches the world outside: a line in a file that no transaction
// takes back.
func letterPost(folder string) bus.Capability {
	return bus.Define(bus.Capability{Name: "letter.post", Title: "Post a letter", Description: "Posts a letter.",
		SideEffect: bus.Network,
		Resources:  []string{"network:write"},
		Run: bus.Run{Preview: func(context.Context, *bus.Call) (json.RawMessage, error) {
			return json.RawMessage(`{}`), nil
		}},
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
