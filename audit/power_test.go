package audit_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/deskhand/deskhand/audit"
)

// TestEachConnectionThatWritesSyncsToTheDisk reads the pragmas of several connections of a pool. Only macOS obeys the
// last two, but each system reports them.
func TestEachConnectionThatWritesSyncsToTheDisk(t *testing.T) {
	l := open(t, filepath.Join(t.TempDir(), "log.db"), options())
	db, err := sql.Open("sqlite", audit.DSN(l))
	must(t, err)
	defer db.Close()
	for range 3 {
		c, err := db.Conn(context.Background()) // stays taken, so that the next one is new
		must(t, err)
		defer c.Close()
		for pragma, want := range map[string]int{"synchronous": 2, "fullfsync": 1, "checkpoint_fullfsync": 1} {
			got := -1
			must(t, c.QueryRowContext(context.Background(), "PRAGMA "+pragma).Scan(&got))
			if got != want {
				t.Errorf("%s is %d, want %d", pragma, got, want)
			}
		}
	}
}
