package e2e

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// TestWhatAFileDialogLooksIntoIsHeld: a dialog in the window's process opens and closes the files of the shop to see
// what they are, by which the locks of the process are gone. A command that ends then leaves the log of what was
// written where it is, and what is done in the window afterwards is there for the next. It is so on Linux: elsewhere the
// dialog is of another process.
func TestWhatAFileDialogLooksIntoIsHeld(t *testing.T) {
	folder := desktest.Copy(t)
	d := desktest.Open(t, desk.Options{Folder: folder})
	held := exec.Command("deskhand", "--data", folder, "hold")
	input, bad := held.StdinPipe()
	output, err := held.StdoutPipe()
	if err := errors.Join(bad, err, held.Start()); err != nil {
		t.Fatal(err)
	}
	if said, err := bufio.NewReader(output).ReadString('\n'); err != nil || said != "held\n" {
		t.Fatalf("%q %v", said, err)
	}
	files, err := filepath.Glob(filepath.Join(folder, desk.DatabaseName+"*"))
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if f, err := os.Open(name); err == nil {
			f.Close()
		}
	}
	log := filepath.Join(folder, desk.DatabaseName+"-wal")
	before, err := os.Stat(log)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("deskhand", "--data", folder, "mcp", "enrol", "probe").CombinedOutput(); err != nil {
		t.Fatalf("%s %v", out, err)
	}
	if after, err := os.Stat(log); err != nil || !os.SameFile(before, after) {
		t.Errorf("the log of what was written is another: %v", err)
	}
	desktest.Must(t, d, "ui", "customer.create", `{"name":"Kim Later"}`, nil)
	if err := errors.Join(d.Close(), input.Close(), held.Wait()); err != nil {
		t.Error(err)
	}
	again := desktest.Open(t, desk.Options{Folder: folder})
	page, err := again.Log.Search(context.Background(), audit.Query{Capability: "customer.create"})
	if err != nil || len(page.Records) != 1 {
		t.Errorf("%d records of what was done afterwards: %v", len(page.Records), err)
	}
	if v, err := again.Log.Verify(t.Context(), nil); err != nil || !v.OK {
		t.Errorf("%+v %v", v, err)
	}
}
