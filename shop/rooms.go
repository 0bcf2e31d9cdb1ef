package shop

import (
	"context"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/outside"
	"github.com/deskhand/deskhand/shop/settings"
	"github.com/deskhand/deskhand/shop/setup"
	"github.com/deskhand/deskhand/shop/transfer"
	"github.com/deskhand/deskhand/shop/window"
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

// CatalogCopy is a copy of the catalog in memory.
type CatalogCopy = catalog.Copy

// NoneYet returns why nothing can begin in a folder: there is a shop in it; nil: there is none. ctx is a handler's.
func NoneYet(ctx context.Context) error { return setup.NoneYet(ctx) }

// OfWindow are the capabilities that each window has for itself, also one on another computer.
func OfWindow() []bus.Capability { return window.Local() }

// Zone is the shop's time zone, UTC before there is a shop. ctx is a handler's.
func Zone(ctx context.Context) (*time.Location, error) { return core.Zone(ctx) }

// Colleagues are the people at the desk with what each may do; see [core.Colleagues].
func Colleagues(ctx context.Context) ([]bus.Principal, error) { return core.Colleagues(ctx) }
