//go:build amd64

package atomicfile

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/deskhand/deskhand/internal/faulttest"
)

// childVariable makes the test binary a program that writes one file.
const childVariable = "ATOMICFILE_CHILD"

func TestMain(m *testing.M) {
	if path := os.Getenv(childVariable); path != "" {
		if err := errors.Join(MkdirAll(filepath.Dir(path)), Write(path, []byte("new"), 0o600)); err != nil {
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// write has a program write a file, with a fault at one of its syncs. It returns whether the program met it and failed,
// and what the file holds then.
func write(t *testing.T, path string, f faulttest.Fault) (met, failed bool, text string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), childVariable+"="+path)
	f.Calls = faulttest.Syncs
	p, err := faulttest.Start(cmd, f)
	if err != nil {
		t.Fatal(err)
	}
	report := p.Wait()
	raw, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return report.Met, report.Err != nil, string(raw)
}

// TestTheBytesAreSyncedBeforeTheNameAndTheNameAfter: a program that dies before its first sync has the old file, since
// the new bytes are not renamed before they are synced; before its second, which is the folder's, the new one.
func TestTheBytesAreSyncedBeforeTheNameAndTheNameAfter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kept.json")
	for _, c := range []struct {
		at   int
		met  bool
		text string
	}{{1, true, "old"}, {2, true, "new"}, {3, false, "new"}} {
		if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		if met, _, text := write(t, path, faulttest.Fault{Nth: c.at}); met != c.met || text != c.text {
			t.Errorf("killed before sync %d: met %v, the file holds %q", c.at, met, text)
		}
	}
	for at, want := range map[int]string{1: "old", 2: "new"} {
		if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, failed, text := write(t, path, faulttest.Fault{Nth: at, Err: syscall.EIO}); !failed || text != want {
			t.Errorf("sync %d fails: the error is returned %v, the file holds %q", at, failed, text)
		}
	}
}

// TestEachNewFolderIsSyncedInTheOneAboveIt: two folders are missing, so four syncs are made.
func TestEachNewFolderIsSyncedInTheOneAboveIt(t *testing.T) {
	for _, c := range []struct {
		at  int
		met bool
	}{{4, true}, {5, false}} {
		path := filepath.Join(t.TempDir(), "a", "b", "kept.json")
		if met, _, _ := write(t, path, faulttest.Fault{Nth: c.at}); met != c.met {
			t.Errorf("sync %d: met %v", c.at, met)
		}
	}
}
