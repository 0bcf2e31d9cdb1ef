package desk

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

func TestWhatIsInTheWayHasWords(t *testing.T) {
	for want, err := range map[string]error{
		"The disk is full":  &os.PathError{Op: "write", Path: "shop.db", Err: syscall.ENOSPC},
		"cannot be written": &os.PathError{Op: "open", Path: "shop.db", Err: syscall.EACCES},
		"cannot be opened":  errors.New("no idea"),
	} {
		e := openProblem(t.TempDir(), err)
		if e.Code != bus.PreconditionFailed || !strings.Contains(e.Message, want) || e.Hint == "" {
			t.Errorf("%v is told as %+v", err, e)
		}
	}
}
