// Package document writes receipts and lists as PDF, CSV and XLSX.
package document

import (
	_ "embed"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type Ports struct {
	CreateFile core.CreateFile
	Font       core.FontFor
}

// phrases are the example sentences of the capabilities.
//
//go:embed phrases.txt
var phrases string

// Capabilities are all of this room.
func Capabilities(p Ports) []bus.Capability {
	return bus.WithPhrases(phrases, core.NeedShop(documentExport(p)))
}
