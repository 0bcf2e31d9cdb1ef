package archive

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/deskhand/deskhand/audit"
)

// The kinds of alarms in addition to [audit.MismatchKind].
const (
	AlarmRestore = "restore" // a restore that names a head which the archive lacks
	AlarmMessage = "message" // a message that is no record
	AlarmSize    = "size"    // of a publisher: a record whose message exceeds the server's limit
)

// Alarm is one refused message. The archive also refuses all later records of the log, without another alarm, until a
// record continues its copy.
type Alarm struct {
	Time      int64  `json:"time"` // ms since 1970
	Source    string `json:"source"`
	Kind      string `json:"kind"`           // one of [audit.MismatchKind], or a constant above
	Seq       int64  `json:"seq,omitempty"`  // number of the record in the log
	Hash      string `json:"hash,omitempty"` // the record's hash, hex
	Head      int64  `json:"head"`           // number of the last record in the archive
	HeadHash  string `json:"head_hash"`      // its hash, hex
	Stream    string `json:"stream"`         // the message's stream…
	StreamSeq uint64 `json:"stream_seq"`     // …and its number there
	Problem   string `json:"problem"`        // one sentence
}

// same reports whether two alarms concern the same message.
func (a *Alarm) same(b *Alarm) bool {
	return a.Source == b.Source && a.Kind == b.Kind && a.Seq == b.Seq && a.Hash == b.Hash && a.Head == b.Head &&
		a.HeadHash == b.HeadHash
}

// maxAlarms limits the alarms of an archive, because a publisher could send any number. The archive only logs the
// others.
const maxAlarms = 10_000

// alarms is a list of alarms, stored as the lines of a file.
type alarms struct {
	path string
	o    *Options

	mu  sync.Mutex // guards all
	all []Alarm
}

func openAlarms(folder string, o *Options) (*alarms, error) {
	a := &alarms{path: filepath.Join(folder, "alarms.jsonl"), o: o}
	return a, a.read()
}

// read reads the alarms again, because the program that runs the archive may have added some.
func (a *alarms) read() error {
	text, err := os.ReadFile(a.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	a.all = a.all[:0:0]
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var one Alarm
		if json.Unmarshal(lines.Bytes(), &one) == nil { // the last line may be cut off
			a.all = append(a.all, one)
		}
	}
	return nil
}

// raise stores an alarm, unless it is stored already.
func (a *alarms) raise(one Alarm) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if slices.ContainsFunc(a.all, func(other Alarm) bool { return other.same(&one) }) {
		return nil
	}
	one.Time = a.o.Clock().UnixMilli()
	a.o.Logger.Error("archive: a record was refused", "source", one.Source, "kind", one.Kind, "seq", one.Seq,
		"problem", one.Problem)
	if len(a.all) >= maxAlarms {
		return nil
	}
	line, err := json.Marshal(one)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(a.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("archive: store an alarm: %w", err)
	}
	_, err = f.Write(append(line, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("archive: store an alarm: %w", err)
	}
	a.all = append(a.all, one)
	a.o.Alarm(one)
	return nil
}

// Alarms lists all alarms, oldest first, also those of other programs. The file alarms.jsonl in the folder stores them.
func (a *Archive) Alarms() []Alarm {
	a.alarms.mu.Lock()
	defer a.alarms.mu.Unlock()
	if err := a.alarms.read(); err != nil {
		a.o.Logger.Error("archive: read the alarms", "error", err)
	}
	return slices.Clone(a.alarms.all)
}

// mismatchAlarm returns the alarm for a record that a log refused.
func mismatchAlarm(bad *audit.Mismatch) Alarm {
	return Alarm{Kind: string(bad.Kind), Seq: bad.Seq, Hash: fmt.Sprintf("%x", bad.Hash), Problem: bad.Problem}
}
