package cli

import (
	"runtime"
	"runtime/debug"
)

// CollectLater has the garbage collector begin when the program uses 64 MB, and go on as usual from then on: a command
// that opens a shop, does one thing and ends needs less, and would collect nine times.
func CollectLater() {
	const begins = 64 << 20
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(-1)
	if limit > begins {
		debug.SetMemoryLimit(begins)
	}
	first := &struct{ *int }{} // is gone with the first collection
	runtime.SetFinalizer(first, func(any) {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
}
