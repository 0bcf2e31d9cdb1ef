package openai

import (
	"net"
	"os"
	"strings"
	"testing"
)

// TestR10AnotherAccountThatListensIsTold reads the system's table of sockets for a port of this test, and the same
// table with another account as the owner of the port.
//
// holds: R10
func TestR10AnotherAccountThatListensIsTold(t *testing.T) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	table, err := os.ReadFile("/proc/net/tcp")
	if err != nil {
		t.Fatal(err)
	}
	if foreign(port) {
		t.Error("this account is told to be another")
	}
	if own := os.Getuid(); own == 0 { // root is never another
		for uid, want := range map[string]bool{"     0        0 ": false, "  1234        0 ": true} {
			if got := foreignIn(strings.NewReader(strings.ReplaceAll(string(table), "     0        0 ", uid)), port,
				1000); got != want {
				t.Errorf("%q: %v", uid, got)
			}
		}
	} else if !foreignIn(strings.NewReader(string(table)), port, own+1) {
		t.Error("another account is not told")
	}
	if foreignIn(strings.NewReader(string(table)), "1", 1000) || foreignIn(strings.NewReader("x"), "none", 0) {
		t.Error("a port that is not open is told")
	}
}
