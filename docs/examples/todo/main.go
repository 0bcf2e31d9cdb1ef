// Todo keeps a list; a person and an assistant use it by the same door.
package main

import (
	"bufio"
	"context"
	"embed"
	"encoding/json"
	"fmt"
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

//go:embed migrations/*.sql
var files embed.FS

// you is who sits at the terminal.
var you = bus.Principal{ID: "you", Name: "You", Door: "cli",
	Scopes: []string{"todo:read", "todo:write", "audit:read"}}

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "todo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	migrations, err := fs.Sub(files, "migrations")
	if err != nil {
		return err
	}
	log, err := audit.Open(ctx, "todo.db", audit.Options{Migrations: migrations})
	if err != nil {
		return err
	}
	defer log.Close()
	rules := policy.New(policy.Options{Caller: bus.CallerCLI, Ask: ask})
	b := bus.New(bus.Options{Journal: log, Approver: rules, Name: "todo", Version: "1.0.0"})
	b.MustRegister(capabilities()...)
	b.MustRegister(bus.Capabilities()...)
	b.MustRegister(auditlog.New(log, auditlog.Options{})...)

	text := strings.Join(args[min(1, len(args)):], " ")
	switch {
	case len(args) == 0:
		return invoke(ctx, b, "todo.list", nil)
	case args[0] == "add":
		return invoke(ctx, b, "todo.add", map[string]string{"text": text})
	case args[0] == "done":
		return invoke(ctx, b, "todo.done", map[string]string{"todoId": text})
	case args[0] == "clear":
		return invoke(ctx, b, "todo.clear", nil)
	case args[0] == "say":
		return say(ctx, b, rules, text)
	case args[0] == "manifest":
		raw, err := b.AppendManifest(ctx, nil, bus.View{All: true})
		fmt.Println(string(raw))
		return err
	}
	return fmt.Errorf("add, done, clear, say or manifest, not %q", args[0])
}

// invoke runs one capability as the person at the terminal.
func invoke(ctx context.Context, b *bus.Bus, name string, arguments map[string]string) error {
	raw, err := json.Marshal(arguments)
	if err != nil || arguments == nil {
		raw = nil
	}
	r := b.Invoke(ctx, bus.Invocation{Capability: name, Arguments: raw, Principal: you,
		Caller: bus.Caller{Type: bus.CallerCLI, Source: "todo"}})
	if r.Err != nil {
		return r.Err
	}
	fmt.Println(string(r.Data))
	return nil
}

// say gives a sentence to the assistant and prints what it does and says.
func say(ctx context.Context, b *bus.Bus, rules *policy.Policy, text string) error {
	bridge := agent.New(agent.Options{Bus: b, Policy: rules,
		Model: func() model.Model { return builtin.New(nil, nil, nil) }})
	defer bridge.Close()
	return bridge.Send(ctx, agent.Turn{ConversationID: "terminal", Text: text, Principal: you}, func(u agent.Update) {
		switch u.Type {
		case agent.UpdateCall:
			fmt.Println("→", u.Capability, string(u.Arguments))
		case agent.UpdateMessage:
			fmt.Println(u.Text)
			for _, choice := range u.Choices { // what may be answered
				for _, o := range choice.Options {
					fmt.Println("-", o.Title)
				}
			}
		}
	})
}

// ask shows a card and takes the person's word for it.
func ask(_ context.Context, card policy.Card) (policy.Answer, error) {
	fmt.Printf("May the assistant do this? %s. [y/N] ", card.Sentence)
	line, _ := bufio.NewReader(os.Stdin).ReadString('\n') // no answer is no
	fmt.Println()
	if strings.TrimSpace(line) == "y" {
		return policy.Answer{Answer: bus.AnswerAllow}, nil
	}
	return policy.Answer{Answer: bus.AnswerDeny}, nil
}
