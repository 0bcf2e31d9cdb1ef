package audit

import (
	"os"

	"golang.org/x/sys/unix"
)

// watchFile watches by inotify, or by looking when the system has no more
// watches to give.
func watchFile(path string) *fileWatch {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return pollFile(pollEvery)
	}
	events := os.NewFile(uintptr(fd), "inotify")
	if _, err := unix.InotifyAddWatch(fd, path, unix.IN_MODIFY); err != nil {
		_ = events.Close() // nothing was written to it
		return pollFile(pollEvery)
	}
	w := &fileWatch{changed: make(chan struct{}, 1), close: func() { _ = events.Close() }}
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
