// Package cli implements the command line.
package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/alecthomas/kong"
	"github.com/deskhand/deskhand/agent/page"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/cli/doctor"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/keychain"
	"github.com/deskhand/deskhand/internal/userinfo"
	"github.com/deskhand/deskhand/internal/window"
)

// commands is the grammar of the command line.
type commands struct {
	Data  string `help:"Folder of the shop." env:"DESKHAND_DATA" default:"${data}" placeholder:"DIR"`
	JSON  bool   `help:"Machine output everywhere." name:"json"`
	As    string `help:"Act as this person: an id, a name or a role." placeholder:"NAME"`
	PINFD int    `help:"${pinFD}" name:"pin-fd" default:"-1" placeholder:"N"`
	Debug bool   `help:"Log what happens inside to standard error."`

	Window    windowCommand    `cmd:"" default:"1" help:"Open the window."`
	Init      initCommand      `cmd:"" help:"Make a shop in the data folder."`
	Bus       busCommand       `cmd:"" help:"Read one invocation a line, write one result a line."`
	Invoke    invokeCommand    `cmd:"" help:"Run one capability."`
	Chat      chatCommand      `cmd:"" help:"Talk to the assistant in the terminal."`
	Approvals approvalsCommand `cmd:"" help:"Answer the cards of programs that ask elsewhere."`
	MCP       mcpCommand       `cmd:"" name:"mcp" help:"Serve another program's assistant by the Model Context Protocol."`
	Peers     peersCommand     `cmd:"" help:"Other programs whose actions are here."`
	Join      joinCommand      `cmd:"" help:"Make this computer a till of a shop on another one."`
	Hosting   hostCommands     `embed:""`

	Manifest manifestCommand `cmd:"" help:"Show what the application can do."`
	Audit    auditCommand    `cmd:"" help:"Look at the audit log."`
	Try      tryCommand      `cmd:"" help:"Play kept cases on copies and compare the rows."`
	Gen      genCommand      `cmd:"" help:"Write a typed client from the manifest."`
	Doctor   doctorCommand   `cmd:"" help:"Check what is set up and what is missing."`
	Version  versionCommand  `cmd:"" help:"Print the version."`
	Hold     holdCommand     `cmd:"" hidden:"" help:"Hold the shop's file for a window, until standard input ends."`
}

// longHelp holds the longer help texts, each after its placeholder in a tag. As variables of kong they took a seventh
// of the time of --help, because kong searches each variable for variables, for each flag.
var longHelp = []string{
	"${pinFD}", "Read the PIN of that person from this file descriptor instead of the terminal.",
	"${initFrom}", "A whole shop from a JSON file that shop.export wrote, " +
		"or an empty one with the products of a Shopify CSV.",
	"${busApprove}", "How confirmations are answered, which calls of an agent may need; " +
		"ask: in the window, or by deskhand approvals",
	"${busAsk}", "Your own calls are not asked.",
	"${invokeApprove}", "How a confirmation is answered, which few capabilities ask of a person",
	"${invokeAsk}", "With ask, somebody with the right may approve by PIN what you may not do.",
	"${chatText}", "What to say; several sentences are several turns. " +
		"Without any, a conversation on standard input.",
	"${chatEndpoint}", "An OpenAI-compatible endpoint, e.g. http://localhost:11434/v1; " +
		"without one the model of the settings answers, or the built-in assistant.",
	"${chatAutonomy}", "How far it may go by itself: look (read only), ask (confirm as the rules say, no grants), " +
		"grants (the grants too).",
	"${chatMask}", "Send placeholders in place of names, addresses and the like, once they were looked up; " +
		"they are put back here.",
	"${hostNATS}", "ADDRESS:PORT of NATS servers that others share, after tls:// where they encrypt: " +
		"tills come by them, and nothing listens here. " +
		"Links are encrypted and both ends prove their keys, whatever the servers say.",
	"${hostListen}", "Where: ADDRESS:PORT of this computer, or 0.0.0.0:PORT for all that it has.",
	"${genManifest}", "A manifest file, of any application; default: this application's own.",
	"${genPeer}", "Of what a peer offers: the name of one that was added, or its capabilities.yaml.",
	"${genOnly}", "Only these capabilities: names or patterns such as cart.*, separated by commas.",
	"${genCheck}", "Write nothing: tell what changed since this client was generated, or since this manifest was " +
		"kept; code 1 if something that a client relies on did.",
	"${genGo}", "Write capabilities.gen.go into this folder, in the package of that name.",
}

// fillHelp replaces the placeholders by the longer help texts.
func fillHelp(k *kong.Kong) error {
	texts := strings.NewReplacer(longHelp...)
	return kong.Visit(k.Model, func(node kong.Visitable, next kong.Next) error {
		if v, is := node.(*kong.Value); is && strings.Contains(v.Help, "${") {
			v.Help = strings.ReplaceAll(texts.Replace(v.Help), "${enum}", oneOf(v.Enum))
		}
		return next(nil)
	})
}

// oneOf lists the comma-separated values of an enum: "ask, deny or allow". One may be empty.
func oneOf(enum string) string {
	list := strings.FieldsFunc(enum, func(r rune) bool { return r == ',' || r == '"' })
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

var enumInError = regexp.MustCompile(`must be one of (\S+) but got`)

// usageError rewords an error about the command line.
func usageError(err error) string {
	return enumInError.ReplaceAllStringFunc(err.Error(), func(said string) string {
		return "must be " + oneOf(enumInError.FindStringSubmatch(said)[1]) + ", not"
	})
}

// Process holds the environment of a command line.
type Process struct {
	Args   []string
	In     io.Reader
	Out    io.Writer
	ErrOut io.Writer
	Bind   func(page.Methods) any // wraps the methods that a window's page can call
	Opened func(*desk.Desk)       // called with every desk that a command opens; nil outside tests
}

// terminal is the process of a command.
type terminal struct {
	Process
	ctx   context.Context
	flags *commands
	names []string                             // of the commands, which hints mention
	pin   func() (string, error)               // reads the PIN of --pin-fd
	tty   func() (tty, error)                  // opens the terminal to ask a secret on; nil: the process's own
	after func(time.Duration) <-chan time.Time // nil: time.After
	rand  io.Reader                            // for the words on cards; nil: the system's
}

// errQuiet ends the program with a failure that was already reported.
var errQuiet = errors.New("")

// brokenInput is the error of an unusable file; the exit code is 2.
type brokenInput struct{ error }

// Run runs one command line and returns the exit code.
func Run(ctx context.Context, p Process) int {
	p.Out, p.ErrOut = &screen{to: p.Out}, &screen{to: p.ErrOut}
	help := bufio.NewWriter(p.Out) // kong writes each line separately
	var flags commands
	exited, form := -1, "" // form: the capability whose fields --help shows
	parser, err := kong.New(&flags, kong.Name("deskhand"),
		kong.Description("The order desk of a small shop. "+
			"Every action is a capability on one bus, written to one audit log."),
		kong.Vars{"data": defaultData()}, kong.PostBuild(fillHelp),
		kong.Help(func(o kong.HelpOptions, ctx *kong.Context) error {
			if form = askedForm(ctx); form != "" {
				return nil
			}
			return kong.DefaultHelpPrinter(o, ctx)
		}), kong.Writers(help, p.ErrOut), kong.Exit(func(code int) { exited = code }))
	if err != nil {
		fmt.Fprintln(p.ErrOut, err)
		return 1
	}
	command, err := parser.Parse(p.Args)
	if exited >= 0 && form == "" {
		if err := help.Flush(); err != nil {
			fmt.Fprintln(p.ErrOut, err)
			return 1
		}
		return exited
	}
	if err != nil {
		fmt.Fprintf(p.ErrOut, "deskhand: %s\nSee: deskhand --help\n", usageError(err))
		return 2
	}
	level := slog.LevelError
	if flags.Debug {
		level = slog.LevelDebug
	}
	lines := slog.NewTextHandler(p.ErrOut, &slog.HandlerOptions{Level: level, ReplaceAttr: withoutUserinfo})
	slog.SetDefault(slog.New(lines))
	t := &terminal{Process: p, ctx: ctx, flags: &flags}
	for _, node := range parser.Model.Children {
		t.names = append(t.names, node.Name)
	}
	if err = t.readPIN(); err != nil {
		err = brokenInput{err}
	} else if form != "" {
		err = t.form(form)
	} else {
		err = command.Run(t)
	}
	switch {
	case err == nil:
		return 0
	case !errors.Is(err, errQuiet):
		fmt.Fprintf(p.ErrOut, "deskhand: %s\n", t.inWords(err))
	}
	if _, broken := errors.AsType[brokenInput](err); broken {
		return 2
	}
	return 1
}

// inWords returns an error as text for a person, with its hint.
func (t *terminal) inWords(err error) string {
	if e, coded := errors.AsType[*bus.Error](err); coded {
		return strings.TrimSuffix(e.Message+"\n"+t.hint(e.Hint), "\n") + optionLines(e)
	}
	return t.hint(err.Error())
}

var commandInHint = regexp.MustCompile(`\b(deskhand(?:-host)?)( [a-z]+)\b`)

// hint completes the commands in a text so that they run on the same shop.
func (t *terminal) hint(text string) string {
	return commandInHint.ReplaceAllStringFunc(text, func(said string) string {
		program, command, _ := strings.Cut(said, " ")
		if !slices.Contains(t.names, command) {
			return said
		}
		return t.command(program) + " " + command
	})
}

// optionLines lists the options of an error's choices, each with its argument.
func optionLines(e *bus.Error) string {
	var b strings.Builder
	for _, choice := range e.Choices {
		for i, o := range choice.Options {
			value, _ := json.Marshal(o.Value) // it was read from JSON, or is a text
			fmt.Fprintf(&b, "\n  %d. %s (%s %s)", i+1, quoted(o.Title), choice.Field, value)
		}
	}
	return b.String()
}

// defaultData returns the platform's data folder.
func defaultData() string { return filepath.Join(xdg.DataHome, "deskhand") }

// open opens the desk for a command.
func (t *terminal) open(o desk.Options) (*desk.Desk, error) {
	at, err := t.atHost()
	if err != nil {
		return nil, err
	}
	if at != nil {
		return nil, fmt.Errorf("this folder is a till of the shop at %s: here the window, invoke and bus work, "+
			"and everything else on the other computer", at.pairing.Address)
	}
	o.Folder, o.Person, o.Heads = t.flags.Data, t.flags.As, keychain.Heads(t.flags.Data)
	if o.Door == "" { // the user typed the command and its arguments
		o.Door, o.FilePath, o.PIN = "cli", true, t.askPIN
	}
	d, err := desk.Open(t.ctx, o)
	if err == nil && t.Opened != nil {
		t.Opened(d)
	}
	return d, err
}

// with opens a desk, runs a command on it, and closes it.
func (t *terminal) with(o desk.Options, run func(*desk.Desk) error) error {
	d, err := t.open(o)
	if err != nil {
		return err
	}
	return errors.Join(run(d), d.Close())
}

// withLog runs with the log of the shop, or with the one of the archive that the command line names.
func (t *terminal) withLog(run func(*audit.Log) error) error {
	if archived, err := t.flags.Hosting.withArchived(t.ctx, run); archived {
		return err
	}
	return t.with(desk.Options{}, func(d *desk.Desk) error { return run(d.Log) })
}

// print writes v as JSON, indented for people.
func (t *terminal) print(v any) error {
	e := json.NewEncoder(t.Out)
	e.SetEscapeHTML(false)
	if !t.flags.JSON {
		e.SetIndent("", "  ")
	}
	return e.Encode(v)
}

// outcome prints v as JSON. If ok is false, the program ends with a failure.
func (t *terminal) outcome(v any, ok bool) error {
	if err := t.print(v); err != nil || ok {
		return err
	}
	return errQuiet
}

// invoke runs one capability for a command. A refusal is an error too.
func (t *terminal) invoke(d *desk.Desk, name string, args any, source string) (bus.Result, error) {
	r, err := d.Invoke(t.ctx, name, args, source)
	if err == nil {
		err = failure(r, "")
	}
	return r, err
}

// failure returns the error of a result as text for a person, with its violations and hint. With the name that the
// person typed, wrong arguments lead to the form of the capability.
func failure(r bus.Result, typed string) error {
	if r.OK() {
		return nil
	}
	var b strings.Builder
	b.WriteString(r.Err.Message)
	for _, v := range r.Err.Violations {
		if said := strings.TrimPrefix(v.Path+": "+v.Message, ": "); !strings.Contains(r.Err.Message, said) {
			fmt.Fprintf(&b, "\n  %s", said)
		}
	}
	if typed != "" && len(r.Err.Violations) > 0 && r.Err.Code == bus.Validation {
		fmt.Fprintf(&b, "\nIts fields: deskhand invoke %s --help", typed)
	} else if r.Err.Hint != "" {
		b.WriteString("\n" + r.Err.Hint)
	}
	b.WriteString(optionLines(r.Err))
	fmt.Fprintf(&b, "\n(%s %s, request %s)", r.Err.Code, r.Err.Reason, r.RequestID)
	return errors.New(b.String())
}

type doctorCommand struct {
	Offline bool `help:"Do not ask the endpoint of the settings."`
}

func (c doctorCommand) Run(t *terminal) error {
	ok, err := doctor.Run(t.ctx, doctor.Options{Folder: t.flags.Data, Offline: c.Offline, JSON: t.flags.JSON, Out: t.Out,
		Open: func() (*desk.Desk, error) { return t.open(desk.Options{}) }, Hint: t.hint})
	if err == nil && !ok {
		err = errQuiet
	}
	return err
}

type windowCommand struct{}

func (windowCommand) Run(t *terminal) error { return window.Open(t.ctx, t.flags.Data, t.Bind) }

type versionCommand struct{}

// Run prints the version, and the commit if the program was built from one.
func (versionCommand) Run(t *terminal) error {
	b := buildOf(debug.ReadBuildInfo())
	if t.flags.JSON {
		return t.print(b)
	}
	line := "deskhand " + b.Version
	if b.Commit != "" {
		line += fmt.Sprintf(" (%.12s of %.10s", b.Commit, b.Time)
		if b.Modified {
			line += ", changed"
		}
		line += ")"
	}
	_, err := fmt.Fprintln(t.Out, line)
	return err
}

// build describes this program.
type build struct {
	Version  string `json:"version"`
	Window   bool   `json:"window"`             // can open a window
	Commit   string `json:"commit,omitempty"`   // absent if not built from a checkout
	Time     string `json:"time,omitempty"`     // of the commit, RFC 3339
	Modified bool   `json:"modified,omitempty"` // whether files differed from the commit
	Go       string `json:"go"`
}

func buildOf(info *debug.BuildInfo, known bool) build {
	b := build{Version: desk.Version, Window: window.Available, Go: runtime.Version()}
	if !known {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// withoutUserinfo removes user names and passwords in URLs from the program's log.
func withoutUserinfo(_ []string, a slog.Attr) slog.Attr {
	text := a.Value.String()
	if safe := userinfo.Strip(text); safe != text {
		return slog.String(a.Key, safe)
	}
	return a
}
