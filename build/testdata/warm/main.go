//go:build linux

// Warm holds files in memory until it is ended: what is to be measured on a warm disk is
// measured on one, also on a machine that takes a file out of memory when nobody has read
// it for a minute.
package main

import (
	"log"
	"os"
	"syscall"
)

func main() {
	for _, name := range os.Args[1:] {
		if err := hold(name); err != nil {
			log.Fatalf("%s: %v; the limit is raised by `ulimit -l unlimited`", name, err)
		}
	}
	if err := syscall.Pause(); err != nil {
		log.Fatal(err)
	}
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
