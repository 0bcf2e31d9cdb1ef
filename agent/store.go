package agent

import (
	"embed"
	"io/fs"
	"sync"

	"github.com/deskhand/deskhand/audit"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Modules are the bridge's tables for audit.Options.Modules: what people decided about the assistant (assistant_…,
// changed by capabilities) and what the bridge keeps for itself (agent_…, no effects), as goose migrations.
func Modules() map[string]fs.FS {
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic("agent: " + err.Error()) // the directory is embedded above
	}
	return map[string]fs.FS{"agent": sub}
}

// Store keeps conversations in the journal's file, and reads the switches of the
// assistant there. Two programs on one file agree. It is safe for concurrent use.
type Store struct {
	log *audit.Log

	mu    sync.Mutex // guards asked
	asked []forgetting
}

// NewStore makes a store in a journal that was opened with [Modules].
func NewStore(log *audit.Log) *Store { return &Store{log: log} }
