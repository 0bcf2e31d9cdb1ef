//go:build !host

package cli

import (
	"context"

	"github.com/deskhand/deskhand/audit"
)

// hostCommands are those of the build that serves tills: go build -tags host .
type hostCommands struct{}

// withArchived is false: this build has no archive.
func (hostCommands) withArchived(context.Context, func(*audit.Log) error) (bool, error) {
	return false, nil
}
