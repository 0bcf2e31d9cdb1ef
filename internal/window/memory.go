//go:build desktop || dev

package window

import (
	"os"
	"runtime/debug"
	"time"
)

// environment is set for WebKit and GTK, which start from this process. WebKit collects as often as the memory it is
// told demands; its optimising compiler never pays back its cost on a page of lists and forms; a window that draws
// without a GPU needs neither GPU buffers nor, in this process, a driver: with a device named none is looked for.
// docs/decisions/014 has the figures.
var environment = map[string]string{
	"JSC_forceRAMSize":               "16777216", // bytes
	"JSC_useDFGJIT":                  "0",
	"WEBKIT_DISABLE_DMABUF_RENDERER": "1",
	"WEBKIT_WEB_RENDER_DEVICE_FILE":  os.DevNull,
	"GDK_GL":                         "disable",
}

// startTime is how long starting takes at most.
const startTime = 3 * time.Second

// reduceMemory makes this process and the page collect garbage sooner: a window is open all day and idle for most of
// it. Only the start collects less often, and is cleaned up at once. Variables that are set stay as they are.
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
