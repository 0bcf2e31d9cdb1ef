package window

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/internal/tills"
)

// TestMain is the host program when it is started by that name.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "deskhand-host" {
		os.Exit(playHost(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// playHost serves nobody. It refuses port 1. After its start it crashes at port 2, and once at port 3.
func playHost(args []string) int {
	if len(args) != 7 || args[0] != "--data" || !slices.Equal(args[2:6], []string{"--json", "host", "--attached", "--listen"}) {
		fmt.Println(`{"problem":"These are other arguments."}`)
		return 1
	}
	_, port, _ := net.SplitHostPort(args[6])
	if port == "1" {
		fmt.Println(`{"problem":"Nothing can listen there.","remedy":"Choose another port."}`)
		return 1
	}
	told, err := tills.Announce(args[1], tills.Host{Address: "192.0.2.1:" + port, Key: "00"})
	if err != nil {
		fmt.Printf(`{"problem":%q}`+"\n", err)
		return 1
	}
	defer told.End()
	fmt.Printf(`{"address":"192.0.2.1:%s"}`+"\n", port)
	crashed := filepath.Join(args[1], "crashed")
	if _, err := os.Stat(crashed); port == "2" || port == "3" && err != nil {
		if err := os.WriteFile(crashed, nil, 0o600); err != nil {
			return 1
		}
		return 3
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

// served is a window on a shop, as the owner sees it under Desks.
type served struct {
	*desk.Desk
	t       *testing.T
	changed chan struct{}
}

func openServing(t *testing.T, folder string) *served {
	t.Helper()
	s := &served{t: t, changed: make(chan struct{}, 1)}
	host := &hostProgram{folder: folder, pause: 10 * time.Millisecond, changed: func() {
		select {
		case s.changed <- struct{}{}:
		default: // it is read again anyway
		}
	}}
	s.Desk = desktest.Open(t, desk.Options{Folder: folder, Door: desk.DoorWindow, Allow: true,
		Serving: &tills.Serving{Start: host.start, Newest: host.newest}})
	s.Serve()
	return s
}

type hostState struct {
	Port                     int
	Address, Problem, Remedy string
}

func (s *served) state() (now hostState) {
	s.t.Helper()
	desktest.Must(s.t, s.Desk, bus.CallerUI, "till.list", `{}`, &now)
	return now
}

// becomes waits for a state.
func (s *served) becomes(want hostState) {
	s.t.Helper()
	over := time.After(time.Minute)
	for now := s.state(); now != want; now = s.state() {
		select {
		case <-s.changed:
		case <-over:
			s.t.Fatalf("the state is %+v, not %+v", now, want)
		}
	}
}

// TestAWindowServesTillsByTheHostProgram: as long as the window is open and the setting says so. The reason why the
// program does not serve is shown, and serving goes on when the window is opened again.
//
// holds: N3
func TestAWindowServesTillsByTheHostProgram(t *testing.T) {
	folder := desktest.Copy(t)
	programs := t.TempDir()
	t.Setenv("PATH", programs)
	s := openServing(t, folder)
	if now := s.state(); now != (hostState{}) {
		t.Errorf("a shop serves tills from the start: %+v", now)
	}
	serve := func(port int) {
		t.Helper()
		desktest.Must(t, s.Desk, bus.CallerUI, "till.serve", fmt.Sprintf(`{"port":%d}`, port), nil)
	}
	serve(5001)
	s.becomes(hostState{Port: 5001, Problem: "The program deskhand-host is not installed.",
		Remedy: "Install the package deskhand-host on this computer."})

	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(programs, "deskhand-host")); err != nil {
		t.Fatal(err)
	}
	serve(1)
	s.becomes(hostState{Port: 1, Problem: "Nothing can listen there.", Remedy: "Choose another port."})
	serve(3)
	s.becomes(hostState{Port: 3, Address: "192.0.2.1:3"})
	serve(2)
	s.becomes(hostState{Port: 2, Problem: "The program deskhand-host has ended.", Remedy: "It is started again in ten seconds."})
	desktest.Must(t, s.Desk, bus.CallerUI, "till.serve", `{}`, nil)
	s.becomes(hostState{Port: 4222, Address: "192.0.2.1:4222"})

	other := desktest.Open(t, desk.Options{Folder: folder, Door: "cli"})
	for _, name := range []string{"till.serve", "till.endServing"} {
		r, err := other.Invoke(t.Context(), name, struct{}{}, "test")
		if err != nil || r.OK() || !strings.Contains(r.Err.Message, "Only the window") {
			t.Errorf("%s without a window: %+v, %v", name, r.Err, err)
		}
	}

	if err := errors.Join(other.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := tills.Running(folder); err == nil {
		t.Error("the host outlives its window")
	}
	s = openServing(t, folder)
	s.becomes(hostState{Port: 4222, Address: "192.0.2.1:4222"})
	desktest.Must(t, s.Desk, bus.CallerUI, "shop.backup", `{}`, nil)
	desktest.Must(t, s.Desk, bus.CallerUI, "till.endServing", `{}`, nil)
	s.becomes(hostState{})
	desktest.Must(t, s.Desk, bus.CallerUI, "shop.restore", `{}`, nil)
	s.becomes(hostState{Port: 4222, Address: "192.0.2.1:4222"})
}
