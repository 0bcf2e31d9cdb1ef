// Package transfer imports and exports data: CSV files, the file of a whole shop, and backups.
package transfer

import (
	_ "embed"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// Ports holds the files and copies that imports, exports and backups need. A nil port disables its capabilities.
type Ports struct {
	OpenFile   core.OpenFile
	CreateFile core.CreateFile
	Copies     Copies
}

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Capabilities returns the capabilities of imports, exports and backups.
func Capabilities(p Ports) []bus.Capability {
	return append(core.NeedShop(shopImportCSV(p), shopExport(p), shopBackup(p), shopListBackups(p),
		shopSetDailyBackup()), shopImport(p),
		shopRestore(p))
}
