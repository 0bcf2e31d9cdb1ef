//go:build !linux

package audit_test

import (
	"errors"
	"os"
)

func datasync(f *os.File) error { return f.Sync() }

func evict(string) error { return errors.ErrUnsupported }
