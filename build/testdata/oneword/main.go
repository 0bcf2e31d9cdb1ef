//go:build desktop

// Oneword is the least a window takes: Wails with a page of one word. What the
// application's own window takes is measured beside it.
package main

import (
	"embed"
	"io/fs"
	"log"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
)

//go:embed page
var page embed.FS

func main() {
	assets, err := fs.Sub(page, "page")
	if err != nil {
		log.Fatal(err)
	}
	err = wails.Run(&options.App{Title: "One word", Width: 1280, Height: 820,
		AssetServer: &assetserver.Options{Assets: assets},
		Linux:       &linux.Options{WebviewGpuPolicy: linux.WebviewGpuPolicyNever}})
	if err != nil {
		log.Fatal(err)
	}
}
