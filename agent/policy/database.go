package policy

import (
	"context"

	"github.com/deskhand/deskhand/audit"
)

// Database is where a policy and agent.Store keep what they must not forget, in the tables of agent.Modules: that of
// the journal of the bus. [audit.Log] is one. For another database its journal gets these methods; the statements are
// SQL as SQLite and PostgreSQL understand it, with $1, $2 and so on in place of arguments, and each changes one table.
//
// Arguments are text, int64, int and nil. Errors are passed on.
type Database interface {
	// View runs run with a read snapshot in its context, as [bus.Journal]. Inside a transaction or snapshot of the same
	// database it is a part of that one.
	View(ctx context.Context, run func(ctx context.Context) error) error

	// UpdateBridge runs run with a transaction in its context that changes tables agent_…, outside of any invocation and
	// without a record. An error takes everything back and is returned. run may be called more than once; only the last
	// call counts. Inside a transaction of the same database it is a part of that one.
	UpdateBridge(ctx context.Context, run func(ctx context.Context) error) error

	// Query runs a query in the transaction or snapshot of ctx, and calls each with what copies the columns of a row, for
	// one row after the other. Scan takes pointers to string, int64, int and bool. An error of each ends it and is
	// returned.
	Query(ctx context.Context, each func(scan func(dest ...any) error) error, query string, args ...any) error

	// Exec runs a statement that changes rows in the transaction of ctx: of a table assistant_… with effects in the record
	// of the invocation, of a table agent_… without.
	Exec(ctx context.Context, query string, args ...any) error
}

// Shared is a [Database] that several programs use at once. The cards that wait for an answer lie in it, and every
// program can show and answer them. Without it cards live and end with their program.
type Shared interface {
	Database

	// Program names this program among those that use the database, and ProgramEnded reports whether the program of that
	// name has ended, also by being killed: nobody waits for the answer to its cards.
	Program() (string, error)
	ProgramEnded(program string) (bool, error)

	// Changes tells until ctx ends when there may be something new in the database, soon after it was committed by any
	// program. It may tell once for several commits, and without reason.
	Changes(ctx context.Context) <-chan struct{}

	// Search finds records: an answer counts only with its record, which is found by the query's RequestID alone.
	Search(ctx context.Context, q audit.Query) (audit.Page, error)
}

var _ Shared = (*audit.Log)(nil)
