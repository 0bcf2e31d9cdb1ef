package filewatch

import (
	"os"

	"golang.org/x/sys/unix"
)

// Start watches a file with inotify, or polls if the system has no watch left.
func Start(path string) *Watch {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return Poll(pollEvery)
	}
	events := os.NewFile(uintptr(fd), "inotify")
	if _, err := unix.InotifyAddWatch(fd, path, unix.IN_MODIFY); err != nil {
		_ = events.Close() // nothing was written to it
		return Poll(pollEvery)
	}
	w := &Watch{Changed: make(chan struct{}, 1), Close: func() { _ = events.Close() }}
	go func() {
		buf := make([]byte, 4096)
		for {
			if _, err := events.Read(buf); err != nil {
				return // closed
			}
			w.signal()
		}
	}()
	return w
}
