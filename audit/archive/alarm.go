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

// The kinds of alarms that are not one of [audit.MismatchKind].
const (
	AlarmRestore = "restore" // a restore that names a head which the archive does not have
	AlarmMessage = "message" // a message that is no record
	AlarmSize    = "size"    // of a publisher: a record whose message is larger than the server takes
)

// Alarm is one refusal. What a log has after a refused record is refused with it, without an alarm of its own, until a
// record comes that continues what the archive has.
type Alarm struct {
	Time      int64  `json:"time"` // ms since 1970
	Source    string `json:"source"`
	Kind      string `json:"kind"`           // one of [audit.MismatchKind], or a constant above
	Seq       int64  `json:"seq,omitempty"`  // number of the record in the log
	Hash      string `json:"hash,omitempty"` // that it came with, hex
	Head      int64  `json:"head"`           // number of the last record that the archive has
	HeadHash  string `json:"head_hash"`      // its hash, hex
	Stream    string `json:"stream"`         // where the message is…
	StreamSeq uint64 `json:"stream_seq"`     // …and its number there
	Problem   string `json:"problem"`        // one sentence
}

// same reports whether two alarms are about one message.
func (a *Alarm) same(b *Alarm) bool {
	return a.Source == b.Source && a.Kind == b.Kind && a.Seq == b.Seq && a.Hash == b.Hash && a.Head == b.Head &&
		a.HeadHash == b.HeadHash
}

// maxAlarms bounds the alarms of an archive, which a publisher could send without end: the others are only logged.
const maxAlarms = 10_000

// alarms are the lines of a file.
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

// read reads those that were added to the file, by the program that runs the archive.
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

// Alarms are all that were raised, oldest first, by other programs too. They lie in the file alarms.jsonl of the
// folder.
func (a *Archive) Alarms() []Alarm {
	a.alarms.mu.Lock()
	defer a.alarms.mu.Unlock()
	if err := a.alarms.read(); err != nil {
		a.o.Logger.Error("archive: read the alarms", "error", err)
	}
	return slices.Clone(a.alarms.all)
}

// mismatchAlarm is the alarm for a record that a log refused.
func mismatchAlarm(bad *audit.Mismatch) Alarm {
	return Alarm{Kind: string(bad.Kind), Seq: bad.Seq, Hash: fmt.Sprintf("%x", bad.Hash), Problem: bad.Problem}
}
