// Notes keeps notes. A line that begins with / is a capability and its arguments,
// any other is said to the assistant:
//
//	$ cd docs/examples/notes && go run . notes.db
//	write down the code of the door
//	/note.find {"query":"door"}
//	delete the code of the door
package main

import (
	"bufio"
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	auditlog "github.com/deskhand/deskhand/audit/capabilities"
	"github.com/deskhand/deskhand/bus"
)

//go:embed migrations
var files embed.FS

// you is who sits at the terminal.
var you = bus.Principal{ID: "you", Name: "You", Scopes: []string{"note:read", "note:write", "audit:read",
	"grant:write"}, Door: "cli"}

func main() {
	path := "notes.db"
	if len(os.Args) > 1 {
		path = os.Args[1]
	}
	if err := run(context.Background(), path, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "notes:", err)
		os.Exit(1)
	}
}

// run serves the lines of in until there are no more.
func run(ctx context.Context, path string, in io.Reader, out io.Writer) error {
	migrations, err := fs.Sub(files, "migrations")
	if err != nil {
		return err
	}
	log, err := audit.Open(ctx, path, audit.Options{Migrations: migrations,
		Modules: agent.Modules(), Turn: agent.TurnCapability})
	if err != nil {
		return err
	}
	defer log.Close()
	lines := bufio.NewScanner(in)
	store := agent.NewStore(log)
	ask := func(_ context.Context, card policy.Card) (policy.Answer, error) { // the next line is the answer
		fmt.Fprintf(out, "%s? [y/N] ", card.Sentence)
		if lines.Scan() && lines.Text() == "y" {
			return policy.Answer{Answer: bus.AnswerAllow}, nil
		}
		return policy.Answer{Answer: bus.AnswerDeny}, lines.Err()
	}
	rules := policy.New(policy.Options{Log: log, Caller: bus.CallerCLI, Ask: ask})
	b := bus.New(bus.Options{Journal: log, Approver: rules, Name: "notes", Version: "1.0.0"})
	b.MustRegister(append(Capabilities(), bus.Capabilities()...)...)
	b.MustRegister(auditlog.New(log, auditlog.Options{})...)
	b.MustRegister(agent.Capabilities(agent.CapabilityOptions{Store: store})...)
	bridge := agent.New(agent.Options{Bus: b, Policy: rules, Store: store,
		Model: func() model.Model { return builtin.New(nil, nil, nil) }})
	defer bridge.Close()

	for lines.Scan() {
		if command, found := strings.CutPrefix(lines.Text(), "/"); found {
			name, arguments, _ := strings.Cut(command, " ")
			r := b.Invoke(ctx, bus.Invocation{Capability: name, Arguments: []byte(arguments),
				Caller: bus.Caller{Type: bus.CallerCLI, Source: "notes"}, Principal: you})
			if r.Err != nil {
				fmt.Fprintln(out, r.Err)
				continue
			}
			fmt.Fprintln(out, string(r.Data))
			continue
		}
		turn := agent.Turn{ConversationID: "terminal", Text: lines.Text(), Principal: you}
		if err := bridge.Send(ctx, turn, func(u agent.Update) {
			if u.Type == agent.UpdateMessage {
				fmt.Fprintln(out, u.Text)
			}
		}); err != nil {
			return err
		}
	}
	return lines.Err()
}
