package archive

import (
	"container/list"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/internal/atomicfile"
)

// Archive keeps the logs of many sources in a folder: NAME/log-N.db for epoch N of a source. The last epoch is the
// present one; NAME/epochs.json describes the others. One program at a time runs an archive; others may open it to
// read.
type Archive struct {
	o      Options
	folder string
	alarms *alarms

	mu      sync.Mutex // guards the fields below
	open    map[string]*openLog
	idle    *list.List // of *openLog: logs without users, least recently used first
	freed   chan struct{}
	sources map[string]*refusals
	closed  bool
}

// openLog is an open log.
type openLog struct {
	path  string
	log   *audit.Log
	err   error
	ready chan struct{} // closed when log or err is set
	users int
	at    *list.Element // in idle
}

// Epoch is a part of a log's history. It ends when a copy is restored, which begins the next epoch.
type Epoch struct {
	Number  int        `json:"number"`
	Request string     `json:"request,omitempty"` // the request that restored the copy
	Before  audit.Head `json:"before,omitzero"`   // head of the previous epoch, which is abandoned after…
	After   audit.Head `json:"after,omitzero"`    // …the head of the copy that replaced it
	Of      int        `json:"of,omitempty"`      // number of the epoch that has the records of the copy
	// Known is the last record of the previous epoch in the archive. It is less than Before if the others were never
	// published.
	Known int64 `json:"known,omitempty"`
}

// Source is the archived history of one log.
type Source struct {
	Name   string  `json:"name"`
	Epochs []Epoch `json:"epochs"` // all but the last are abandoned after the record Epochs[n+1].After
}

// Open opens the archive in a folder. It creates the folder if necessary.
func Open(folder string, o Options) (*Archive, error) {
	o = o.withDefaults()
	if err := atomicfile.MkdirAll(folder); err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	a := &Archive{o: o, folder: folder, open: map[string]*openLog{}, idle: list.New(), freed: make(chan struct{}),
		sources: map[string]*refusals{}}
	var err error
	a.alarms, err = openAlarms(folder, &a.o)
	return a, err
}

// Close closes all logs. Call it after Run has returned and every log is released.
func (a *Archive) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
	var err error
	for path, l := range a.open {
		if l.users > 0 {
			err = errors.Join(err, fmt.Errorf("archive: %s is in use", path))
			continue
		}
		err = errors.Join(err, l.log.Close())
		delete(a.open, path)
	}
	a.idle.Init()
	return err
}

// Sources lists the sources in the archive.
func (a *Archive) Sources() ([]Source, error) {
	entries, err := os.ReadDir(a.folder)
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	sources := []Source{}
	for _, e := range entries {
		if !e.IsDir() || !token().MatchString(e.Name()) {
			continue
		}
		epochs, err := a.epochs(e.Name())
		if err != nil {
			return nil, err
		}
		sources = append(sources, Source{e.Name(), epochs})
	}
	return sources, nil
}

// Log opens the log of a source at an epoch, or at the present one for 0. Call release to end its use; do not close the
// log.
func (a *Archive) Log(ctx context.Context, source string, epoch int) (_ *audit.Log, release func(), err error) {
	if !token().MatchString(source) {
		return nil, nil, fmt.Errorf("archive: there is no source %q", source)
	}
	epochs, err := a.epochs(source)
	if err != nil {
		return nil, nil, err
	}
	if epoch == 0 {
		epoch = len(epochs)
	}
	if _, err := os.Stat(a.logPath(source, epoch)); err != nil || epoch > len(epochs) {
		return nil, nil, fmt.Errorf("archive: there is no epoch %d of the source %q: %w", epoch, source, err)
	}
	return a.use(ctx, a.logPath(source, epoch))
}

func (a *Archive) logPath(source string, epoch int) string {
	return filepath.Join(a.folder, source, "log-"+strconv.Itoa(epoch)+".db")
}

// use opens a log. If too many are open, it waits until it can close another.
func (a *Archive) use(ctx context.Context, path string) (_ *audit.Log, release func(), err error) {
	for {
		l, wait, err := a.admit(path)
		if err != nil {
			return nil, nil, err
		}
		if l == nil {
			select {
			case <-wait:
				continue
			case <-ctx.Done():
				return nil, nil, ctx.Err()
			}
		}
		<-l.ready
		release := sync.OnceFunc(func() { a.release(l) })
		if l.err != nil {
			release()
			return nil, nil, l.err
		}
		return l.log, release, nil
	}
}

// admit returns the log at path and opens it if necessary. Without a free place it returns wait, which closes when one
// may be free.
func (a *Archive) admit(path string) (l *openLog, wait chan struct{}, err error) {
	a.mu.Lock()
	if a.closed {
		a.mu.Unlock()
		return nil, nil, errors.New("archive: it is closed")
	}
	if l := a.open[path]; l != nil {
		if l.users++; l.at != nil {
			a.idle.Remove(l.at)
			l.at = nil
		}
		a.mu.Unlock()
		return l, nil, nil
	}
	var oldest *openLog
	if len(a.open) >= a.o.MaxOpen {
		first := a.idle.Front()
		if first == nil {
			wait = a.freed
			a.mu.Unlock()
			return nil, wait, nil
		}
		oldest = a.idle.Remove(first).(*openLog)
		delete(a.open, oldest.path)
	}
	l = &openLog{path: path, ready: make(chan struct{}), users: 1}
	a.open[path] = l
	a.mu.Unlock()
	defer close(l.ready)
	if oldest != nil {
		if err := oldest.log.Close(); err != nil {
			a.o.Logger.Error("archive: close a log", "path", oldest.path, "error", err)
		}
	}
	l.log, l.err = audit.OpenArchive(context.Background(), path, audit.Options{Clock: a.o.Clock, Logger: a.o.Logger})
	return l, nil, nil
}

// release ends one use of a log. An unused log stays open until another needs its place.
func (a *Archive) release(l *openLog) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if l.users--; l.users > 0 {
		return
	}
	if l.err != nil {
		delete(a.open, l.path)
	} else {
		l.at = a.idle.PushBack(l)
	}
	close(a.freed)
	a.freed = make(chan struct{})
}

// epochs reads the epochs of a source. A source without a file has only its first epoch.
func (a *Archive) epochs(source string) ([]Epoch, error) {
	text, err := os.ReadFile(filepath.Join(a.folder, source, "epochs.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return []Epoch{{Number: 1}}, nil
	}
	var list []Epoch
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil || len(list) == 0 {
		return nil, fmt.Errorf("archive: read the epochs of %s: %w", source, err)
	}
	return list, nil
}

// writeFile replaces a file atomically.
func writeFile(path string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, append(text, '\n'), 0o600)
}
