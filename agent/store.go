package agent

import (
	"embed"
	"io/fs"

	"github.com/deskhand/deskhand/agent/policy"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Modules returns the bridge's tables for audit.Options.Modules, as goose migrations. Capabilities change the tables
// assistant_…, which hold people's settings. The tables agent_… hold the bridge's internal state and have no effects.
// Another database has the same tables and columns in its own types, with 64-bit integers.
func Modules() map[string]fs.FS {
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic("agent: " + err.Error()) // the directory is embedded above
	}
	return map[string]fs.FS{"agent": sub}
}

// Store keeps conversations in the journal's database and reads the assistant's switches there. Two programs on one
// database share both. It is safe for concurrent use.
type Store struct{ db policy.Database }

// NewStore makes a store in a database with the tables of [Modules], such as an [audit.Log] that was opened with them.
func NewStore(db policy.Database) *Store { return &Store{db: db} }
