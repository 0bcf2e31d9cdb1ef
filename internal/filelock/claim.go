package filelock

import (
	"errors"
	"fmt"
	"os"
)

// Claim locks the file at path, which it creates if necessary, for this program
// until it ends or closes the file. It returns nil when another program holds it.
func Claim(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("claim %s: %w", path, err)
	}
	ok, err := TryExclusive(f)
	if err != nil || !ok {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
