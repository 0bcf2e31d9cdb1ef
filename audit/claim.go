package audit

import (
	"errors"
	"fmt"
	"os"
)

// Claim takes the file at path, made if it is not there, for this program alone as
// long as it runs or until it closes the file. It is nil when another program has it.
func Claim(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("audit: claim %s: %w", path, err)
	}
	ok, err := tryLock(f)
	if err != nil || !ok {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
