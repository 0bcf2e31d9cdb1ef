//go:build !host

package cli

import (
	"context"
	"errors"

	"github.com/deskhand/deskhand/audit"
)

// hostCommands are those of the build that serves tills. Here they say how it is built.
type hostCommands struct {
	Host, Pair, Tills elsewhereCommand `cmd:"" hidden:""`
}

type elsewhereCommand struct {
	Rest []string `arg:"" optional:"" passthrough:""`
}

func (elsewhereCommand) Run() error {
	return errors.New("this program serves no tills; go build -tags host -o deskhand-host . makes one that does")
}

// withArchived is false: this build has no archive.
func (hostCommands) withArchived(context.Context, func(*audit.Log) error) (bool, error) {
	return false, nil
}
