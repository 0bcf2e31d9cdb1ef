//go:build !host

package cli

// hostCommands are those of the build that serves tills: go build -tags host .
type hostCommands struct{}
