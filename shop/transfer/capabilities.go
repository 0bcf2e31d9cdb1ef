// Package transfer brings data in and out: CSV imports, the file of a whole shop, copies.
package transfer

import (
	_ "embed"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type Ports struct {
	OpenFile   core.OpenFile
	CreateFile core.CreateFile
	Copies     Copies
}

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Capabilities are all of this room.
func Capabilities(p Ports) []bus.Capability {
	return append(core.NeedShop(shopImportCSV(p), shopExport(p), shopBackup(p), shopListBackups(p),
		shopSetDailyBackup()), shopImport(p),
		shopRestore(p))
}
