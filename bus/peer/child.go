package peer

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

// farewell is the time that a child process may take to end after its input was closed. Then it is killed.
const farewell = 2 * time.Second

// Child starts a command as a child process and communicates over its standard input and output. No shell is involved:
// the command is an absolute path with arguments. It runs in the folder of its program, without this process's
// environment. It ends with the link, together with all processes that it starts. Its standard error is dropped.
func Child(command []string) Dialer {
	return func(context.Context) (io.ReadWriteCloser, error) {
		if len(command) == 0 || !filepath.IsAbs(command[0]) {
			return nil, fmt.Errorf("peer: the command %q is no absolute path", command)
		}
		c := exec.Command(command[0], command[1:]...)
		c.Dir, c.Env = filepath.Dir(command[0]), []string{"LANG=C.UTF-8"}
		ownGroup(c)
		in, err := c.StdinPipe()
		if err != nil {
			return nil, err
		}
		out, err := c.StdoutPipe()
		if err != nil {
			return nil, err
		}
		if err := c.Start(); err != nil {
			return nil, err
		}
		return &child{Reader: out, WriteCloser: in, process: c}, nil
	}
}

// child is the connection to a child process.
type child struct {
	io.Reader
	io.WriteCloser
	process *exec.Cmd
	once    sync.Once
}

// Close closes the child's input and returns. A goroutine waits for the child, and kills it if it does not end.
func (c *child) Close() error {
	c.once.Do(func() {
		go func() {
			_ = c.WriteCloser.Close() // it may have ended
			kill := time.AfterFunc(farewell, func() { endGroup(c.process) })
			_ = c.process.Wait()
			kill.Stop()
			endGroup(c.process) // the processes that it started
		}()
	})
	return nil
}
