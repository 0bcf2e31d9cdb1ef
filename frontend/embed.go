// Package frontend holds the built page of the window.
package frontend

import "embed"

// Dist is the folder dist, as npm run build wrote it.
//
//go:embed all:dist
var Dist embed.FS
