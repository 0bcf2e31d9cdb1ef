package policy

import (
	"context"

	"github.com/deskhand/deskhand/audit"
)

// Database stores the permanent state of a policy and an agent.Store in the tables of agent.Modules. It is the database
// of the bus's journal; [audit.Log] implements it. For another database, implement these methods on its journal. The
// statements are SQL that SQLite and PostgreSQL share, with $1, $2 and so on for arguments. Each changes one table.
//
// Arguments are text, int64, int and nil. Callers return the errors unchanged.
type Database interface {
	// View calls run with a read snapshot in its context, as [bus.Journal] does. Inside a transaction or snapshot of
	// the same database it joins that one.
	View(ctx context.Context, run func(ctx context.Context) error) error

	// UpdateBridge calls run with a transaction in its context that may change agent_… tables. It belongs to no
	// invocation and writes no record. An error rolls everything back and is returned. It may call run more than once;
	// only the last call counts. Inside a transaction of the same database it joins that one.
	UpdateBridge(ctx context.Context, run func(ctx context.Context) error) error

	// Query runs a query in the transaction or snapshot of ctx and calls each for one row after the other. The function
	// scan copies the columns of the row to its destinations, which are pointers to string, int64, int or bool. An
	// error of each ends the query and is returned.
	Query(ctx context.Context, each func(scan func(dest ...any) error) error, query string, args ...any) error

	// Exec runs a statement that changes rows in the transaction of ctx. Changes to assistant_… tables become effects
	// in the record of the invocation; changes to agent_… tables do not.
	Exec(ctx context.Context, query string, args ...any) error
}

// Shared is a [Database] that several programs use at once. It stores the open cards, so that every program can show
// and answer them. Without it a card exists only in the memory of its program.
type Shared interface {
	Database

	// Program names this program among those that use the database. ProgramEnded reports whether the program of that
	// name has exited or was killed, so that no call waits for the answers to its cards.
	Program() (string, error)
	ProgramEnded(program string) (bool, error)

	// Changes returns a channel that receives a value, until ctx ends, soon after any program commits a change. One
	// value may cover several commits, and a value may come without a change.
	Changes(ctx context.Context) <-chan struct{}

	// Search finds records by the query's RequestID. An answer counts only if its record is in the log.
	Search(ctx context.Context, q audit.Query) (audit.Page, error)
}

var _ Shared = (*audit.Log)(nil)
