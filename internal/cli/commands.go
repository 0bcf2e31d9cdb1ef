package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/window"
)

type initCommand struct {
	Sample bool   `help:"A coffee roastery with products, customers and a year of orders." xor:"from" required:""`
	Empty  bool   `help:"An empty shop." xor:"from" required:""`
	From   string `help:"${initFrom}" xor:"from" required:"" placeholder:"FILE" type:"existingfile"`
	Name   string `help:"Name of the shop, unless a JSON file says it."`

	Currency string `help:"Currency of the prices in a CSV file." default:"USD"`
}

// Run creates the shop through the bus, so that even the first row has a record.
func (c initCommand) Run(t *terminal) error {
	return t.with(desk.Options{Create: true}, func(d *desk.Desk) error {
		args := map[string]string{"from": "empty"}
		if c.Sample {
			args["from"] = "sample"
		}
		if c.Name != "" {
			args["name"] = c.Name
		}
		r, err := t.invoke(d, "shop.setUp", args, "init")
		if err != nil {
			return err
		}
		if c.From != "" {
			if r, err = c.fill(t, d); err != nil {
				return err
			}
		}
		if t.flags.JSON {
			return t.print(r)
		}
		self := t.self()
		fmt.Fprintf(t.Out, "The shop is ready in %s\n", t.flags.Data)
		if window.Available {
			fmt.Fprintf(t.Out, "Open it:     %s\n", self)
		}
		_, err = fmt.Fprintf(t.Out, "Talk to it:  %s chat \"show the cart\"\n", self)
		return err
	})
}

// fill imports the file into the new shop. The shop stays empty if the import fails.
func (c initCommand) fill(t *terminal, d *desk.Desk) (bus.Result, error) {
	capability, args := "shop.importCSV", map[string]string{"file": c.From, "kind": "products",
		"currency": c.Currency}
	if strings.EqualFold(filepath.Ext(c.From), ".json") {
		capability, args = "shop.import", map[string]string{"file": c.From}
	}
	defer t.tellProgress(d, progressEvery)()
	r, err := t.invoke(d, capability, args, "init")
	if err == nil {
		return r, nil
	}
	again, bad := json.Marshal(args)
	return r, errors.Join(err, bad,
		fmt.Errorf("there is an empty shop now; to fill it: deskhand invoke %s '%s'", capability, again))
}

// self returns the shell command that runs deskhand on the same shop.
func (t *terminal) self() string { return t.command("deskhand") }

// command returns the shell command that runs a program on the same shop.
func (t *terminal) command(program string) string {
	folder := t.flags.Data
	switch {
	case folder == defaultData():
		return program
	case folder == "" || strings.ContainsAny(folder, " \t\n'\"\\$`&;|<>()*?[]#~!{}"):
		folder = "'" + strings.ReplaceAll(folder, "'", `'\''`) + "'"
	}
	return program + " --data " + folder
}

// answered returns the options of a desk whose cards the flag --approve answers.
func answered(approve string) desk.Options {
	o := desk.Options{Allow: approve == "allow"}
	if approve == "deny" {
		o.Deny = "--approve deny"
	}
	return o
}

type busCommand struct {
	Approve string `help:"${busApprove}: ${enum}. ${busAsk}" enum:"ask,deny,allow," default:"" placeholder:"HOW"`
	Link    bool   `help:"Speak as the Go package bus/remote does: manifest, many calls at once, progress, events."`
}

func (c busCommand) Run(t *terminal) error {
	o := answered(c.Approve)
	if c.Approve == "ask" {
		o.OnCard = func(policy.CardEvent) {} // other programs show it
	}
	if there, err := t.atHost(); there != nil || err != nil {
		return c.pass(there, err)
	}
	if c.Link {
		return t.with(o, t.serveLink)
	}
	return t.with(o, t.serve)
}

// standard combines standard input and output in a connection.
type standard struct {
	io.Reader
	io.Writer
}

// Close closes the input if possible, so that its reader ends.
func (s standard) Close() error {
	if in, is := s.Reader.(io.Closer); is {
		return in.Close()
	}
	return nil
}

// serveLink serves the other end of the standard streams until it closes them.
func (t *terminal) serveLink(d *desk.Desk) error {
	return d.ServeLink(t.ctx, standard{t.In, t.Out}, bus.CallerCLI)
}

// serve handles one line at a time, so that results come in order.
func (t *terminal) serve(d *desk.Desk) error {
	in := newLines(t.In)
	out := json.NewEncoder(t.Out)
	out.SetEscapeHTML(false)
	for {
		line, err := in.next(t.ctx)
		if len(bytes.TrimSpace(line)) > 0 {
			r := d.Answer(t.ctx, line, func(inv *bus.Invocation) {
				inv.Caller.Type = cmp.Or(inv.Caller.Type, bus.CallerCLI)
			})
			if err := out.Encode(r); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

type invokeCommand struct {
	Name      string `arg:"" help:"Capability, e.g. cart.addItem."`
	Arguments string `arg:"" optional:"" help:"JSON object." default:"{}"`
	Key       string `help:"Idempotency key." placeholder:"KEY"`
	DryRun    bool   `help:"Show what it would do and roll back."`
	All       bool   `help:"Follow a list to its end: each row is a line of JSON."`
	Approve   string `help:"${invokeApprove}: ${enum}. ${invokeAsk}" enum:"ask,deny,allow," default:"" placeholder:"HOW"`
}

func (c invokeCommand) Run(t *terminal) error {
	if there, err := t.atHost(); there != nil || err != nil {
		return c.pass(there, err)
	}
	o := answered(c.Approve)
	cards := &cardReader{t: t, in: newLines(t.In), out: t.ErrOut}
	if c.Approve == "ask" {
		o.OnCard = cards.card
	}
	return t.with(o, func(d *desk.Desk) error {
		cards.desk = d
		defer t.tellProgress(d, progressEvery)()
		inv := bus.Invocation{Capability: c.Name, Arguments: json.RawMessage(c.Arguments), IdempotencyKey: c.Key,
			DryRun: c.DryRun, Principal: d.Person, Caller: bus.Caller{Type: bus.CallerCLI, Source: "invoke"}}
		if c.All {
			return t.rows(d, inv)
		}
		r := d.Bus.Invoke(t.ctx, inv)
		for c.Approve == "ask" && !t.flags.JSON && cards.choose(r, &inv) {
			r = d.Bus.Invoke(t.ctx, inv)
		}
		if t.flags.JSON {
			return t.outcome(r, r.OK())
		}
		if err := failure(r, inv.Capability); err != nil {
			return err
		}
		return t.print(r.Data)
	})
}

// rows prints the rows of a list, page by page. If a page fails, the earlier rows are already printed.
func (t *terminal) rows(d *desk.Desk, inv bus.Invocation) error {
	m, err := d.Bus.Manifest(t.ctx, bus.View{Caller: inv.Caller.Type, Principal: inv.Principal})
	if err != nil {
		return err
	}
	if slices.ContainsFunc(m.Capabilities, func(e bus.ManifestEntry) bool {
		return e.Name == inv.Capability && !e.Paginated
	}) {
		return fmt.Errorf("%s is not a list of pages: leave out --all", inv.Capability)
	}
	for more := true; more; {
		r := d.Bus.Invoke(t.ctx, inv)
		if err := failure(r, inv.Capability); err != nil {
			return err
		}
		var page map[string]json.RawMessage
		if err := json.Unmarshal(r.Data, &page); err != nil {
			return err
		}
		for _, member := range page {
			var rows []json.RawMessage
			if json.Unmarshal(member, &rows) != nil {
				continue // it is no list
			}
			for _, row := range rows {
				if _, err := fmt.Fprintf(t.Out, "%s\n", row); err != nil {
					return err
				}
			}
		}
		var cursor string
		if more = json.Unmarshal(page["nextCursor"], &cursor) == nil && cursor != ""; more {
			if inv.Arguments, err = withCursor(inv.Arguments, page["nextCursor"]); err != nil {
				return err
			}
		}
	}
	return nil
}

// withCursor returns the arguments of the next page.
func withCursor(arguments, cursor json.RawMessage) (json.RawMessage, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(arguments, &all); err != nil {
		return nil, err
	}
	all["cursor"] = cursor
	return json.Marshal(all)
}

type manifestCommand struct {
	Tools  string `help:"The tool definitions made from it, for ${enum}." enum:"openai," default:"" placeholder:"openai"`
	All    bool   `help:"Everything, whoever asks."`
	Schema bool   `help:"The JSON Schema that every manifest fits."`
}

func (c manifestCommand) Run(t *terminal) error {
	if c.Schema {
		_, err := t.Out.Write(bus.Manifest{}.JSONSchema())
		return err
	}
	return t.with(desk.Options{}, func(d *desk.Desk) error {
		view := bus.View{Caller: bus.CallerCLI, Principal: d.Person, All: c.All}
		if c.Tools != "" {
			view.Caller = bus.CallerAgent
		}
		m, err := d.Bus.Manifest(t.ctx, view)
		if err != nil {
			return err
		}
		if c.Tools == "" {
			return t.print(m)
		}
		list, err := m.Tools()
		if err != nil {
			return err
		}
		type function struct {
			Type     string   `json:"type"`
			Function bus.Tool `json:"function"`
		}
		tools := make([]function, 0, len(list))
		for _, tool := range list {
			tools = append(tools, function{"function", tool})
		}
		return t.print(tools)
	})
}
