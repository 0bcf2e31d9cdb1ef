package cli

import (
	"runtime"
	"runtime/debug"
)

// CollectLater delays garbage collection until the program uses 64 MB. A command that opens a shop, does one task and
// ends needs less, and would otherwise collect nine times.
func CollectLater() {
	const begins = 64 << 20
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(-1)
	if limit > begins {
		debug.SetMemoryLimit(begins)
	}
	first := &struct{ *int }{} // freed by the first collection
	runtime.SetFinalizer(first, func(any) {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
}
