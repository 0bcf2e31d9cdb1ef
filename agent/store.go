package agent

import (
	"embed"
	"io/fs"

	"github.com/deskhand/deskhand/agent/policy"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Modules are the bridge's tables for audit.Options.Modules: what people decided about the assistant (assistant_…,
// changed by capabilities) and what the bridge keeps for itself (agent_…, no effects), as goose migrations. Another
// database has the same tables and columns in its own types, with whole numbers of 64 bits.
func Modules() map[string]fs.FS {
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic("agent: " + err.Error()) // the directory is embedded above
	}
	return map[string]fs.FS{"agent": sub}
}

// Store keeps conversations in the journal's database, and reads the switches of the
// assistant there. Two programs on one database agree. It is safe for concurrent use.
type Store struct{ db policy.Database }

// NewStore makes a store in a database with the tables of [Modules], such as an [audit.Log] that was opened with them.
func NewStore(db policy.Database) *Store { return &Store{db: db} }
