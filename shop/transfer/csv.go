package transfer

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopify"
)

// maxImport is the largest file that is read, in bytes.
const maxImport = 64 << 20

// shownChanges is how many changes an import lists; the counts are of all.
const shownChanges = 200

type importIn struct {
	File   string `json:"file" jsonschema:"minLength=1,maxLength=4096" x:"file=csv"`
	Kind   string `json:"kind" jsonschema:"enum=products,enum=customers,enum=orders"`
	DryRun bool   `json:"dryRun,omitempty" doc:"Only tell what would change."`

	Currency string `json:"currency,omitempty" jsonschema:"pattern=^[A-Z]{3}$"`
}

type importChange struct {
	Handle  string   `json:"handle" x:"personal=true"`
	Name    string   `json:"name" x:"tainted=true"`
	Action  string   `json:"action" jsonschema:"enum=created,enum=updated"`
	Details []string `json:"details" x:"tainted=true"`
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
	Changes        []importChange `json:"changes" doc:"The first 200."`
}

// read notes what a file says of itself.
func (out *importOut) read(file shopify.Read) {
	out.Rows, out.IgnoredColumns = file.Rows, append(out.IgnoredColumns, file.Ignored...)
}

// change lists one of the first changes.
func (out *importOut) change(handle, name, action string, details []string) {
	if details == nil {
		details = []string{}
	}
	if len(out.Changes) < shownChanges {
		out.Changes = append(out.Changes, importChange{handle, name, action, details})
	}
}

// importPlan is the set of changes of an import. It is made from the shop as it was before anything is written, so
// that a dry run and an import tell the same. Products, of which there are most, are written as they are read.
type importPlan interface {
	// tell fills in the counts and the first changes. It returns the domains that apply changes, and what it does in a
	// few words.
	tell(out *importOut) (domains []string, what bus.Text)
	// apply writes the plan.
	apply(ctx context.Context, call *bus.Call) error
}

// CSVKind is the kind of things in a CSV export, as shop.importCSV names it; "" when its header does not tell.
func CSVKind(data []byte) string { return shopify.Kind(data) }

// importFile reads an export and compares it with the shop. It writes what is new, unless that is only looked at.
func importFile(ctx context.Context, s *core.Shop, call *bus.Call, kind string, file *counted, out *importOut) (
	domains []string, what bus.Text, problems shopify.Problems, err error) {
	var plan importPlan
	switch kind {
	case "customers":
		plan, problems, err = planCustomers(ctx, s, file)
	case "orders":
		plan, problems, err = planOrders(ctx, s, call, file)
	default:
		plan, problems, err = readProducts(ctx, s, call, file, out)
	}
	if file.n > maxImport {
		return nil, what, nil, core.Invalid("/file", "The file is larger than %d MB.", maxImport>>20)
	}
	if err != nil || len(problems) > 0 {
		return nil, what, problems, err
	}
	if domains, what = plan.tell(out); !out.DryRun {
		err = plan.apply(ctx, call)
	}
	return domains, what, nil, err
}

func shopImportCSV(p Ports) bus.Capability {
	return core.WithShop(core.Write(bus.Capability{
		Name: "shop.importCSV", Texts: texts,
		Changes:   []string{"catalog", "customer", "order"},
		Resources: []string{"database:write", "filesystem:read"},
		Checks:    bus.Checks{Access: core.AgentNever},
		Run:       bus.Run{Bulk: true, Background: true, Concurrency: bus.Exclusive, Timeout: 2 * time.Hour},
	}), func(ctx context.Context, s *core.Shop, call *bus.Call, in importIn) (out importOut, err error) {
		out = importOut{DryRun: in.DryRun, IgnoredColumns: []string{}, Changes: []importChange{}}
		if err := in.sameCurrency(s); err != nil {
			return out, err
		}
		file, name, err := openShopFile(ctx, p, in.File)
		if err != nil {
			return out, err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		src := &counted{from: io.LimitReader(file, maxImport+1), hash: sha256.New()}
		src.tell = src.progress(call, file)
		domains, what, problems, err := importFile(ctx, s, call, in.Kind, src, &out)
		if err != nil {
			return out, err
		}
		if len(problems) > 0 {
			return out, fileErrors(name, problems)
		}
		out.File, out.SHA256 = name, src.sum()
		if in.DryRun {
			call.Summarize("Look what importing %s would change", name)
			return out, nil
		}
		call.Summarize("Import %s: %s", name, what)
		for _, domain := range domains {
			call.Announce(domain, bus.Textf("%s was imported: %s.", name, what))
		}
		return out, nil
	})
}

// sameCurrency refuses prices in another currency than the shop's. An export of products has none in it: somebody says
// it before anything is imported.
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

// fileErrors names every mistake with its line; nothing was changed.
func fileErrors(name any, problems shopify.Problems) error {
	violations := make([]bus.Violation, len(problems))
	var first bus.Text
	for i, p := range problems {
		said := bus.Textf("Line %d: %s", p.Line, p.Message)
		if p.Column != "" {
			said = bus.Textf("Line %d, column %s: %s", p.Line, p.Column, p.Message)
		}
		violations[i] = bus.Violation{Path: fmt.Sprintf("/line/%d", p.Line)}.WithText(said)
		if i == 0 {
			first = said
		}
	}
	e := bus.Errorf(bus.Validation, bus.ReasonArguments, "%s was not imported. %s", name, first)
	switch n := len(violations) - 1; {
	case len(violations) >= shopify.MaxProblems:
		e = e.WithMessage("%s was not imported. %s (and %d more; not all were looked for)", name, first, n)
	case n > 0:
		e = e.WithMessage("%s was not imported. %s (and %d more)", name, first, n)
	}
	e.Violations, e.SchemaSide = violations, "request"
	return e.WithHint("Correct the lines named and import the file again; nothing was changed.")
}
