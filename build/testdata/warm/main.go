//go:build linux

// Warm holds files in memory until it is ended: what is to be measured on a warm disk is
// measured on one, also on a machine that takes a file out of memory when nobody has read
// it for a minute. It says so when they are there.
package main

import (
	"fmt"
	"log"
	"math"
	"os"
	"syscall"
	"time"
)

func main() {
	for _, name := range os.Args[1:] {
		if err := hold(name); err != nil {
			log.Fatalf("%s: %v; the limit is raised by `ulimit -l unlimited`", name, err)
		}
	}
	fmt.Println("warm")
	time.Sleep(math.MaxInt64)
}

// hold maps a file and locks it there.
func hold(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	pages, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return err
	}
	return syscall.Mlock(pages)
}
