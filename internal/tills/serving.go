package tills

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// Serving makes the window on the shop's computer serve tills. The host program does the work and ends with the window.
type Serving struct {
	Changed func()        // called when a host starts or ends
	Pause   time.Duration // before a host that failed is started again; 0: ten seconds

	mu   sync.Mutex // guards the other field
	last Started    // of the newest host
}

// Started is the line that the host program prints with --json: its address, or the reason why it does not serve.
type Started struct {
	Address string `json:"address,omitempty"`
	Problem string `json:"problem,omitempty"`
	Remedy  string `json:"remedy,omitempty"`
}

// NotStarted is the line of a host that an error kept from serving.
func NotStarted(err error) Started {
	if e, coded := errors.AsType[*bus.Error](err); coded {
		return Started{Problem: e.Message, Remedy: e.Hint}
	}
	return Started{Problem: err.Error()}
}

// hostEnds is the time in which a host ends itself. Then it is killed.
const hostEnds = 5 * time.Second

// Serve runs the host program of a window while the setting asks for it, until ctx ends. Elsewhere it does nothing.
func (t *Tills) Serve(ctx context.Context, b *bus.Bus) {
	if t.o.Serving == nil {
		return
	}
	changes := b.Subscribe() // before the first read, so that no later change is missed
	defer changes.Close()
	port, end := 0, func() {}
	defer func() { end() }()
	for {
		next, err := t.portNow(ctx)
		if err != nil && ctx.Err() == nil {
			slog.Error("Could not read whether tills are served.", "cause", err)
		}
		if err == nil && next != port {
			end()
			port, end = next, t.o.Serving.start(ctx, t.o.Folder, next)
		}
		for changed := false; !changed; {
			e, err := changes.Next(ctx)
			if err != nil {
				return
			}
			changed = Changed(e)
		}
	}
}

// portNow returns the port at which the window serves tills, or 0.
func (t *Tills) portNow(ctx context.Context) (port int, err error) {
	err = t.o.Log.View(ctx, func(ctx context.Context) error {
		port, err = t.port(ctx)
		return err
	})
	return port, err
}

// port is portNow within a view of the log or a transaction of it.
func (t *Tills) port(ctx context.Context) (port int, err error) {
	err = t.o.Log.Query(ctx, func(scan func(dest ...any) error) error { return scan(&port) },
		`SELECT port FROM till_serving`)
	return port, err
}

// start keeps a host running at a port, or none at 0. The function that it returns ends the host.
func (s *Serving) start(ctx context.Context, folder string, port int) (end func()) {
	if port == 0 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() {
		for ctx.Err() == nil {
			err := s.run(ctx, folder, port)
			if ctx.Err() != nil {
				break
			}
			slog.Error("The shop is not served to tills.", "cause", err)
			if s.state().Problem == "" { // it had started, or gave no reason
				s.note(NotStarted(bus.Errorf(bus.PreconditionFailed, bus.ReasonState,
					"The program deskhand-host has ended.").WithHint("It is started again in ten seconds.")))
			}
			select {
			case <-time.After(cmp.Or(s.Pause, 10*time.Second)):
			case <-ctx.Done():
			}
		}
		s.note(Started{})
	})
	return func() { cancel(); running.Wait() }
}

// run starts the host of a folder and waits until it ends. It ends the host with ctx.
func (s *Serving) run(ctx context.Context, folder string, port int) error {
	program, err := hostProgram()
	if err != nil {
		s.note(NotStarted(bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable,
			"The program deskhand-host is not installed.").WithHint("Install the package deskhand-host on this computer.")))
		return err
	}
	host := exec.CommandContext(ctx, program, "--data", folder, "--json", "host", "--attached",
		"--listen", fmt.Sprintf("0.0.0.0:%d", port))
	hideConsole(host)
	input, err := host.StdinPipe()
	if err != nil {
		return err
	}
	host.Cancel, host.WaitDelay = input.Close, hostEnds
	output, err := host.StdoutPipe()
	if err != nil {
		return err
	}
	if err := host.Start(); err != nil {
		return err
	}
	var started Started
	line, err := bufio.NewReader(output).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &started)
	}
	s.note(started)
	return errors.Join(err, host.Wait())
}

// note stores the state of the host.
func (s *Serving) note(now Started) {
	s.mu.Lock()
	s.last = now
	s.mu.Unlock()
	s.Changed()
}

// state returns the state of the newest host.
func (s *Serving) state() Started {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// hostProgram finds the host program beside this one or in PATH.
func hostProgram() (string, error) {
	name := "deskhand-host"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		if beside := filepath.Join(filepath.Dir(self), name); isFile(beside) {
			return beside, nil
		}
	}
	return exec.LookPath(name)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

type serveInput struct {
	Port int `json:"port,omitempty" jsonschema:"minimum=1,maximum=65535,default=4222"`
}

// mayServe returns the reason why this program serves no tills, or nil.
func (t *Tills) mayServe(context.Context, *bus.Call) error {
	if t.o.Serving != nil {
		return nil
	}
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable,
		"Only the window on the shop's computer serves other desks.").
		WithHint("Open it there, or use a terminal there: deskhand-host host --listen 0.0.0.0:4222")
}

// serve makes the window serve tills, now and whenever it is open.
func (t *Tills) serve(ctx context.Context, call *bus.Call, in serveInput) (struct{}, error) {
	call.Summarize("Serve other desks at port %s", strconv.Itoa(in.Port))
	call.Announce(Domain, bus.Textf("Other desks are served."))
	return struct{}{}, t.o.Log.Exec(ctx, `INSERT INTO till_serving (id, port) VALUES (1, ?)
		ON CONFLICT (id) DO UPDATE SET port = excluded.port`, in.Port)
}

// endServing ends the links of all tills.
func (t *Tills) endServing(ctx context.Context, call *bus.Call, _ struct{}) (struct{}, error) {
	call.Summarize("Serve no other desks")
	call.Announce(Domain, bus.Textf("Other desks are served no more."))
	return struct{}{}, t.o.Log.Exec(ctx, `DELETE FROM till_serving`)
}
