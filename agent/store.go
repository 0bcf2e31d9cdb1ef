package agent

import (
	"embed"
	"io/fs"
	"sync"

	"github.com/deskhand/deskhand/audit"
)

//go:embed migrations/*.sql
var migrations embed.FS

// ModuleName is the name under which [Migrations] belong into audit.Options.Modules.
const ModuleName = "agent"

// Migrations are the goose migrations of the bridge's tables: what people decided about the assistant (assistant_…,
// changed by capabilities) and what the bridge keeps for itself (agent_…, no effects).
func Migrations() fs.FS {
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic("agent: " + err.Error()) // the directory is embedded above
	}
	return sub
}

// Store keeps conversations in the journal's file, and reads the switches of the
// assistant there. Two programs on one file agree. It is safe for concurrent use.
type Store struct {
	log *audit.Log

	mu    sync.Mutex // guards asked
	asked []forgetting
}

// NewStore makes a store in a journal that was opened with [Migrations].
func NewStore(log *audit.Log) *Store {
	return &Store{log: log}
}
