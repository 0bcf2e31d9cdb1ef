package shop

import (
	"archive/zip"
	"bytes"
	"context"
	_ "embed"
	"errors"
	"io"
	"io/fs"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/cart"
	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/day"
	"github.com/deskhand/deskhand/shop/document"
	"github.com/deskhand/deskhand/shop/internal/book"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/recount"
	"github.com/deskhand/deskhand/shop/order"
	"github.com/deskhand/deskhand/shop/outside"
	"github.com/deskhand/deskhand/shop/report"
	"github.com/deskhand/deskhand/shop/settings"
	"github.com/deskhand/deskhand/shop/setup"
	"github.com/deskhand/deskhand/shop/staff"
	"github.com/deskhand/deskhand/shop/tour"
	"github.com/deskhand/deskhand/shop/transfer"
	"github.com/deskhand/deskhand/shop/window"
)

// migrations has the files of the folder migrations, compressed: they are the largest texts of the program.
// Internal/gen writes it.
//
//go:embed migrations.zip
var migrations []byte

// Migrations returns the goose migrations of the shop's tables, at the root of the file system.
func Migrations() fs.FS {
	files, err := zip.NewReader(bytes.NewReader(migrations), int64(len(migrations)))
	if err != nil {
		panic("shop: " + err.Error()) // it is embedded above
	}
	return files
}

// CheckDerived compares the derived tables with their source rows, receipts with their parts, and closings with their
// receipts: see [audit.Options.Check].
func CheckDerived(ctx context.Context, found func(sentence string)) error {
	return errors.Join(recount.Check(ctx, found), book.Check(ctx, found), day.Check(ctx, found))
}

// RebuildDerived returns the statements that fill these tables: see [audit.Options.Rebuild].
func RebuildDerived() []string { return slices.Clone(recount.Rebuild) }

// Undoable refuses to undo payments in a closing: see [audit.Options.Undoable].
func Undoable(ctx context.Context, effects []bus.Effect) error { return day.Undoable(ctx, effects) }

// Ports holds the functions that handlers need from outside the database. A nil port disables its capabilities: they
// report that this program does not support them.
type Ports struct {
	OpenFile   core.OpenFile
	OpenFolder core.OpenFolder
	CreateFile core.CreateFile
	Copies     Copies
	Erase      customer.EraseRecords
	Random     io.Reader // source of secrets; unlike the numbers that a Call draws, its bytes are unpredictable
	Records    staff.SearchRecords
	Font       core.FontFor
	ShowFile   core.ShowFile
	Post       Post
	Hooks      Hooks
	Secrets    Secrets
	Head       day.Head
}

// Conditions returns the named conditions that the capabilities use.
func Conditions() map[string]func(context.Context, *bus.Call) error {
	return map[string]func(context.Context, *bus.Call) error{"checkout.ready": cart.CheckoutReady}
}

// texts describes the capabilities that span rooms and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Capabilities returns all capabilities of the shop for registration.
func Capabilities(p Ports) []bus.Capability {
	return slices.Concat(
		core.NeedShop(bus.Define(core.Read(bus.Capability{Name: "search.query", Texts: texts, Type: bus.TypeData,
			Provides: []string{"catalog", "customer", "order"}}),
			searchEverything)),
		[]bus.Capability{core.WithShop(core.Read(bus.Capability{Name: "customer.get", Texts: texts, Type: bus.TypeData,
			Provides: []string{"customer", "order"},
			Entities: []bus.Entity{
				{Type: "address", Title: "Address", List: "/addresses", Resolve: core.Named(
					`SELECT id, concat_ws(', ', label, line1, city) FROM addresses WHERE id`)},
				{Type: "paymentMethod", Title: "Payment method", List: "/paymentMethods", Resolve: customer.MethodLabels}}}),
			customerGet)},
		catalog.Capabilities(p.OpenFile, p.OpenFolder),
		customer.Capabilities(p.Erase),
		cart.Capabilities(),
		order.Capabilities(),
		report.Capabilities(),
		day.Capabilities(day.Ports{Head: p.Head, Records: p.Records}),
		settings.Capabilities(p.Secrets, p.OpenFile),
		document.Capabilities(document.Ports{CreateFile: p.CreateFile, Font: p.Font, ShowFile: p.ShowFile}),
		transfer.Capabilities(transfer.Ports{OpenFile: p.OpenFile, CreateFile: p.CreateFile, Copies: p.Copies}),
		outside.Capabilities(outside.Ports{Post: p.Post, Hooks: p.Hooks, Secrets: p.Secrets, Font: p.Font}),
		staff.Capabilities(staff.Ports{Random: p.Random, Records: p.Records}),
		window.Capabilities(),
		tour.Capabilities(),
		setup.Capabilities(),
	)
}
