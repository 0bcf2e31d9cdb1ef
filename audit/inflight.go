package audit

import (
	"context"

	"github.com/deskhand/deskhand/bus"
)

// Begin implements [bus.Journal].
func (l *Log) Begin(ctx context.Context, e *bus.Entry) error { return nil }

// Finish implements [bus.Journal].
func (l *Log) Finish(ctx context.Context, e *bus.Entry) error { return l.Record(ctx, e) }

func (l *Log) settleInterrupted(ctx context.Context) error { return nil }
