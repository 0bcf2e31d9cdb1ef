//go:build desktop && !dev

package window

import "github.com/wailsapp/wails/v2/pkg/options/assetserver"

// middleware is only in the development build.
func middleware() assetserver.Middleware { return nil }
