package openai

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"
)

// foreign reports whether an account other than this one and root listens at a port of this computer. It returns false
// if the system does not show this.
func foreign(port string) bool {
	for _, name := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		table, err := os.Open(name)
		if err != nil {
			continue
		}
		found := foreignIn(table, port, os.Getuid())
		table.Close()
		if found {
			return true
		}
	}
	return false
}

// foreignIn searches a table of sockets in the format of proc(5): sl, local_address, rem_address, st, queues, timers,
// retrnsmt, uid. 0A is a listening socket.
func foreignIn(table io.Reader, port string, own int) bool {
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return false
	}
	for lines := bufio.NewScanner(table); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if len(f) < 8 || f[3] != "0A" {
			continue
		}
		_, at, _ := strings.Cut(f[1], ":")
		listens, err := strconv.ParseUint(at, 16, 16)
		if uid, bad := strconv.Atoi(f[7]); err == nil && bad == nil && listens == number && uid != 0 && uid != own {
			return true
		}
	}
	return false
}
