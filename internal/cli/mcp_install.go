package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/deskhand/deskhand/internal/atomicfile"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/tailscale/hujson"
)

type mcpInstallCommand struct {
	Program string `arg:"" help:"The program: ${enum}." enum:"claude,vscode,cursor,zed"`
	Client  string `help:"Name that it was enrolled with; default: the program." placeholder:"NAME"`
	File    string `help:"Its configuration file, where that is somewhere else." placeholder:"FILE" type:"path"`
	Yes     bool   `help:"Write it without asking."`
}

// clientProgram describes the configuration file of a program: its path and the section for servers.
type clientProgram struct {
	file    func(config, home string) string
	section string
	kind    string // the field "type" of an entry; "" if it has none
}

// clientPrograms lists the programs whose configuration can be written. config is the folder of the user's settings.
var clientPrograms = map[string]clientProgram{
	"claude": {section: "mcpServers", file: func(config, _ string) string {
		return filepath.Join(config, "Claude", "claude_desktop_config.json")
	}},
	"vscode": {section: "servers", kind: "stdio", file: func(config, _ string) string {
		return filepath.Join(config, "Code", "User", "mcp.json")
	}},
	"cursor": {section: "mcpServers", file: func(_, home string) string {
		return filepath.Join(home, ".cursor", "mcp.json")
	}},
	"zed": {section: "context_servers", file: func(config, home string) string {
		if runtime.GOOS == "windows" {
			return filepath.Join(config, "Zed", "settings.json")
		}
		return filepath.Join(home, ".config", "zed", "settings.json")
	}},
}

// serverEntry is the entry with which a program starts a server of tools.
type serverEntry struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// Run shows the change of the program's configuration, and writes it after a confirmation.
func (c mcpInstallCommand) Run(t *terminal) error {
	of := clientPrograms[c.Program]
	if c.Client == "" {
		c.Client = c.Program
	}
	var start []string
	if err := t.with(desk.Options{}, func(d *desk.Desk) error {
		start, _ = d.ClientCommand(c.Client)
		_, err := d.Client(t.ctx, c.Client)
		return err
	}); err != nil {
		return err
	}
	if start == nil {
		return errors.New("the folder of this program is not known")
	}
	if c.File == "" {
		config, err := os.UserConfigDir()
		home, wrong := os.UserHomeDir()
		if err = errors.Join(err, wrong); err != nil {
			return fmt.Errorf("the folder of your settings is not known, say --file: %w", err)
		}
		c.File = of.file(config, home)
	}
	before, err := os.ReadFile(c.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	after, entry, err := withServer(before, of, serverEntry{Type: of.kind, Command: start[0], Args: start[1:]})
	if err != nil {
		return fmt.Errorf("%s is not changed: %w", c.File, err)
	}
	if bytes.Equal(before, after) {
		_, err := fmt.Fprintf(t.Out, "%s has it already.\n", c.File)
		return err
	}
	fmt.Fprintf(t.Out, "%s gets, under %q:\n%s\n", c.File, of.section, entry)
	asks := &cardReader{t: t, in: newLines(t.In), out: t.Out}
	if !c.Yes && !asks.agrees(t.ctx, "Write it?") {
		_, err := fmt.Fprintln(t.Out, "Nothing was written.")
		return err
	}
	kept, err := replaceFile(c.File, before, after)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.Out, "Written. Start %s again to see it.\n", c.Program)
	if kept != "" {
		fmt.Fprintf(t.Out, "What was there before is in %s\n", kept)
	}
	return nil
}

// withServer returns a configuration with the entry of this program. Comments and other entries stay the same.
func withServer(before []byte, of clientProgram, entry serverEntry) (after, shown []byte, err error) {
	file := before
	if len(bytes.TrimSpace(file)) == 0 {
		file = []byte("{}\n")
	}
	v, err := hujson.Parse(file)
	if err != nil {
		return nil, nil, fmt.Errorf("it cannot be read: %w", err)
	}
	shown, err = json.MarshalIndent(map[string]serverEntry{"deskhand": entry}, "", "  ")
	if err != nil {
		return nil, nil, err
	}
	section := v.Find("/" + of.section)
	var there map[string]json.RawMessage
	if section != nil {
		standard := section.Clone()
		standard.Standardize()
		if json.Unmarshal(standard.Pack(), &there) != nil {
			return nil, nil, fmt.Errorf("%q in it is no object", of.section)
		}
		var now serverEntry
		if json.Unmarshal(there["deskhand"], &now) == nil && fmt.Sprint(now) == fmt.Sprint(entry) {
			return before, shown, nil
		}
	}
	root, isObject := v.Value.(*hujson.Object)
	if !isObject {
		return nil, nil, errors.New("it is no object")
	}
	unit := indentOf(root)
	if section == nil {
		put(root, of.section, hujson.Value{Value: &hujson.Object{}}, "", unit)
		section = v.Find("/" + of.section)
	}
	text, err := json.MarshalIndent(entry, unit+unit, unit)
	if err != nil {
		return nil, nil, err
	}
	value, err := hujson.Parse(text)
	if err != nil {
		return nil, nil, err
	}
	put(section.Value.(*hujson.Object), "deskhand", value, unit, unit)
	return v.Pack(), shown, nil
}

// indentOf returns the indentation of an object's members.
func indentOf(o *hujson.Object) string {
	if len(o.Members) > 0 {
		before := string(o.Members[0].Name.BeforeExtra)
		if at := strings.LastIndex(before, "\n"); at >= 0 && at+1 < len(before) {
			return before[at+1:]
		}
	}
	return "  "
}

// put sets a member of an object, on a separate line. outer is the indentation of the object itself.
func put(o *hujson.Object, name string, value hujson.Value, outer, unit string) {
	value.BeforeExtra = hujson.Extra(" ")
	for i := range o.Members {
		if is, _ := o.Members[i].Name.Value.(hujson.Literal); is.String() == name {
			o.Members[i].Value.Value = value.Value
			return
		}
	}
	if n := len(o.Members); n > 0 {
		value.AfterExtra = o.Members[n-1].Value.AfterExtra // a comma after the last member stays
	}
	if !strings.Contains(string(o.AfterExtra), "\n") {
		o.AfterExtra = hujson.Extra("\n" + outer)
	}
	o.Members = append(o.Members, hujson.ObjectMember{Value: value,
		Name: hujson.Value{BeforeExtra: hujson.Extra("\n" + outer + unit), Value: hujson.String(name)}})
}

// replaceFile replaces a file atomically and keeps a copy of the old content. kept is the copy's path, "" if the file
// did not exist.
func replaceFile(name string, before, after []byte) (kept string, err error) {
	mode := fs.FileMode(0o600)
	path, err := filepath.EvalSymlinks(name)
	if err == nil { // a link stays a link
		at, err := os.Stat(path)
		if err != nil {
			return "", err
		}
		mode = at.Mode().Perm()
		if kept, err = atomicfile.New(path, ".*.bak", before, mode); err != nil {
			return "", err
		}
	} else if err := atomicfile.MkdirAll(filepath.Dir(name)); err != nil {
		return "", err
	} else {
		path = name
	}
	return kept, atomicfile.Write(path, after, mode)
}
