// Package staff holds the people at the desk: sessions, PINs, the second approver, the lock.
package staff

import (
	"context"
	_ "embed"
	"io"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type Ports struct {
	// Random is the source of secrets: unlike what a Call draws, nobody can predict it.
	Random  io.Reader
	Records SearchRecords
}

// SearchRecords searches the audit log, as a part of the transaction of ctx.
type SearchRecords = func(ctx context.Context, q audit.Query) (audit.Page, error)

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Capabilities are all of this room.
func Capabilities(p Ports) []bus.Capability {
	return append(core.NeedShop(staffList(), staffSave(), staffRemove(), staffSetPIN(p),
		sessionSignIn(p), sessionSecondApprover(p)),
		sessionGet(), sessionSignOut(), sessionLock(), sessionStay())
}
