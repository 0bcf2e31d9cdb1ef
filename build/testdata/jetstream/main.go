// Jetstream is a NATS server with JetStream on a free port of this computer, for flows: it prints its address, stores
// in the folder that it is given, and ends with its standard input.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/nats-io/nats-server/v2/server"
)

func main() {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true, JetStream: true,
		StoreDir: os.Args[1]})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	s.Start()
	fmt.Println(s.ClientURL())
	_, _ = io.Copy(io.Discard, os.Stdin)
	s.Shutdown()
	s.WaitForShutdown()
}
