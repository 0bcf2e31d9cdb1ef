//go:build soak && linux && amd64

package audit_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/internal/faulttest"
)

// TestEverySystemCallMayFailOnce lets a program that writes a few invocations
// meet an I/O error, a full disk or its death at each single call by which it
// changes files, one run for each. It takes a minute or two: it is built with
// the tag soak.
func TestEverySystemCallMayFailOnce(t *testing.T) {
	for _, kind := range faulttest.Kinds {
		for _, end := range faulttest.Ends {
			t.Run(kind.Name+" "+end.Name, func(t *testing.T) {
				t.Parallel()
				met := faulttest.Sweep(kind.Calls, end.Err, 1, func(f faulttest.Fault) faulttest.Report { return faulty(t, f) })
				t.Logf("%s meets %s: %d faults", kind.Name, end.Name, met)
			})
		}
	}
}

// faulty runs one program with a fault to its end and checks the log that it left.
func faulty(t *testing.T, f faulttest.Fault) faulttest.Report {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log.db")
	self, err := os.Executable()
	must(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s|f|5", childVariable, path))
	var out bytes.Buffer
	cmd.Stdout = &out
	p, err := faulttest.Start(cmd, f)
	must(t, err)
	report := p.Wait() // a program that gave up or was killed ends with an error
	acknowledged := map[string]bool{}
	for line := range strings.Lines(out.String()) {
		acknowledged[strings.TrimSpace(line)] = true
	}
	nothingLost(t, path, acknowledged)
	if t.Failed() {
		t.Fatalf("after %+v: %+v", f, report)
	}
	return report
}
