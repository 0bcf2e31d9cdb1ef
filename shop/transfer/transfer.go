package transfer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/setup"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopfile"
)

// FileSchema returns the JSON Schema of the file that shop.export writes and shop.import reads.
func FileSchema() []byte { return shopfile.Schema() }

type shopImportIn struct {
	File string `json:"file" jsonschema:"minLength=1,maxLength=4096" x:"file=shop"`
}

// counts holds the number of records in a file.
type counts struct {
	Products  int64 `json:"products"`
	Customers int64 `json:"customers"`
	Orders    int64 `json:"orders"`
}

type shopImportOut struct {
	File   string `json:"file" doc:"Its name."`
	SHA256 string `json:"sha256" doc:"Of the file's bytes."`
	Bytes  int64  `json:"bytes"`
	Name   string `json:"name" doc:"Of the shop." x:"tainted=true"`
	counts
}

func shopImport(p Ports) bus.Capability {
	return bus.Define(bus.Capability{
		Name: "shop.import", Texts: texts, Changes: []string{"shop", "*"}, SideEffect: bus.Destructive,
		Permissions: []string{"shop:write"},
		Facts:       []string{"sha256"},
		Resources:   []string{"database:write", "filesystem:read"},
		Checks:      bus.Checks{Access: core.AgentNever, Available: nothingYet},
		Run:         bus.Run{Bulk: true, Background: true, Concurrency: bus.Exclusive, Timeout: 2 * time.Hour},
	}, func(ctx context.Context, call *bus.Call, in shopImportIn) (out shopImportOut, err error) {
		file, name, err := openShopFile(ctx, p, in.File)
		if err != nil {
			return out, err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		if err := setup.BeginEmpty(ctx, call); err != nil {
			return out, err
		}
		src := &counted{from: file, hash: sha256.New()}
		im := &importing{ctx: ctx, call: call, opening: map[string]bool{}, progress: src.progress(call, file)}
		err = shopfile.Read(src, im)
		if err == nil {
			err = im.finish()
		}
		if problem := (*shopfile.Problem)(nil); errors.As(err, &problem) {
			return out, fileProblem(name, problem)
		}
		if err != nil {
			return out, err
		}
		out = shopImportOut{name, src.sum(), src.n, im.shop.Name, counts{im.products, im.customers, im.orders}}
		call.Fact("sha256", out.SHA256)
		call.Summarize("Import the shop %s from %s: %d products, %d customers, %d orders", im.shop.Name, name, im.products,
			im.customers, im.orders)
		call.Announce("shop", bus.Textf("The shop was imported from %s.", name))
		call.Changed("*", "")
		return out, nil
	})
}

// nothingYet refuses a shop that already has products or customers.
func nothingYet(ctx context.Context, _ *bus.Call) error {
	return core.NeedNone(ctx, core.Unavailable("There are products or customers in this shop already.").
		WithHint("Import the file into a new data folder."),
		`SELECT 1 WHERE EXISTS (SELECT 1 FROM products) OR EXISTS (SELECT 1 FROM customers)`)
}

// openShopFile opens a file through the port.
func openShopFile(ctx context.Context, p Ports, file string) (io.ReadCloser, string, error) {
	if p.OpenFile == nil {
		return nil, "", core.ErrNoFiles()
	}
	content, name, err := p.OpenFile(ctx, file)
	if err != nil && !errors.As(err, new(*bus.Error)) {
		err = core.Invalid("/file", "The file cannot be opened.").WithCause(err).WithHint("Choose the file again.")
	}
	return content, name, err
}

// fileProblem returns an error with the position of the mistake. Nothing was changed.
func fileProblem(name string, p *shopfile.Problem) error {
	e := bus.Errorf(bus.Validation, bus.ReasonArguments, "%s was not imported. %s", name, p.Text())
	e.Violations, e.SchemaSide = []bus.Violation{bus.Violation{Path: p.Path}.WithText(p.Text())}, "request"
	return e.WithHint("Correct the place named and import the file again; nothing was changed.")
}

type shopExportIn struct {
	File string `json:"file,omitempty" jsonschema:"maxLength=4096"`
}

type shopExportOut struct {
	File   string `json:"file" doc:"Where it is."`
	SHA256 string `json:"sha256" doc:"Of the file's bytes; the same shop always makes the same bytes."`
	Bytes  int64  `json:"bytes"`
	counts
}

func shopExport(p Ports) bus.Capability {
	return core.WithShop(core.Write(bus.Capability{
		Name: "shop.export", Texts: texts,
		Resources: []string{"database:read", "filesystem:write"},
		Checks:    bus.Checks{Access: core.AgentNever},
		Run: bus.Run{
			Background:  true,
			Concurrency: bus.Exclusive,
			Timeout:     2 * time.Hour,
			Preview: func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
				call.Summarize("Export the whole shop")
				return call.Arguments, nil
			},
		},
	}), func(ctx context.Context, s *core.Shop, call *bus.Call, in shopExportIn) (out shopExportOut, err error) {
		all, _, err := core.Find(ctx, core.ScanInt, `SELECT (SELECT COUNT(*) FROM products) + (SELECT COUNT(*)
			FROM customers) + (SELECT COUNT(*) FROM orders)`)
		if err != nil {
			return out, err
		}
		if p.CreateFile == nil {
			return out, core.ErrNoFiles()
		}
		file, err := p.CreateFile(ctx, in.File, "shop-"+core.FileStamp(call)+".json")
		if err != nil {
			return out, err
		}
		dst := &counted{to: file, hash: sha256.New()}
		e := &exporting{shop: s, out: shopfile.NewWriter(dst)}
		e.progress = func(what string, done int64) {
			call.Progress(int(100*(e.products+e.customers+e.orders)/max(all, 1)), fmt.Sprintf("%s: %d", what, done))
		}
		if err := e.run(ctx); err != nil {
			return out, errors.Join(err, file.Drop())
		}
		where, err := file.Keep()
		if err != nil {
			return out, err
		}
		call.Summarize("Exported the shop to %s: %d products, %d customers, %d orders", where, e.products, e.customers,
			e.orders)
		return shopExportOut{where, dst.sum(), dst.n, counts{e.products, e.customers, e.orders}}, nil
	})
}

// counted counts the bytes that it reads or writes, and computes their hash.
type counted struct {
	from io.Reader
	to   io.Writer
	hash hash.Hash
	n    int64
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += int64(n)
	_, _ = c.hash.Write(p[:n]) // writes to a hash never fail
	return n, err
}

// Write implements io.Writer.
func (c *counted) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	_, _ = c.hash.Write(p[:n])
	return n, err
}

func (c *counted) sum() string { return hex.EncodeToString(c.hash.Sum(nil)) }

// progress returns a function that reports the share of the file that was read, at intervals. A file of unknown size
// has only a count.
func (c *counted) progress(call *bus.Call, file io.Reader) func(what string, done int64) {
	size := int64(0)
	if f, ok := file.(interface{ Stat() (fs.FileInfo, error) }); ok {
		if info, err := f.Stat(); err == nil {
			size = info.Size()
		}
	}
	return func(what string, done int64) {
		if done%core.BatchSize != 0 && done != 1 {
			return
		}
		percent := 0
		if size > 0 {
			percent = int(min(99, 100*c.n/size))
		}
		call.Progress(percent, fmt.Sprintf("%s: %d", what, done))
	}
}
