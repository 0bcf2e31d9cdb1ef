package tills

import (
	"context"
	"encoding/json"
	"os"
	"sync"
	"unicode/utf8"

	"github.com/deskhand/deskhand/bus"
)

// The capabilities with which a window in a folder without a shop joins one on another computer.
const (
	JoinName    = "till.join"
	JoiningName = "till.joining"
)

// Joining holds the functions with which a window becomes a till.
type Joining struct {
	// Ask asks the host of a code to accept this window, and waits for its owner. It calls told with the key of this
	// till before it asks the host. keep turns the folder into that of a till.
	Ask func(ctx context.Context, code Code, name string, told func(key string)) (keep func() error, err error)

	Removed string // the address of the host that removed this desk; "" if none did
	Name    string // its name there
}

// maxName limits the name of a till.
const maxName = 60

// asking is a call of till.join that waits. A newer one ends it, because the page that made it may have closed.
type asking struct {
	key string // of this till; "" until the host is asked
	end context.CancelFunc
}

// askings holds the newest call.
type askings struct {
	mu     sync.Mutex // guards the other field and the newest call
	newest *asking    // nil if none waits
}

// replace ends the newest call and replaces it by another, or nil. With only it does so only if only is the newest.
func (a *askings) replace(by, only *asking) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if only != nil && a.newest != only {
		return
	}
	if a.newest != nil {
		a.newest.end()
	}
	a.newest = by
}

type joinInput struct {
	Code string `json:"code" jsonschema:"minLength=1,maxLength=400,writeOnly=true"`
	Name string `json:"name" jsonschema:"minLength=1,maxLength=60"`
}

type joinOutput struct {
	Host string `json:"host"`
}

type joiningOutput struct {
	Name    string `json:"name"`
	Key     string `json:"key,omitempty"`
	Removed string `json:"removed,omitempty"`
}

// joinCapabilities returns till.join and till.joining.
func (t *Tills) joinCapabilities() []bus.Capability {
	join := bus.Capability{Name: JoinName, Texts: texts, SideEffect: bus.Network, Permissions: []string{"shop:write"},
		Resources: []string{"network:write", "filesystem:write"},
		Listing:   bus.Listing{Category: Domain},
		Assistant: bus.Assistant{Hidden: true},
		Checks: bus.Checks{Access: bus.Access{Agent: bus.RuleDeny},
			Available: func(ctx context.Context, _ *bus.Call) error { return t.mayJoin(ctx) }},
		Run: bus.Run{Background: true, Timeout: CodeLasts + CodeLasts/10, ExecutionContext: "client",
			Preview: func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
				var in joinInput
				if err := call.Decode(&in); err != nil {
					return nil, err
				}
				code, err := ParseCode(in.Code)
				if err != nil {
					return nil, err
				}
				call.Summarize("Join the shop at %s as %s", code.Address, in.Name)
				return json.Marshal(joinOutput{code.Address})
			}}}
	joining := bus.Capability{Name: JoiningName, Texts: texts, Type: bus.TypeState, SideEffect: bus.Pure,
		Permissions: []string{"shop:write"}, Listing: bus.Listing{Category: Domain, Passive: true},
		Assistant: bus.Assistant{Hidden: true},
		Checks:    bus.Checks{Access: bus.Access{Agent: bus.RuleDeny}},
		Run:       bus.Run{Idempotent: true, ExecutionContext: "client"}}
	return []bus.Capability{bus.Define(join, t.join), bus.Define(joining, t.joining)}
}

// mayJoin returns the reason why this folder cannot become a till, or nil.
func (t *Tills) mayJoin(ctx context.Context) error {
	if t.o.Joining == nil {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "Only a window joins a shop in this way.").
			WithHint("In a terminal: deskhand join CODE")
	}
	return t.o.NoShop(ctx)
}

// join turns the folder into that of a till. The window continues as a till afterwards.
func (t *Tills) join(ctx context.Context, call *bus.Call, in joinInput) (out joinOutput, err error) {
	code, err := ParseCode(in.Code)
	if err != nil {
		return out, err
	}
	call.Summarize("Join the shop at %s as %s", code.Address, in.Name)
	ctx, end := context.WithCancel(ctx)
	mine := &asking{end: end}
	t.askings.replace(mine, nil)
	defer t.askings.replace(nil, mine)
	keep, err := t.o.Joining.Ask(ctx, code, in.Name, func(key string) {
		t.askings.mu.Lock()
		mine.key = key
		t.askings.mu.Unlock()
		call.Progress(0, "Waiting for the owner at the host.")
	})
	if err != nil {
		return out, err
	}
	// The owner may have taken minutes, and another program may have created a shop here.
	if err := t.o.Log.View(context.Background(), t.o.NoShop); err != nil {
		return out, err
	}
	if err := context.Cause(ctx); err != nil {
		return out, err
	}
	return joinOutput{code.Address}, keep()
}

// joining returns the state of joining for the page.
func (t *Tills) joining(context.Context, *bus.Call, struct{}) (out joiningOutput, err error) {
	t.askings.mu.Lock()
	if t.askings.newest != nil {
		out.Key = t.askings.newest.key
	}
	t.askings.mu.Unlock()
	if j := t.o.Joining; j != nil {
		out.Name, out.Removed = j.Name, j.Removed
	}
	if out.Name == "" {
		out.Name = ComputerName()
	}
	return out, nil
}

// ComputerName returns the default name of a till.
func ComputerName() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return "Till"
	}
	for len(name) > maxName {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	return name
}
