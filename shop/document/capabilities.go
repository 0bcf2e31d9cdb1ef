// Package document writes receipts and lists as PDF, CSV and XLSX.
package document

import (
	_ "embed"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// Ports holds the functions outside the shop that documents need. A nil port disables its capabilities.
type Ports struct {
	CreateFile core.CreateFile
	Font       core.FontFor
	ShowFile   core.ShowFile // nil if there is no window to come to the front of
}

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Capabilities returns the capabilities of documents.
func Capabilities(p Ports) []bus.Capability {
	receipt := core.Read(bus.Capability{Name: "receipt.preview", Texts: texts, Type: bus.TypeData,
		Provides: []string{"order", "customer", "settings"}})
	receipt.Permissions = []string{"receipt:read", "order:read", "customer:read"}
	logo := core.Read(bus.Capability{Name: "receipt.getLogo", Texts: texts, Type: bus.TypeData,
		Provides: []string{"settings"},
		Checks:   bus.Checks{Access: core.AgentNever}, Run: bus.Run{Unrecorded: true}})
	return []bus.Capability{core.WithShop(receipt, previewReceipt), core.WithShop(logo, getLogo),
		p.shows("document.open", false), p.shows("document.show", true), core.WithShop(core.Write(bus.Capability{
			Name: "document.export", Texts: texts,
			Permissions: []string{"document:write", "order:read", "customer:read", "report:read"},
			Resources:   []string{"database:read", "filesystem:read", "filesystem:write"},
			Run: bus.Run{
				Background:  true,
				Concurrency: bus.Exclusive,
				QueueDepth:  4,
				Timeout:     time.Hour,
				Preview:     preview,
			},
		}), p.export)}
}
