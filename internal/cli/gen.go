package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/codegen"
	"github.com/deskhand/deskhand/internal/desk"
)

type genCommand struct {
	Manifest string `help:"${genManifest}" placeholder:"PATH" type:"existingfile"`
	TS       string `help:"Write capabilities.gen.ts into this folder." name:"ts" placeholder:"DIR"`
	Go       string `help:"${genGo}" name:"go" placeholder:"DIR"`
	Py       string `help:"Write capabilities_gen.py into this folder." name:"py" placeholder:"DIR"`
}

// Run writes the same bytes for the same manifest.
func (c genCommand) Run(t *terminal) error {
	if c.TS == "" && c.Go == "" && c.Py == "" {
		return errors.New("say what to write: --ts DIR, --go DIR, --py DIR or several")
	}
	m, err := c.manifest(t)
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

// manifest reads the named file, or makes the application's own.
func (c genCommand) manifest(t *terminal) (m bus.Manifest, err error) {
	if c.Manifest != "" {
		raw, err := os.ReadFile(c.Manifest)
		if err != nil {
			return m, err
		}
		return m, m.UnmarshalJSON(raw)
	}
	return desk.Manifest(t.ctx)
}
