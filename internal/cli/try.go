package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/openai"
	"github.com/deskhand/deskhand/internal/cases"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/keychain"
)

type auditKeep struct {
	Request string `arg:"" help:"Request id of a call of an assistant."`
	Out     string `short:"o" help:"File to write." required:"" placeholder:"FILE"`
}

// Run stores the turn of the request as a case.
func (c auditKeep) Run(t *terminal) error {
	return t.with(desk.Options{}, func(d *desk.Desk) error {
		kept, err := cases.Keep(t.ctx, d, c.Request)
		if err != nil {
			return err
		}
		raw, err := json.MarshalIndent(kept, "", " ")
		if err != nil {
			return err
		}
		if len(raw) > cases.MaxSize {
			return fmt.Errorf("the case would have more than %d bytes: keep one of fewer rows", cases.MaxSize)
		}
		f, err := os.OpenFile(c.Out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, os.ErrExist) {
			return fmt.Errorf("%s is there already: choose another name", c.Out)
		}
		if err != nil {
			return err
		}
		_, err = f.Write(append(raw, '\n'))
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
		_, err = fmt.Fprintf(t.Out, "Kept in %s: %q\nRead it before you pass it on: free text may name people.\n", c.Out,
			kept.Said)
		return err
	})
}

type tryCommand struct {
	Dir      string `arg:"" help:"Folder of kept cases, or one file."`
	Endpoint string `help:"An OpenAI-compatible endpoint; without one the built-in assistant answers." placeholder:"URL"`
	Model    string `help:"The endpoint's name of the model." placeholder:"M"`
}

// Run plays the cases. The exit code is 0 if all are right, 1 if not, and 2 if there is no case or one is unreadable.
func (c tryCommand) Run(t *terminal) (err error) {
	if (c.Endpoint == "") != (c.Model == "") {
		return brokenInput{errors.New("--endpoint and --model go together")}
	}
	names, list, err := readCases(c.Dir)
	if err != nil {
		return brokenInput{err}
	}
	var m model.Model
	if c.Endpoint != "" {
		m, err = openai.New(openai.Options{BaseURL: c.Endpoint, Model: c.Model,
			Key: keychain.New(t.flags.Data).ModelKey(c.Endpoint)})
		if err != nil {
			return brokenInput{err}
		}
	}
	results, err := playAll(t.ctx, names, list, m)
	if err != nil {
		return err
	}
	return t.tried(results)
}

// readCases reads the files of a folder, or one file.
func readCases(at string) (names []string, list []*cases.Case, err error) {
	names = []string{at}
	if info, err := os.Stat(at); err != nil {
		return nil, nil, err
	} else if info.IsDir() {
		if names, err = fs.Glob(os.DirFS(at), "*.json"); err != nil {
			return nil, nil, err
		}
		for i, name := range names {
			names[i] = filepath.Join(at, name)
		}
	}
	if len(names) == 0 {
		return nil, nil, fmt.Errorf("%s has no *.json: keep a case with deskhand audit keep REQUEST -o FILE", at)
	}
	if len(names) > cases.MaxFiles {
		return nil, nil, fmt.Errorf("%s has more than %d cases: try a part of them", at, cases.MaxFiles)
	}
	for _, name := range names {
		c, err := cases.Read(name)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, c)
	}
	return names, list, nil
}

func playAll(ctx context.Context, names []string, list []*cases.Case, m model.Model) (results []cases.Result,
	err error) {
	s, err := cases.NewStage(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	for i, c := range list {
		r, err := s.Try(ctx, c, m)
		if broken, is := errors.AsType[cases.BrokenError](err); is {
			return nil, brokenInput{fmt.Errorf("%s: %w", names[i], broken)}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", names[i], err)
		}
		r.Case = strings.TrimSuffix(filepath.Base(names[i]), ".json")
		results = append(results, r)
	}
	return results, nil
}

// tried prints the results.
func (t *terminal) tried(results []cases.Result) error {
	right := 0
	for _, r := range results {
		if r.Outcome == cases.Right {
			right++
		}
	}
	if t.flags.JSON {
		return t.outcome(results, right == len(results))
	}
	w := tabwriter.NewWriter(t.Out, 0, 0, 2, ' ', 0)
	for _, r := range results {
		differs := strings.Join(r.Differs, "; ")
		if r.Outcome == cases.NotUnderstood {
			differs = "said: " + strings.Join(strings.Fields(r.Said), " ")
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", r.Case, r.Outcome, differs)
	}
	fmt.Fprintf(w, "%d of %d right\t\t\n", right, len(results))
	if err := w.Flush(); err != nil || right == len(results) {
		return err
	}
	return errQuiet
}
