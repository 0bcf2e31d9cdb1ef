package shop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
	"github.com/deskhand/deskhand/shop/staff"
)

// now is the day all tests are on: a Thursday morning in the sample shop.
var now = time.Date(2026, time.March, 12, 15, 4, 5, 0, time.UTC)

// sampleFile is a finished sample shop, made once and copied by every test.
var sampleFile string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "shop")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		sampleFile = filepath.Join(dir, "sample.db")
		if err := makeSample(sampleFile); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

func makeSample(path string) error {
	b, log, err := start(path, shop.Ports{}, nil, func() time.Time { return now })
	if err != nil {
		return err
	}
	res := b.Invoke(context.Background(), bus.Invocation{
		Capability: "shop.setUp", Arguments: json.RawMessage(`{"from":"sample"}`),
		Caller: bus.Caller{Type: bus.CallerTest}, Principal: bus.Principal{ID: "owner", Scopes: []string{"*"}},
	})
	if !res.OK() {
		return fmt.Errorf("set up the sample shop: %+v", res.Err)
	}
	return log.Close()
}

func start(path string, ports shop.Ports, asked bus.Approver, clock func() time.Time) (*bus.Bus, *audit.Log, error) {
	log, err := audit.Open(context.Background(), path, audit.Options{Migrations: shop.Migrations(), Undoable: shop.Undoable})
	if err != nil {
		return nil, nil, err
	}
	ports.Erase = func(ctx context.Context, terms ...string) (int, error) {
		gone, err := log.Erase(ctx, terms...)
		return gone.Records, err
	}
	ports.Head = func(ctx context.Context, _ string) (int64, string, error) {
		h, err := log.LastHead(ctx)
		return h.Seq, h.Hash, err
	}
	ports.Random, ports.Records = rand.NewChaCha8([32]byte{}), log.Search
	var requests, seeds int
	b := bus.New(bus.Options{
		Journal: log, Approver: asked, Conditions: shop.Conditions(), Clock: clock,
		NewRequestID: func() string { requests++; return fmt.Sprintf("req_%d", requests) },
		Seed:         func() []byte { seeds++; return fmt.Appendf(nil, "seed %d", seeds) },
	})
	return b, log, b.Register(shop.Capabilities(ports)...)
}

// desk is a shop with a person at its desk.
type desk struct {
	t        testing.TB
	bus      *bus.Bus
	log      *audit.Log
	person   bus.Principal
	files    map[string]string // the files for OpenFile
	path     string
	clock    time.Time
	secrets  *kept
	post     *letterBox
	hooks    *hookBox
	onCreate func()            // when an export begins its file
	dropped  *atomic.Int32     // exports that were given up
	card     *bus.Preview      // the last card; all cards are allowed
	kinds    map[string]string // of ways of paying, also of those that are gone
	drafted  []bus.Record      // on the draft that is merged
}

// Authorize implements bus.Approver: an agent has to ask.
func (d *desk) Authorize(context.Context, *bus.ApprovalRequest) (bus.Decision, error) {
	return bus.Decision{Rule: bus.RuleConfirm}, nil
}

// Approve implements bus.Approver: the person allows everything.
func (d *desk) Approve(_ context.Context, _ *bus.ApprovalRequest, p *bus.Preview) (bus.Decision, error) {
	d.card = p
	return bus.Decision{Answer: "allow", Allowed: true}, nil
}

// openSample opens a copy of the sample shop as one of its people; who as SignIn takes it.
func openSample(t testing.TB, who string) *desk {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shop.db")
	data, err := os.ReadFile(sampleFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	d := openDesk(t, path)
	d.as(who)
	return d
}

// openEmpty opens a data folder in which there is no shop.
func openEmpty(t testing.TB) *desk {
	t.Helper()
	d := openDesk(t, filepath.Join(t.TempDir(), "shop.db"))
	d.as("")
	return d
}

func openDesk(t testing.TB, path string) *desk {
	t.Helper()
	d := &desk{t: t, dropped: new(atomic.Int32), files: map[string]string{}, clock: now,
		secrets: &kept{known: map[string]string{}}, post: &letterBox{}, hooks: &hookBox{}}
	b, log, err := start(path, shop.Ports{OpenFile: d.openFile, OpenFolder: d.openFolder, CreateFile: d.createFile, Copies: pretended{},
		Secrets: d.secrets, Post: d.post, Hooks: d.hooks,
		ShowFile: func(_ context.Context, file string, _ bool) (string, error) { return file, nil }}, d, func() time.Time { return d.clock })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	d.bus, d.log, d.path = b, log, path
	return d
}

// as signs another person in.
func (d *desk) as(who string) {
	d.t.Helper()
	err := d.log.View(context.Background(), func(ctx context.Context) (err error) {
		d.person, err = staff.SignIn(ctx, who)
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
}

// invoke runs a capability; args is JSON.
func (d *desk) invoke(name, args string) bus.Result {
	d.t.Helper()
	return d.bus.Invoke(context.Background(), bus.Invocation{
		Capability: name, Arguments: json.RawMessage(args), Caller: bus.Caller{Type: bus.CallerTest}, Principal: d.person,
	})
}

// must runs a capability that has to succeed and reads its output into out, if not nil.
func (d *desk) must(name, args string, out any) bus.Result {
	d.t.Helper()
	res := d.invoke(name, args)
	if !res.OK() {
		d.t.Fatalf("%s %s: %s %s: %s %v", name, args, res.Err.Code, res.Err.Reason, res.Err.Message, res.Err.Unwrap())
	}
	if out != nil {
		if err := json.Unmarshal(res.Data, out); err != nil {
			d.t.Fatalf("%s: %v", name, err)
		}
	}
	return res
}

// refused runs a capability that has to fail with a code and a reason.
func (d *desk) refused(name, args string, code bus.Code, reason bus.Reason) *bus.Error {
	d.t.Helper()
	res := d.invoke(name, args)
	if res.OK() {
		d.t.Fatalf("%s %s succeeded, want %s (%s)", name, args, code, reason)
	}
	if res.Err.Code != code || res.Err.Reason != reason {
		d.t.Fatalf("%s %s: got %s (%s) %q, want %s (%s); cause %v", name, args, res.Err.Code, res.Err.Reason, res.Err.Message,
			code, reason, res.Err.Unwrap())
	}
	return res.Err
}

// money is an amount on the wire.
type money struct {
	Amount   int64
	Currency string
	Text     string
}

// ana is the id of Ana Ruiz.
func (d *desk) ana() string { return d.customer("Ana Ruiz") }

func (d *desk) customer(name string) string {
	d.t.Helper()
	var found struct{ Customers []struct{ ID, Name string } }
	d.must("customer.search", jsonf(`{"query":%q}`, name), &found)
	if len(found.Customers) == 0 || found.Customers[0].Name != name {
		d.t.Fatalf("customer.search %q found %+v", name, found.Customers)
	}
	return found.Customers[0].ID
}

// number reads one number from the database.
func (d *desk) number(query string, args ...any) int64 {
	d.t.Helper()
	var n int64
	err := d.log.View(context.Background(), func(ctx context.Context) error {
		return audit.Tx(ctx).QueryRowContext(ctx, query, args...).Scan(&n)
	})
	if err != nil {
		d.t.Fatalf("%s: %v", query, err)
	}
	return n
}

func jsonf(format string, args ...any) string { return fmt.Sprintf(format, args...) }

func contains(t *testing.T, s, part string) {
	t.Helper()
	if !strings.Contains(s, part) {
		t.Errorf("%q does not say %q", s, part)
	}
}

func (d *desk) openFile(_ context.Context, file string) (io.ReadCloser, string, error) {
	content, ok := d.files[file]
	if !ok {
		return nil, "", fmt.Errorf("no file %q", file)
	}
	return io.NopCloser(strings.NewReader(content)), file + ".csv", nil
}

// openFolder is a folder of all files.
func (d *desk) openFolder(context.Context, string) (shop.Folder, string, error) {
	folder := fstest.MapFS{}
	for name, content := range d.files {
		folder[name] = &fstest.MapFile{Data: []byte(content)}
	}
	return struct {
		fs.FS
		io.Closer
	}{folder, io.NopCloser(nil)}, "photos", nil
}

// said is the sentence in the newest record.
func (d *desk) said() string {
	d.t.Helper()
	last, err := d.log.Tail(context.Background(), 0, 1)
	if err != nil || len(last) != 1 {
		d.t.Fatalf("newest record: %v %v", last, err)
	}
	return last[0].Summary
}
