// Rooms books meeting rooms by an HTTP API. Five of its handlers moved behind capabilities, one by one: see moved.go.
package main

import (
	"bufio"
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"

	_ "modernc.org/sqlite"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

//go:embed tables.sql
var tables string

var users = map[string]user{"token-of-ana": {"Ana", true}, "token-of-kim": {"Kim", false}}

// open opens the program's file as it did before the move.
func open(file string) (*store, error) {
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=journal_mode(wal)&_pragma=busy_timeout(5000)")
	if err == nil {
		_, err = db.Exec(tables)
	}
	return &store{db}, err
}

// newServer serves the API with the first handlers moved. The journal adds its own tables to the program's file.
func newServer(s *store, b *bus.Bus, moved int) http.Handler {
	h := s.handlers()
	for _, step := range steps(b)[:moved] {
		step(h)
	}
	mux := routes(s, h)
	mux.Handle("POST /invoke", invoke(b))
	return signedIn(users, mux)
}

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "rooms:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	s, err := open("rooms.db")
	if err != nil {
		return err
	}
	log, err := audit.Open(ctx, "rooms.db", audit.Options{Adopt: true})
	if err != nil {
		return err
	}
	defer log.Close()
	b := bus.New(bus.Options{Journal: log, Approver: policy.New(policy.Options{Caller: bus.CallerCLI, Ask: ask}),
		Name: "rooms", Version: "1.0.0"})
	server := newServer(s, b, len(steps(b)))
	switch {
	case len(args) == 3 && args[0] == "agent":
		r := b.Invoke(ctx, bus.Invocation{Capability: args[1], Arguments: []byte(args[2]),
			Caller: bus.Caller{Type: bus.CallerAgent, Source: "terminal"}, Principal: users["token-of-ana"].principal()})
		if r.Err == nil {
			fmt.Println(string(r.Data))
		}
		return r.Error()
	case len(args) == 2 && args[0] == "serve":
		listener, err := net.Listen("tcp", args[1])
		if err != nil {
			return err
		}
		fmt.Println("http://" + listener.Addr().String())
		return http.Serve(listener, server)
	}
	return fmt.Errorf("serve ADDRESS or agent CAPABILITY ARGUMENTS, not %q", args)
}

// ask shows a card and takes Ana's word for it.
func ask(_ context.Context, card policy.Card) (policy.Answer, error) {
	fmt.Printf("May the assistant do this? %s. [y/N] ", card.Sentence)
	line, _ := bufio.NewReader(os.Stdin).ReadString('\n') // no answer is no
	fmt.Println()
	if strings.TrimSpace(line) == "y" {
		return policy.Answer{Answer: bus.AnswerAllow}, nil
	}
	return policy.Answer{Answer: bus.AnswerDeny}, nil
}
