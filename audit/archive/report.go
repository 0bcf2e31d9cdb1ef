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

// markName is a file in the folder of an archive, by which [Is] recognises it.
const markName = "archive.json"

// mark is the content of the file: the version of the folder's layout.
type mark struct {
	Version int `json:"version"`
}

// mark creates the file that marks the folder as an archive.
func (a *Archive) mark() error {
	if Is(a.folder) {
		return nil
	}
	if err := writeFile(filepath.Join(a.folder, markName), mark{1}); err != nil {
		return fmt.Errorf("archive: mark the folder: %w", err)
	}
	return nil
}

// Is reports whether a folder is an archive that [Archive.Run] has written to.
func Is(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, markName))
	return err == nil
}

// Report describes one epoch of a source.
type Report struct {
	Source  string `json:"source"`
	Epoch   Epoch  `json:"epoch"`
	Last    bool   `json:"last"`    // it is the present epoch
	Records int64  `json:"records"` // number of its last record
	Head    string `json:"head"`    // hash of that record, hex
	Time    int64  `json:"time"`    // of that record, ms since 1970; 0 without one
	Alarms  int    `json:"alarms"`  // of the source; only with its last epoch
	// Verdict is nil if no verification was requested, or the log is unreadable.
	Verdict *audit.Verdict `json:"verdict,omitempty"`
	// Problem is the reason why the log is unreadable, "" if it is readable.
	Problem string `json:"problem,omitempty"`
}

// Reports describes all epochs, sorted by source, unreadable logs included. With verify it verifies each log, which
// reads all of it. The function progress may be nil.
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
		} else if err != nil { // the other reports are complete
			list[i].Problem = err.Error()
		}
		if progress != nil {
			progress(i+1, len(list))
		}
	}
	return list, nil
}

// fill reads the contents of a report from a log.
func (a *Archive) fill(ctx context.Context, r *Report, verify bool) error {
	log, release, err := a.Log(ctx, r.Source, r.Epoch.Number)
	if errors.Is(err, fs.ErrNotExist) { // the epoch has no log yet
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
