package shop

import (
	"context"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/outside"
	"github.com/deskhand/deskhand/shop/settings"
	"github.com/deskhand/deskhand/shop/transfer"
)

// The types of the [Ports], for those who implement them, and of amounts in outputs and facts.
type (
	Copies     = transfer.Copies
	NewFile    = core.NewFile
	Folder     = core.Folder
	ShowFile   = core.ShowFile
	Mail       = outside.Mail
	Attachment = outside.Attachment
	Post       = outside.Post
	MailServer = settings.MailServer
	Hooks      = outside.Hooks
	Delivery   = outside.Delivery
	Secrets    = settings.Secrets
	Money      = core.Money
)

// Zone is the shop's time zone, UTC before there is a shop. ctx is a handler's.
func Zone(ctx context.Context) (*time.Location, error) { return core.Zone(ctx) }

// Colleagues are the people at the desk with what each may do; see [core.Colleagues].
func Colleagues(ctx context.Context) ([]bus.Principal, error) { return core.Colleagues(ctx) }
