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

// The types of [Ports] for implementers, and the type of amounts in outputs and facts.
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

// CatalogCopy is a snapshot of the catalog in memory.
type CatalogCopy = catalog.Copy

// NoneYet returns an error if a folder already contains a shop. ctx is the context of a handler.
func NoneYet(ctx context.Context) error { return setup.NoneYet(ctx) }

// OfWindow returns the capabilities that each window has for itself, also a window on another computer.
func OfWindow() []bus.Capability { return window.Local() }

// Zone returns the shop's time zone, or UTC before a shop exists. ctx is the context of a handler.
func Zone(ctx context.Context) (*time.Location, error) { return core.Zone(ctx) }

// Colleagues returns the staff with their rights; see [core.Colleagues].
func Colleagues(ctx context.Context) ([]bus.Principal, error) { return core.Colleagues(ctx) }
