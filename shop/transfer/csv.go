package transfer

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopify"
)

// maxImport is the size limit of a file, in bytes.
const maxImport = 64 << 20

// shownChanges limits the changes that an import lists. The counts include all changes.
const shownChanges = 200

type importIn struct {
	File   string `json:"file" jsonschema:"minLength=1,maxLength=4096" x:"file=csv"`
	Kind   string `json:"kind" jsonschema:"enum=products,enum=customers,enum=orders"`
	DryRun bool   `json:"dryRun,omitempty" doc:"Only tell what would change, and which rows cannot be taken."`

	Currency string `json:"currency,omitempty" jsonschema:"pattern=^[A-Z]{3}$"`
	LeaveOut bool   `json:"leaveOut,omitempty" doc:"Import the other rows if some cannot be taken; else nothing is."`
}

type importChange struct {
	Handle  string   `json:"handle" x:"personal=true"`
	Name    string   `json:"name" x:"tainted=true"`
	Action  string   `json:"action" jsonschema:"enum=created,enum=updated"`
	Details []string `json:"details" x:"tainted=true"`
}

// leftOut holds the reason for a row that is not imported.
type leftOut struct {
	Line   int      `json:"line"`
	Column string   `json:"column,omitempty" x:"tainted=true"`
	Value  string   `json:"value,omitempty" x:"tainted=true"`
	Of     string   `json:"of,omitempty" x:"personal=true"`
	Reason bus.Text `json:"reason" x:"tainted=true"`
}

type importOut struct {
	File              string `json:"file" doc:"Its name."`
	SHA256            string `json:"sha256" doc:"Of the file's bytes."`
	DryRun            bool   `json:"dryRun"`
	Rows              int    `json:"rows"`
	ProductsCreated   int    `json:"productsCreated"`
	ProductsUpdated   int    `json:"productsUpdated"`
	ProductsUnchanged int    `json:"productsUnchanged"`
	VariantsCreated   int    `json:"variantsCreated"`
	VariantsUpdated   int    `json:"variantsUpdated"`

	CustomersCreated   int `json:"customersCreated"`
	CustomersUpdated   int `json:"customersUpdated"`
	CustomersUnchanged int `json:"customersUnchanged"`
	OrdersCreated      int `json:"ordersCreated"`
	OrdersUnchanged    int `json:"ordersUnchanged" doc:"They are here already."`

	Images         int            `json:"images" doc:"Addresses of pictures; they are not fetched."`
	ImagesKept     int            `json:"imagesKept" doc:"Of them: the first of each product."`
	IgnoredColumns []string       `json:"ignoredColumns"`
	Latin          bool           `json:"latin,omitempty" doc:"The file is not UTF-8 and was read as Windows-1252."`
	RowsLeftOut    int            `json:"rowsLeftOut" doc:"Of the rows: those that cannot be taken."`
	LeftOut        []leftOut      `json:"leftOut" doc:"Why."`
	Changes        []importChange `json:"changes" doc:"The first 200."`
}

// change adds one of the first changes to the report.
func (out *importOut) change(handle, name, action string, details []string) {
	if details == nil {
		details = []string{}
	}
	if len(out.Changes) < shownChanges {
		out.Changes = append(out.Changes, importChange{handle, name, action, details})
	}
}

// inShort summarizes the import in a few words.
func (out *importOut) inShort(kind string) bus.Text {
	switch kind {
	case "customers":
		return bus.Textf("%d new customers, %d changed", out.CustomersCreated, out.CustomersUpdated)
	case "orders":
		return bus.Textf("%d new orders", out.OrdersCreated)
	}
	return bus.Textf("%d new products, %d changed", out.ProductsCreated, out.ProductsUpdated)
}

// CSVKind returns the kind of records in a CSV export, as shop.importCSV names it, or "" if the header is ambiguous or
// unknown.
func CSVKind(data []byte) string { return shopify.Kind(data) }

// changes lists the domains that an import of each kind changes.
var changes = map[string][]string{"products": {"catalog"}, "customers": {"customer"}, "orders": {"order", "customer"}}

func shopImportCSV(p Ports) bus.Capability {
	return core.WithShop(core.Write(bus.Capability{
		Name: "shop.importCSV", Texts: texts,
		Changes:   []string{"catalog", "customer", "order"},
		Resources: []string{"database:write", "filesystem:read"},
		Checks:    bus.Checks{Access: core.AgentNever},
		Run: bus.Run{Bulk: true, Background: true, Concurrency: bus.Exclusive, Timeout: 2 * time.Hour,
			Prepare: p.prepareImport},
	}), func(ctx context.Context, s *core.Shop, call *bus.Call, in importIn) (out importOut, err error) {
		made, err := call.Prepared(ctx)
		if err != nil {
			return out, err
		}
		ready := made.(*preparedImport)
		if now, err := audit.Tx(ctx).Records(ctx); err != nil {
			return out, err
		} else if now != ready.records { // another call changed the shop in the meantime
			if ready.plan, err = planImport(ctx, s, call, ready.file); err != nil {
				return out, err
			}
		}
		left := &ready.plan.left
		out = ready.plan.report(ready.file)
		out.DryRun, out.File, out.SHA256 = in.DryRun, ready.name, ready.sum
		if in.DryRun {
			call.Summarize("Look what importing %s would change", ready.name)
			return out, nil
		}
		if left.Total > 0 && (!in.LeaveOut || left.Total > len(left.First)) {
			return importOut{}, notImported(ready.name, left, in.LeaveOut)
		}
		if err := ready.plan.apply(ctx, call); err != nil {
			return out, err
		}
		what := out.inShort(in.Kind)
		if out.RowsLeftOut > 0 {
			what = bus.Textf("%s, %d rows left out", what, out.RowsLeftOut)
		}
		call.Summarize("Import %s: %s", ready.name, what)
		for _, domain := range changes[in.Kind] {
			call.Announce(domain, bus.Textf("%s was imported: %s.", ready.name, what))
		}
		return out, nil
	})
}

// preparedImport is a file that was read and compared with the shop before any change.
type preparedImport struct {
	name, sum string
	file      *csvFile
	plan      *csvPlan
	records   int64 // number of records in the log at the comparison
}

// prepareImport reads and plans an import. That takes long, so it does not block other writers.
func (p Ports) prepareImport(ctx context.Context, call *bus.Call) (_ any, err error) {
	var in importIn
	if err := json.Unmarshal(call.Arguments, &in); err != nil {
		return nil, err
	}
	s, err := core.LoadShop(ctx)
	if err != nil {
		return nil, err
	}
	if err := in.sameCurrency(s); err != nil {
		return nil, err
	}
	file, name, err := openShopFile(ctx, p, in.File)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	src := &counted{from: io.LimitReader(file, maxImport+1), hash: sha256.New()}
	ready := &preparedImport{name: name}
	ready.file, err = readCSV(src, in.Kind, s)
	switch {
	case src.n > maxImport:
		return nil, core.Invalid("/file", "The file is larger than %d MB.", maxImport>>20)
	case err != nil:
		return nil, err
	case ready.file.Broken:
		return nil, notImported(name, &ready.file.Problems, true)
	}
	ready.sum = src.sum()
	if ready.records, err = audit.Tx(ctx).Records(ctx); err == nil {
		ready.plan, err = planImport(ctx, s, call, ready.file)
	}
	return ready, err
}

// sameCurrency refuses prices in a currency other than the shop's. A products export does not contain its currency, so
// the caller must name it before the import.
func (in importIn) sameCurrency(s *core.Shop) error {
	switch {
	case in.Currency == s.Currency, in.Currency == "" && (in.DryRun || in.Kind != "products"):
		return nil
	case in.Currency == "":
		return core.Invalid("/currency", "The file does not say the currency of its prices.").
			WithHint("Say it as currency; this shop's is %s.", s.Currency)
	}
	return core.Invalid("/currency", "The prices of the file are in %s and this shop's are in %s.", in.Currency,
		s.Currency).
		WithHint("Convert the prices in the file first; nothing was changed.")
}

// shownMistakes limits the mistakes in an error.
const shownMistakes = 100

// notImported returns an error with the first mistakes and their lines. Nothing was changed. Unless lost is set, the
// hint offers to import the other rows.
func notImported(name any, problems *shopify.Problems, lost bool) error {
	var violations []bus.Violation
	for _, p := range problems.First[:min(len(problems.First), shownMistakes)] {
		said := bus.Textf("Line %d: %s", p.Line, p.Message)
		if p.Column != "" {
			said = bus.Textf("Line %d, column %s: %s", p.Line, p.Column, p.Message)
		}
		violations = append(violations, bus.Violation{Path: fmt.Sprintf("/line/%d", p.Line)}.WithText(said))
	}
	first, n := violations[0].Text, problems.Total-1
	e := bus.Errorf(bus.Validation, bus.ReasonArguments, "%s was not imported. %s", name, first)
	if n > 0 {
		e = e.WithMessage("%s was not imported. %s (and %d more)", name, first, n)
	}
	e.Violations, e.SchemaSide = violations, "request"
	if lost {
		return e.WithHint("Correct the lines named and import the file again; nothing was changed.")
	}
	return e.WithHint("Correct the lines named and import the file again, or send leaveOut to import the other rows; " +
		"nothing was changed.")
}
