package cases

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
)

// BrokenError is the error of a case whose rows do not form a valid shop.
type BrokenError struct{ error }

// Unwrap returns the cause.
func (e BrokenError) Unwrap() error { return e.error }

// Stage creates copies for playing cases, in a temporary folder.
type Stage struct {
	folder string
	empty  *desk.Desk // the initial shop of each copy
	played int
}

// NewStage creates the empty shop from which each copy starts. Close removes it.
func NewStage(ctx context.Context) (_ *Stage, err error) {
	s := &Stage{}
	if s.folder, err = os.MkdirTemp("", "deskhand-cases-"); err != nil {
		return nil, err
	}
	d, err := desk.Open(ctx, desk.Options{Folder: s.at("template"), Create: true, Door: "cli"})
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	r, err := d.Invoke(ctx, "shop.setUp", map[string]string{"from": "empty"}, "try")
	if err == nil && !r.OK() {
		err = r.Err
	}
	if err = errors.Join(err, d.Close()); err == nil {
		err = os.CopyFS(s.at("empty"), os.DirFS(s.at("template")))
	}
	if err == nil {
		s.empty, err = desk.Open(ctx, desk.Options{Folder: s.at("empty"), Door: "cli"})
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Stage) at(name string) string { return filepath.Join(s.folder, name) }

// Close removes the copies.
func (s *Stage) Close() (err error) {
	if s.empty != nil {
		err = s.empty.Close()
	}
	return errors.Join(err, os.RemoveAll(s.folder))
}

// open opens a copy with the rows before a case, which reaches nothing outside, and the case for the person there.
func (s *Stage) open(ctx context.Context, c *Case, m model.Model) (*desk.Desk, *Case, error) {
	c, err := c.forPerson(s.empty.Person.ID)
	if err != nil {
		return nil, nil, BrokenError{err}
	}
	s.played++
	folder := s.at(fmt.Sprint(s.played))
	if err := os.CopyFS(folder, os.DirFS(s.at("template"))); err != nil {
		return nil, nil, err
	}
	d, err := desk.Open(ctx, desk.Options{Folder: folder, Door: "cli", Allow: true, Of: s.empty, Model: m,
		Clock: func() time.Time { return time.UnixMilli(c.At) }})
	if err != nil {
		return nil, nil, err
	}
	if err := fill(ctx, d.Log, c.Before); err != nil {
		return nil, nil, errors.Join(BrokenError{err}, d.Close())
	}
	return d, c, nil
}

// fill inserts rows into a shop, in one transaction.
func fill(ctx context.Context, l *audit.Log, before map[string][]map[string]any) error {
	begun := &bus.Entry{Kind: bus.KindInvocation, Started: time.Now(), SideEffect: bus.UIOnly,
		Invocation: bus.Invocation{RequestID: "req_case", Caller: bus.Caller{Type: bus.CallerTest}},
		Result:     bus.Result{Status: bus.StatusSuccess, RequestID: "req_case"}}
	var wrong error // Do only returns the errors of the log
	put := func(ctx context.Context) error {
		c := &collector{}
		if err := c.readSchema(ctx); err != nil {
			return err
		}
		for _, name := range slices.Backward(tables) {
			if _, has := before[name]; has {
				if _, err := audit.Tx(ctx).ExecContext(ctx, "DELETE FROM "+name); err != nil {
					return err
				}
			}
		}
		for _, name := range tables {
			for _, row := range before[name] {
				if err := insert(ctx, c, name, row); err != nil {
					return fmt.Errorf("the shop does not take a row of %s: %w", name, err)
				}
			}
		}
		return nil
	}
	err := l.Do(ctx, begun, func(ctx context.Context, _ bus.Exec) error {
		wrong = put(ctx)
		return wrong
	})
	return cmp.Or(wrong, err)
}

func insert(ctx context.Context, c *collector, name string, row map[string]any) error {
	var columns, marks []string
	var values []any
	for _, column := range slices.Sorted(maps.Keys(row)) {
		if !slices.Contains(c.columns[name], column) {
			return fmt.Errorf("it has no column %q", column)
		}
		v := row[column]
		if n, is := v.(json.Number); is {
			whole, err := n.Int64()
			if err != nil {
				return fmt.Errorf("%s: %w", column, err)
			}
			v = whole
		}
		columns = append(columns, `"`+column+`"`)
		marks, values = append(marks, "?"), append(values, v)
	}
	_, err := audit.Tx(ctx).ExecContext(ctx, "INSERT INTO "+name+" ("+strings.Join(columns, ", ")+") VALUES ("+
		strings.Join(marks, ", ")+")", values...)
	return err
}

// Outcome of a case.
type Outcome string

// The outcomes.
const (
	Right         Outcome = "right"
	Wrong         Outcome = "wrong"
	NotUnderstood Outcome = "not understood" // nothing was changed
)

// Result is the outcome of a case for one assistant.
type Result struct {
	Case    string   `json:"case"`
	Outcome Outcome  `json:"outcome"`
	Differs []string `json:"differs,omitempty"` // missing or additional rows
	Said    string   `json:"said,omitempty"`    // the assistant's last words
}

// Try sends the sentence of a case to a model on a copy; a nil model is the built-in assistant. Every card is allowed.
// An error is a fault of the case or the copy, or of a model that did not answer.
func (s *Stage) Try(ctx context.Context, c *Case, m model.Model) (res Result, err error) {
	d, c, err := s.open(ctx, c, m)
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	var end agent.Update
	err = d.Bridge.Send(ctx, agent.Turn{ConversationID: "try", Text: c.Said, Principal: d.Person},
		func(u agent.Update) {
			if end = u; u.Type == agent.UpdateMessage {
				res.Said = u.Text
			}
		})
	if err != nil {
		return res, err
	}
	if end.Status == agent.StatusError {
		return res, errors.New(end.Error)
	}
	made, err := writesOf(ctx, d.Log, end.TurnID)
	if err != nil {
		return res, err
	}
	c.dropNewColumns(made)
	missing, extra := d.Bridge.CompareRows(c.records(), made)
	for _, row := range missing {
		res.Differs = append(res.Differs, "missing "+row)
	}
	for _, row := range extra {
		res.Differs = append(res.Differs, "too many "+row)
	}
	switch {
	case len(res.Differs) == 0:
		res.Outcome = Right
	case len(made) == 0:
		res.Outcome, res.Differs = NotUnderstood, nil
	default:
		res.Outcome = Wrong
	}
	return res, nil
}

// writesOf returns the calls of a turn that changed rows, in order.
func writesOf(ctx context.Context, l *audit.Log, turn string) ([]audit.Record, error) {
	page, err := l.Search(ctx, audit.Query{TraceID: turn, CallerType: bus.CallerAgent, Limit: 500})
	list := slices.DeleteFunc(page.Records, func(r audit.Record) bool { return len(r.Effects) == 0 })
	slices.Reverse(list)
	return list, err
}
