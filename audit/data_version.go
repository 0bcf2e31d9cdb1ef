package audit

import (
	"context"
	"fmt"
	"strconv"
)

// DataVersion names the present state of the domain's tables, as [bus.Journal]
// describes: the number of the last record in the main stream, since nothing
// changes without one, whichever program did it. What people only looked at lies
// in another stream and changes nothing.
func (l *Log) DataVersion(ctx context.Context) (string, error) {
	s, err := l.readers.take(ctx)
	if err != nil {
		return "", fmt.Errorf("audit: read the version: %w", err)
	}
	var seq int64
	err = s.scan("SELECT seq FROM audit_heads WHERE stream = ?", []any{mainStream.name}, &seq)
	l.readers.give(s, err == nil)
	if err != nil {
		return "", fmt.Errorf("audit: read the version: %w", err)
	}
	return strconv.FormatInt(seq, 10), nil
}
