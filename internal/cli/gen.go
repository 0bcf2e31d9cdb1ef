package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/codegen"
	"github.com/deskhand/deskhand/bus/peer"
	"github.com/deskhand/deskhand/internal/desk"
)

type genCommand struct {
	Manifest string `help:"${genManifest}" placeholder:"PATH" type:"existingfile"`
	Peer     string `help:"${genPeer}" placeholder:"NAME"`
	TS       string `help:"Write capabilities.gen.ts into this folder." name:"ts" placeholder:"DIR"`
	Go       string `help:"${genGo}" name:"go" placeholder:"DIR"`
	Py       string `help:"Write capabilities_gen.py into this folder." name:"py" placeholder:"DIR"`

	Only    []string `help:"${genOnly}" placeholder:"NAME"`
	Exclude []string `help:"Leave these capabilities out, as --only names them." placeholder:"NAME"`
	Check   string   `help:"${genCheck}" placeholder:"FILE" type:"existingfile"`
}

// Run writes the same bytes for the same manifest.
func (c genCommand) Run(t *terminal) error {
	if c.TS == "" && c.Go == "" && c.Py == "" && c.Check == "" {
		return errors.New("say what to write: --ts DIR, --go DIR, --py DIR or several")
	}
	m, err := c.manifest(t)
	if err == nil && c.Check != "" {
		return c.check(t, m)
	}
	if err == nil {
		m, err = codegen.Select(m, c.Only, c.Exclude)
	}
	if err != nil {
		return err
	}
	wrote := []string{}
	write := func(dir, name string, make func() ([]byte, error)) error {
		if dir == "" {
			return nil
		}
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return fmt.Errorf("%s is not a folder: make it first, or name another one", dir)
		}
		code, err := make()
		if err != nil {
			return err
		}
		path := filepath.Join(dir, name)
		wrote = append(wrote, path)
		return os.WriteFile(path, code, 0o644)
	}
	if err := write(c.TS, "capabilities.gen.ts", func() ([]byte, error) { return codegen.TypeScript(m) }); err != nil {
		return err
	}
	err = write(c.Go, "capabilities.gen.go", func() ([]byte, error) {
		path, err := filepath.Abs(c.Go)
		if err != nil {
			return nil, err
		}
		return codegen.Go(m, filepath.Base(path))
	})
	if err != nil {
		return err
	}
	err = write(c.Py, "capabilities_gen.py", func() ([]byte, error) { return codegen.Python(m) })
	if err != nil {
		return err
	}
	if t.flags.JSON {
		return t.print(map[string]any{"wrote": wrote, "capabilities": len(m.Capabilities)})
	}
	for _, path := range wrote {
		if _, err := fmt.Fprintf(t.Out, "wrote %s (%d capabilities)\n", path, len(m.Capabilities)); err != nil {
			return err
		}
	}
	return nil
}

// check prints the changes since a client was generated. It fails if a change is breaking.
func (c genCommand) check(t *terminal, now bus.Manifest) error {
	if c.TS+c.Go+c.Py != "" || len(c.Only)+len(c.Exclude) > 0 {
		return errors.New("--check compares all of the file, and writes nothing: leave out the other flags")
	}
	file, err := readFile(c.Check, noManifest)
	if err != nil {
		return err
	}
	changes, err := codegen.Compare(file, now)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Check, err)
	}
	breaking := 0
	for _, change := range changes {
		kind := "compatible"
		if change.Breaking {
			kind = "breaking"
			breaking++
		}
		if !t.flags.JSON {
			fmt.Fprintf(t.Out, "%-10s  %s\n", kind, change)
		}
	}
	if t.flags.JSON {
		return t.outcome(map[string]any{"changes": changes, "breaking": breaking}, breaking == 0)
	}
	switch {
	case breaking > 0:
		return fmt.Errorf("%d of %d changes since %s was written are breaking", breaking, len(changes), c.Check)
	case len(changes) > 0:
		_, err = fmt.Fprintf(t.Out, "What uses %s works on.\n", c.Check)
	default:
		_, err = fmt.Fprintf(t.Out, "Nothing changed since %s was written.\n", c.Check)
	}
	return err
}

// maxFile is the size limit of a manifest, client or proof, in bytes.
const maxFile = 32 << 20

const noManifest = "it is no manifest, and no client of one"

// readFile reads a file named by the user, up to that limit. isNot completes the error for a larger one.
func readFile(path, isNot string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(raw) > maxFile {
		err = fmt.Errorf("%s is larger than %d MB: %s", path, maxFile>>20, isNot)
	}
	return raw, err
}

// manifest reads the given file, or creates the application's own manifest.
func (c genCommand) manifest(t *terminal) (m bus.Manifest, err error) {
	switch {
	case c.Manifest != "" && c.Peer != "":
		return m, errors.New("--manifest and --peer both say what a client is of: leave one out")
	case c.Peer != "":
		return ofPeer(t, c.Peer)
	case c.Manifest != "":
		raw, err := readFile(c.Manifest, noManifest)
		if err != nil {
			return m, err
		}
		return m, m.UnmarshalJSON(raw)
	}
	return desk.Manifest(t.ctx)
}

// ofPeer creates the manifest of a peer's offers, with their names on the bus of a shop. name is the name of an added
// peer, or the path of a capabilities.yaml.
func ofPeer(t *terminal, name string) (m bus.Manifest, err error) {
	if text, err := os.Open(name); err == nil {
		defer text.Close()
		f, err := peer.Read(text, name)
		if err != nil {
			return m, err
		}
		return f.Manifest(t.ctx)
	}
	return m, t.with(desk.Options{}, func(d *desk.Desk) error {
		if m, err = d.Bus.Manifest(t.ctx, bus.View{All: true}); err != nil {
			return err
		}
		if m, err = codegen.Select(m, []string{peer.LocalName(name, "*")}, nil); err != nil {
			return fmt.Errorf("there is no peer %q, and no such file: deskhand peers lists those that were added", name)
		}
		m.Application.Name = name
		return nil
	})
}
