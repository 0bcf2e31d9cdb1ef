package shop

import (
	"context"
	"embed"
	"io"
	"io/fs"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations are the goose migrations of the shop's tables, at the root of the
// returned file system.
func Migrations() fs.FS {
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic("shop: " + err.Error()) // the directory is embedded above
	}
	return sub
}

// Ports are what handlers need from outside the database.
type Ports struct {
	// OpenFile opens what a file argument names — a token from the window's
	// picker, or a path a person gave on the command line — and tells its name
	// for people. The handler closes it. nil: this program opens no files.
	OpenFile func(ctx context.Context, file string) (content io.ReadCloser, name string, err error)
	// CreateFile makes a new file to export into: what a person typed, a new file
	// or a folder, or "" for the shop's own folder; name is the file's in a folder.
	// Nothing is replaced. nil: this program writes no files.
	CreateFile func(ctx context.Context, file, name string) (NewFile, error)
	// Copies keeps copies of the shop. nil: this program keeps none.
	Copies Copies
	// Erase deletes what the log says about somebody, as a part of the transaction
	// of ctx, and tells of how many records. The terms name that person and nobody
	// else. nil: nobody can be erased.
	Erase func(ctx context.Context, terms ...string) (records int, err error)
	// Random is where secrets come from: nobody may guess what it gives, as they
	// might what a Call draws. nil: this program sets no PINs.
	Random io.Reader
	// Records searches the audit log, as a part of the transaction of ctx: wrong
	// PINs are counted there. nil: this program takes no PINs.
	Records func(ctx context.Context, q audit.Query) (audit.Page, error)
	// Font finds a TrueType font of this computer that has a character. nil, or
	// nothing: there is none, and documents say so.
	Font func(r rune) []byte
	// Post sends mail. nil: this program sends none.
	Post Post
	// Hooks calls webhooks. nil: this program calls none.
	Hooks Hooks
	// Secrets keeps passwords and keys. nil: this program keeps none.
	Secrets Secrets
}

// Conditions are the named conditions that the capabilities refer to.
func Conditions() map[string]func(context.Context, *bus.Call) error {
	return map[string]func(context.Context, *bus.Call) error{"checkout.ready": checkoutReady}
}

// phrases are the example sentences of the shop's capabilities.
//
//go:embed phrases.txt
var phrases string

// Capabilities are everything the shop can do, ready to be registered.
func Capabilities(p Ports) []bus.Capability {
	desk := []bus.Capability{
		searchQuery(),
		catalogSearch(), catalogGetProduct(), catalogCreateProduct(), catalogUpdateProduct(), catalogArchiveProduct(), catalogSetPrice(), catalogAdjustStock(),
		customerSearch(), customerGet(), customerCreate(), customerUpdate(), customerErase(p),
		customerAddAddress(), customerSetAddress(), customerRemoveAddress(), customerAddPaymentMethod(), customerRemovePaymentMethod(),
		cartGetSummary(), cartSetCustomer(), cartAddItem(), cartSetQuantity(), cartRemoveItem(),
		cartApplyDiscount(), cartRemoveDiscount(), cartSetShipping(), cartValidate(),
		cartClear(), cartHold(), cartResume(), cartListHeld(),
		checkoutSubmit(),
		orderSearch(), orderGet(), orderCancel(), orderAddNote(), orderChangeAddress(), orderChangePayment(), orderChangeItems(),
		orderProcess(), orderFulfil(), orderDeliver(), orderReturn(), orderReceiveReturn(), orderExchange(), orderReceiveExchange(),
		reportSales(), reportTopProducts(), reportLowStock(),
		settingsGet(p), settingsSet(p), shopImportCSV(p), shopExport(p), shopBackup(p), documentExport(p),
		emailSendReceipt(p), settingsTestMail(p), webhookTrigger(p),
		staffList(), staffSave(), staffRemove(), staffSetPIN(p), sessionSignIn(p), sessionVouch(p),
	}
	for i := range desk {
		desk[i].Available = needsShop(desk[i].Available)
	}
	return bus.WithPhrases(phrases, append(desk,
		navigationGo(), modalOpen(), themeSet(), themeToggle(), languageSet(),
		tourGet(), tourStart(), tourLeave(), tourMark(),
		sessionGet(), sessionSignOut(), sessionLock(), sessionStay(),
		shopSetUp(), shopImport(p), shopRestore(p)))
}

// needsShop makes a capability unavailable, with the way out, until there is a
// shop to work in.
func needsShop(then func(context.Context, *bus.Call) error) func(context.Context, *bus.Call) error {
	return func(ctx context.Context, call *bus.Call) error {
		found, err := exists(ctx, `SELECT 1 FROM shop`)
		if err != nil {
			return err
		}
		if !found {
			return errNoShop()
		}
		if then == nil {
			return nil
		}
		return then(ctx, call)
	}
}

// write is what every capability that changes the database declares.
var write = []string{"database:write"}

// read is what every capability that only looks declares.
var read = []string{"database:read"}

// Access of an agent, by the letters of the capability table.
var (
	agentMay   = bus.Access{Agent: bus.RuleAllow}
	agentAsks  = bus.Access{Agent: bus.RuleConfirm}
	agentNever = bus.Access{Agent: bus.RuleDeny}
)
