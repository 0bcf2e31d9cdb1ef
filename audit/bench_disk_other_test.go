//go:build !linux

package audit_test

import (
	"errors"
	"os"
	"time"
)

func datasync(f *os.File) error { return f.Sync() }

func evict(string) error { return errors.ErrUnsupported }

func processorTime() time.Duration { return 0 }
