//go:build desktop && !dev

package window

import "github.com/wailsapp/wails/v2/pkg/options/assetserver"

// middleware returns nil: only the development build has one.
func middleware() assetserver.Middleware { return nil }

// driven returns the dialog of the system, because only the development build is driven.
func driven(system fileDialog) fileDialog { return system }
