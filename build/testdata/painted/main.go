//go:build linux

// Painted watches the picture of an X display, which `Xvfb -fbdir` keeps in a file, and
// prints when a window was first painted and when it last changed before it came to rest,
// in milliseconds since 1970. Looking at the file costs next to nothing: to ask the display
// for pictures would take the time that is to be measured.
package main

import (
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"syscall"
	"time"
)

const (
	grounds = 4                      // colours of a display with an empty window on it, and one more
	every   = 4 * time.Millisecond   // how often it is looked at
	rest    = 400 * time.Millisecond // without a change it has come to rest: a caret blinks more slowly
	atMost  = time.Minute
	stride  = 4 * 37 // bytes: every 37th pixel, which no line of a page is missed by
)

func main() {
	pixels, err := picture(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var first, changed time.Time
	var before uint64
	for began := time.Now(); first.IsZero() || time.Since(changed) < rest; time.Sleep(every) {
		if time.Since(began) > atMost {
			log.Fatalf("nothing was painted within %v", atMost)
		}
		sum, colours := look(pixels)
		if sum == before {
			continue
		}
		before, changed = sum, time.Now()
		if first.IsZero() && colours > grounds {
			first = changed
		}
	}
	fmt.Println(first.UnixMilli(), changed.UnixMilli())
}

// picture maps the pixels of a file in the form of xwd: a header of big-endian words that
// begins with its own length and has the number of colours, 12 bytes each, as its 20th.
func picture(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	all, err := syscall.Mmap(int(file.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	word := func(n int) int { return int(binary.BigEndian.Uint32(all[4*n:])) }
	return all[word(0)+12*word(19):], nil
}

// look sums the pixels up, and counts their colours as far as it matters.
func look(pixels []byte) (sum uint64, colours int) {
	seen := map[uint32]bool{}
	for i := 0; i+4 <= len(pixels); i += stride {
		p := binary.LittleEndian.Uint32(pixels[i:])
		sum = sum*31 + uint64(p)
		if len(seen) <= grounds {
			seen[p] = true
		}
	}
	return sum, len(seen)
}
