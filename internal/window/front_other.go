//go:build (desktop || dev) && !windows && !(linux && desktop)

package window

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

func watchFront() {}

// isBehind reports whether the window is minimised, the only known case on this system.
func isBehind(wctx context.Context) bool { return runtime.WindowIsMinimised(wctx) }

func urge(bool) {}
