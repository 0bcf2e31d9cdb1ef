//go:build !windows

package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// TestThePINComesFromAnInheritedDescriptorOnly tries a descriptor that another program opened, one that is not open,
// one that this program opened itself, and the one that it writes to.
func TestThePINComesFromAnInheritedDescriptorOnly(t *testing.T) {
	folder := desktest.LockedShop(t)
	path := filepath.Join(t.TempDir(), "pin")
	if err := os.WriteFile(path, []byte(desktest.OwnersPIN+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	own, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	given, err := syscall.Dup(int(own.Fd())) // a copy stays open in other programs
	if err != nil {
		t.Fatal(err)
	}
	run := func(descriptor int) (int, string) {
		var out, errs bytes.Buffer
		code := Run(t.Context(), Process{Args: []string{"--data", folder, "--pin-fd=" + strconv.Itoa(descriptor), "bus"},
			In: strings.NewReader(`{"capability":"session.get"}`), Out: &out, ErrOut: &errs})
		return code, out.String() + errs.String()
	}
	for _, descriptor := range []int{int(own.Fd()), 1, 2, 987, -3} {
		if code, said := run(descriptor); code != 2 || !strings.Contains(said, "3<FILE") {
			t.Errorf("descriptor %d: code %d, %s", descriptor, code, said)
		}
	}
	if at, err := own.Seek(0, 1); at != 0 || err != nil {
		t.Errorf("a file of the program is read to %d, %v", at, err)
	}
	if code, said := run(given); code != 0 || !strings.Contains(said, `"id":"mara_lindqvist"`) {
		t.Errorf("an inherited descriptor: code %d, %s", code, said)
	}
}
