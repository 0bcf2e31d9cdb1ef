//go:build !host

package cli

import (
	"context"
	"errors"

	"github.com/deskhand/deskhand/audit"
)

// hostCommands holds the commands of the build that serves tills. In this build they explain how to build it.
type hostCommands struct {
	Host, Pair, Tills elsewhereCommand `cmd:"" hidden:""`
}

type elsewhereCommand struct {
	Rest []string `arg:"" optional:"" passthrough:""`
}

func (elsewhereCommand) Run() error {
	return errors.New("this program serves no tills; go build -tags host -o deskhand-host . makes one that does")
}

// withArchived returns false, because this build has no archive.
func (hostCommands) withArchived(context.Context, func(*audit.Log) error) (bool, error) {
	return false, nil
}
