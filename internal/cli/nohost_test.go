//go:build !host

package cli

import (
	"bytes"
	"strings"
	"testing"
)

func TestCommandsOfAHostSayWhichProgramHasThem(t *testing.T) {
	for _, line := range []string{"host --listen 127.0.0.1:0", "pair", "tills add Stockroom"} {
		var out bytes.Buffer
		code := Run(t.Context(), Process{In: strings.NewReader(""), Out: &out, ErrOut: &out, Args: strings.Fields(line)})
		if code != 1 || !strings.Contains(out.String(), "go build -tags host") {
			t.Errorf("%s: %d, %s", line, code, out.String())
		}
	}
}
