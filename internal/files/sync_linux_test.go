//go:build amd64

package files

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/deskhand/deskhand/internal/faulttest"
)

// childVariable makes the test binary a program that exports a file in two ways, into the folder that it names.
const childVariable = "FILES_CHILD"

func TestMain(m *testing.M) {
	if folder := os.Getenv(childVariable); folder != "" {
		if err := export(folder); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func export(folder string) error {
	f := New(folder, false)
	orders, err := f.CreateExport(context.Background(), "", "orders.csv")
	if err != nil {
		return err
	}
	if _, err := io.WriteString(orders, "orders"); err != nil {
		return err
	}
	if _, err := orders.Keep(); err != nil {
		return err
	}
	log, _, err := f.Create(context.Background(), "audit.csv")
	if err != nil {
		return err
	}
	if _, err := io.WriteString(log, "log"); err != nil {
		return err
	}
	return log.Close()
}

// TestAnExportIsOnTheDiskWithItsName: the folder of exports is new, so there are five syncs; where one fails the export
// does, and no part of its file stays.
func TestAnExportIsOnTheDiskWithItsName(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for nth := range 7 {
		folder := t.TempDir()
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), childVariable+"="+folder)
		p, err := faulttest.Start(cmd, faulttest.Fault{Calls: faulttest.Syncs, Nth: nth, Err: syscall.EIO})
		if err != nil {
			t.Fatal(err)
		}
		report := p.Wait()
		if want := nth > 0 && nth < 6; report.Met != want || (report.Err != nil) != want {
			t.Errorf("sync %d fails: met %v, the program ends with %v", nth, report.Met, report.Err)
		}
		list, _ := os.ReadDir(folder + "/exports") // without a first sync there is no file either
		if want := []int{2, 0, 0, 0, 1, 1, 2}[nth]; len(list) != want {
			t.Errorf("sync %d fails: %d files stay, want %d", nth, len(list), want)
		}
	}
}
