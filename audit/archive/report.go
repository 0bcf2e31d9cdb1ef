package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/deskhand/deskhand/audit"
)

// markName is a file in the folder of an archive, by which [Is] knows it.
const markName = "archive.json"

// mark is what the file says: the version of how the folder is laid out.
type mark struct {
	Version int `json:"version"`
}

// mark marks the folder as that of an archive.
func (a *Archive) mark() error {
	if Is(a.folder) {
		return nil
	}
	if err := writeFile(filepath.Join(a.folder, markName), mark{1}); err != nil {
		return fmt.Errorf("archive: mark the folder: %w", err)
	}
	return nil
}

// Is reports whether a folder is that of an archive: one that [Archive.Run] has written to.
func Is(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, markName))
	return err == nil
}

// Report is what an archive has of one epoch of a source.
type Report struct {
	Source  string `json:"source"`
	Epoch   Epoch  `json:"epoch"`
	Last    bool   `json:"last"`    // the epoch goes on
	Records int64  `json:"records"` // the number of its last record
	Head    string `json:"head"`    // the hash of that, hex
	Time    int64  `json:"time"`    // when it was written, ms since 1970; 0 without one
	Alarms  int    `json:"alarms"`  // of the source; with its last epoch only
	// Verdict is nil when it was not asked for, or the log cannot be read.
	Verdict *audit.Verdict `json:"verdict,omitempty"`
	// Problem is why the log cannot be read: "" when it can.
	Problem string `json:"problem,omitempty"`
}

// Reports tell of all epochs, by the names of the sources, also of logs that cannot be read. With verify each log is
// verified, which reads all of it; progress may be nil.
func (a *Archive) Reports(ctx context.Context, verify bool, progress func(done, total int)) ([]Report, error) {
	all, err := a.Sources()
	if err != nil {
		return nil, err
	}
	raised := map[string]int{}
	for _, one := range a.Alarms() {
		raised[one.Source]++
	}
	list := []Report{}
	for _, source := range all {
		for n, epoch := range source.Epochs {
			r := Report{Source: source.Name, Epoch: epoch, Last: n+1 == len(source.Epochs)}
			if r.Last {
				r.Alarms = raised[source.Name]
			}
			list = append(list, r)
		}
	}
	for i := range list {
		if err := a.fill(ctx, &list[i], verify); ctx.Err() != nil {
			return nil, ctx.Err()
		} else if err != nil { // the others are told of all the same
			list[i].Problem = err.Error()
		}
		if progress != nil {
			progress(i+1, len(list))
		}
	}
	return list, nil
}

// fill reads what a report tells of a log.
func (a *Archive) fill(ctx context.Context, r *Report, verify bool) error {
	log, release, err := a.Log(ctx, r.Source, r.Epoch.Number)
	if errors.Is(err, fs.ErrNotExist) { // nothing of it was stored yet
		return nil
	}
	if err != nil {
		return err
	}
	defer release()
	head, err := log.LastHead(ctx)
	if err != nil {
		return err
	}
	r.Records, r.Head = head.Seq, head.Hash
	last, err := log.Chained(ctx, head.Seq-1, 1, 1)
	if err != nil {
		return err
	}
	if len(last) > 0 {
		r.Time = last[0].Time
	}
	if verify {
		v, err := log.Verify(ctx, nil)
		if err != nil {
			return err
		}
		r.Verdict = &v
	}
	return nil
}
