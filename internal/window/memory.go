//go:build desktop || dev

package window

import (
	"os"
	"runtime/debug"
	"time"
)

// environment is set for WebKit and GTK, which start from this process. WebKit collects garbage according to the memory
// size that it reads here. Its optimising compiler never pays off on a page of lists and forms. A window that draws
// without a GPU needs no GPU buffers and, in this process, no driver: an empty device name stops the search for one.
// docs/decisions/014 has the figures.
var environment = map[string]string{
	"JSC_forceRAMSize":               "16777216", // bytes
	"JSC_useDFGJIT":                  "0",
	"WEBKIT_DISABLE_DMABUF_RENDERER": "1",
	"WEBKIT_WEB_RENDER_DEVICE_FILE":  os.DevNull,
	"GDK_GL":                         "disable",
}

// startTime is the maximum duration of the start.
const startTime = 3 * time.Second

// reduceMemory makes this process and the page collect garbage sooner, because a window is open all day and idle for
// most of it. Only the start collects less often, followed by a collection. Variables that are set stay the same.
func reduceMemory() {
	for name, value := range environment {
		if os.Getenv(name) == "" {
			_ = os.Setenv(name, value) // cannot fail for these names
		}
	}
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(400)
	time.AfterFunc(startTime, func() {
		debug.SetGCPercent(50)
		debug.FreeOSMemory()
	})
}
