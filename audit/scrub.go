package audit

import (
	"context"
	"time"
)

// traces is where pieces of what was erased may still lie.
type traces struct {
	inPages bool // in the file: in pages whose rows moved when others were split or joined
	inLog   bool // in the write-ahead log, as older images of its pages
}

// scrubDelay is how long the writer waits before it tries again.
const scrubDelay = time.Second

// scrub removes the traces. SQLite's secure_delete overwrites a row where it
// lies, but not the copies that are left in a page's unused middle when its rows
// move to another page: only writing the file anew does. The write-ahead log
// cannot be emptied while somebody reads an older state, and nothing can be done
// while another program writes.
func (w *writer) scrub() {
	if w.traces.inPages {
		_, err := w.session.conn.ExecContext(context.Background(), "VACUUM")
		if err != nil {
			w.cannotScrub(err)
			return
		}
		w.traces = traces{inLog: true}
	}
	if !w.traces.inLog {
		return
	}
	var busy, pages, moved int
	err := w.session.conn.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved)
	if err != nil {
		w.cannotScrub(err)
		return
	}
	w.traces.inLog = busy != 0
}

func (w *writer) cannotScrub(err error) {
	if !isBusy(err) {
		w.l.o.Logger.Error("audit: traces of what was erased are still in the file", "error", err)
	}
}

// scrubLater is when to try again, nil when there is nothing left.
func (w *writer) scrubLater() <-chan time.Time {
	if w.traces == (traces{}) {
		return nil
	}
	return time.After(scrubDelay)
}
