//go:build !linux

package audit_test

import "os"

func datasync(f *os.File) error { return f.Sync() }
