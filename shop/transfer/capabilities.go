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

// phrases are the example sentences of the capabilities.
//
//go:embed phrases.txt
var phrases string

// Capabilities are all of this room.
func Capabilities(p Ports) []bus.Capability {
	return bus.WithPhrases(phrases, append(core.NeedShop(shopImportCSV(p), shopExport(p), shopBackup(p)), shopImport(p),
		shopRestore(p)))
}
