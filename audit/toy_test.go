package audit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// toySchema has features that make undo hard: cascades, references within a table, unique values, blobs, reals,
// upserts, computed columns, keys that change.
const toySchema = `-- +goose Up
CREATE TABLE teams (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE) STRICT;
CREATE TABLE people (id TEXT PRIMARY KEY, team TEXT NOT NULL REFERENCES teams (id) ON UPDATE CASCADE ON DELETE CASCADE,
    boss TEXT REFERENCES people (id) ON DELETE SET NULL, score REAL, photo BLOB,
		twice REAL AS (score * 2) STORED) STRICT;
CREATE TABLE tags (person TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE, tag TEXT NOT NULL,
		n INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tag, person)) STRICT, WITHOUT ROWID;
CREATE TABLE desks (no INTEGER PRIMARY KEY, person TEXT NOT NULL REFERENCES people (id), UNIQUE (person)) STRICT;
CREATE TABLE loose (id INTEGER PRIMARY KEY, what);
CREATE INDEX people_team ON people (team);
`

// toyActions are the statements of toy.act. Each has a name and parameters that the call draws.
var toyActions = []struct{ name, text string }{
	{"hire a team", `INSERT INTO teams VALUES (?1, 'T' || ?2)`},
	{"hire", `INSERT INTO people (id, team, score, photo) SELECT ?1, id, ?2 / 3.0, zeroblob(?2 % 4) FROM teams
			ORDER BY id LIMIT 1 OFFSET ?2 % 5`},
	{"hire two", `INSERT INTO people (id, team, boss) SELECT ?1 || x, t.id, (SELECT max(id) FROM people)
			FROM teams t, (SELECT 'a' x UNION SELECT 'b') WHERE t.id = (SELECT min(id) FROM teams)`},
	{"dismiss", `DELETE FROM people WHERE id IN (SELECT id FROM people ORDER BY id LIMIT 1 OFFSET ?2 % 20)`},
	{"close a team", `DELETE FROM teams WHERE id IN (SELECT id FROM teams ORDER BY name LIMIT 1 OFFSET ?2 % 9)`},
	{"tag", `INSERT INTO tags (person, tag) SELECT id, 't' || (?2 % 3) FROM people
			WHERE unicode(id) % 2 = ?2 % 2 LIMIT 5 ON CONFLICT DO UPDATE SET n = n + 1`},
	{"untag", `DELETE FROM tags WHERE tag = 't' || (?2 % 3) AND n > 1`},
	{"promote", `UPDATE people SET boss = (SELECT id FROM people ORDER BY id DESC LIMIT 1 OFFSET ?2 % 3)
			WHERE team IN (SELECT id FROM teams ORDER BY id LIMIT 1)`},
	{"score", `UPDATE people SET score = coalesce(score, 0) * 1.1 + ?2, photo = CAST(x'00ff' || photo AS BLOB)
			WHERE id IN (SELECT id FROM people ORDER BY id DESC LIMIT 3)`},
	{"rename", `UPDATE teams SET name = upper(name) || 'x' WHERE id IN (SELECT id FROM teams ORDER BY id LIMIT 2)`},
	{"new key", `UPDATE teams SET id = ?1 WHERE id IN (SELECT id FROM teams ORDER BY id LIMIT 1 OFFSET ?2 % 4)`},
	{"seat", `INSERT INTO desks (no, person) SELECT ?2 % 40, id FROM people ORDER BY id LIMIT 1 OFFSET ?2 % 11
			ON CONFLICT DO UPDATE SET no = 40 + excluded.no`},
	{"stand up", `DELETE FROM desks WHERE no = (SELECT no FROM desks ORDER BY no LIMIT 1 OFFSET ?2 % 3)`},
	{"move over", `UPDATE desks SET no = no + 100 WHERE no % 2 = ?2 % 2`},
}

type toyInput struct {
	Steps []int  `json:"steps"`
	Note  string `json:"note,omitempty"`
	PIN   string `json:"pin,omitempty" jsonschema:"writeOnly=true"`
}

type toyOutput struct {
	Rows []int64 `json:"rows"`
	ID   string  `json:"id"`
}

// act runs the steps; one that breaks a rule fails the whole call.
func act(ctx context.Context, call *bus.Call, in toyInput) (out toyOutput, err error) {
	out.ID = call.NewID("id")
	for _, n := range in.Steps {
		res, err := audit.Tx(ctx).ExecContext(ctx, toyActions[n%len(toyActions)].text, call.NewID("x"),
			int64(call.Number(1_000_000_000)))
		if err != nil {
			return out, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "It does not fit.").WithCause(err)
		}
		rows, err := res.RowsAffected()
		if err != nil {
			return out, err
		}
		out.Rows = append(out.Rows, rows)
	}
	return out, nil
}

// newToy opens a bus with a small domain on a new log.
func newToy(t testing.TB, o bus.Options) (*bus.Bus, *audit.Log) {
	t.Helper()
	return toyAt(t, filepath.Join(t.TempDir(), "toy.db"), o)
}

func toyAt(t testing.TB, path string, o bus.Options) (*bus.Bus, *audit.Log) {
	t.Helper()
	return toyWith(t, path, o, options())
}

func toyWith(t testing.TB, path string, o bus.Options, lo audit.Options) (*bus.Bus, *audit.Log) {
	t.Helper()
	lo.Migrations = domain(toySchema)
	l := open(t, path, lo)
	o.Journal, o.Logger = l, slog.New(slog.NewTextHandler(io.Discard, nil))
	b := bus.New(o)
	toy := bus.Capability{Name: "toy.act", Title: "Act", Description: "Does this and that.", SideEffect: bus.UIOnly,
		Permissions: []string{"toy:write"}, Resources: []string{"database:write"}, Reversible: true}
	hard, post, load, look, odd := toy, toy, toy, toy, toy
	hard.Name, hard.Reversible, hard.Checks.Access = "toy.hard", false, bus.Access{Agent: bus.RuleDeny}
	load.Name, load.Run.Bulk = "toy.load", true
	odd.Name = "toy.odd"
	look.Name, look.SideEffect, look.Resources = "toy.look", bus.Pure, nil
	post.Name, post.SideEffect, post.Resources = "toy.post", bus.Network, nil
	post.Run.Preview = func(context.Context, *bus.Call) (json.RawMessage, error) { return nil, nil }
	nothing := func(context.Context, *bus.Call, toyInput) (struct{}, error) { return struct{}{}, nil }
	b.MustRegister(bus.Define(toy, act), bus.Define(hard, act), bus.Define(load, act), bus.Define(post, nothing),
		bus.Define(look, nothing),
		bus.Define(odd, func(ctx context.Context, call *bus.Call, in toyInput) (struct{}, error) {
			_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO loose (what) VALUES (?)`, in.Note)
			return struct{}{}, err
		}), audit.UndoCapability(l))
	return b, l
}

// call invokes a toy capability as a person who may do everything.
func call(b *bus.Bus, request, name, arguments string) bus.Result {
	return b.Invoke(context.Background(), bus.Invocation{Capability: name, Arguments: json.RawMessage(arguments),
		RequestID: request,
		Caller:    bus.Caller{Type: bus.CallerTest}, Principal: bus.Principal{ID: "u1", Scopes: []string{"*"},
			Door: "test"}})
}

func undo(b *bus.Bus, request, target string) bus.Result {
	return call(b, request, "audit.undo", fmt.Sprintf(`{"requestId":%q}`, target))
}
