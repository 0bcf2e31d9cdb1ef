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

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Capabilities are all of this room.
func Capabilities(p Ports) []bus.Capability {
	return core.NeedShop(documentExport(p))
}
