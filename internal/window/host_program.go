package window

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
	"sync"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/tills"
)

// hostProgram runs deskhand-host, which serves the shop to tills. It ends with the window.
type hostProgram struct {
	folder  string        // of the shop
	changed func()        // called when a host starts or ends
	pause   time.Duration // before a host that failed is started again; 0: ten seconds

	mu   sync.Mutex // guards the other field
	last tills.Started
}

// hostEnds is the time in which a host ends itself. Then it is killed.
const hostEnds = 5 * time.Second

// start keeps a host running at a port. The function that it returns ends the host.
func (p *hostProgram) start(port int) (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		for ctx.Err() == nil {
			err := p.run(ctx, port)
			if ctx.Err() != nil {
				break
			}
			slog.Error("The shop is not served to tills.", "cause", err)
			if p.newest().Problem == "" { // it had started, or gave no reason
				p.note(tills.NotStarted(bus.Errorf(bus.PreconditionFailed, bus.ReasonState,
					"The program deskhand-host has ended.").WithHint("It is started again in ten seconds.")))
			}
			select {
			case <-time.After(cmp.Or(p.pause, 10*time.Second)):
			case <-ctx.Done():
			}
		}
		p.note(tills.Started{})
	})
	return func() { cancel(); running.Wait() }
}

// run starts a host and waits until it ends. It ends the host with ctx.
func (p *hostProgram) run(ctx context.Context, port int) error {
	program, err := findHostProgram()
	if err != nil {
		p.note(tills.NotStarted(bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable,
			"The program deskhand-host is not installed.").WithHint("Install the package deskhand-host on this computer.")))
		return err
	}
	host := exec.CommandContext(ctx, program, "--data", p.folder, "--json", "host", "--attached",
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
	var started tills.Started
	line, err := bufio.NewReader(output).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &started)
	}
	p.note(started)
	return errors.Join(err, host.Wait())
}

// note stores the state of the host.
func (p *hostProgram) note(now tills.Started) {
	p.mu.Lock()
	p.last = now
	p.mu.Unlock()
	p.changed()
}

// newest returns the state of the newest host.
func (p *hostProgram) newest() tills.Started {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}

// findHostProgram finds the host program beside this one or in PATH.
func findHostProgram() (string, error) {
	name := "deskhand-host"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), name)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside, nil
		}
	}
	return exec.LookPath(name)
}
