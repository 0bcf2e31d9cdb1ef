package capabilities

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

const nameExport = "audit.export"

// Files is the destination of exports, because capabilities access no files themselves.
type Files interface {
	// Create begins a file and returns its location, for people to read. The name is a plain file name. If the export
	// fails or is cancelled, a file with a method Discard() error gets this call in place of Close.
	Create(ctx context.Context, name string) (io.WriteCloser, string, error)
}

type exportInput struct {
	asked
	Format string `json:"format" jsonschema:"enum=jsonl,enum=csv"`
}

type exportOutput struct {
	File    string `json:"file"`
	Records int64  `json:"records"`
	Head    string `json:"head"`
}

func exportCapability(l *audit.Log, files Files, own zonePort, c bus.Capability) bus.Capability {
	c.Name, c.SideEffect, c.Run.Idempotent = nameExport, bus.UIOnly, false
	c.Checks.Access = bus.Access{Agent: bus.RuleConfirm}
	c.Resources = []string{"database:read", "filesystem:write"}
	c.Run.Background, c.Run.Timeout = true, 6*time.Hour
	c.Run.Preview = func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
		var in exportInput
		if err := call.Decode(&in); err != nil {
			return nil, err
		}
		call.Summarize("Write the audit log to a file (%s)", in.Format)
		return call.Arguments, nil
	}
	return bus.Define(c, func(ctx context.Context, call *bus.Call, in exportInput) (exportOutput, error) {
		q, err := in.within(ctx, call.Now, own)
		if err != nil {
			return exportOutput{}, err
		}
		name := fmt.Sprintf("audit-%s.%s", call.Now.UTC().Format("20060102-150405"), in.Format)
		file, where, err := files.Create(ctx, name)
		if err != nil {
			return exportOutput{}, err
		}
		head, err := l.Export(ctx, file, q, in.Format, func(done, total int64) {
			call.Progress(int(done*100/max(total, 1)), "Exporting the log")
		})
		if err = finish(file, err); err != nil {
			return exportOutput{}, err
		}
		call.Summarize("Wrote %d records of the audit log to %s", head.Records, where)
		return exportOutput{File: where, Records: head.Records, Head: head.Head}, nil
	})
}

// finish closes a complete file and discards a failed one.
func finish(file io.WriteCloser, failed error) error {
	if d, ok := file.(interface{ Discard() error }); ok && failed != nil {
		return errors.Join(failed, d.Discard())
	}
	return errors.Join(failed, file.Close())
}
