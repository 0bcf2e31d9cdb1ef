package doctor

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/host"
	"github.com/deskhand/deskhand/internal/keychain"
	"github.com/deskhand/deskhand/internal/till"
	"github.com/deskhand/deskhand/internal/tills"
)

// desks are the doctors of a shop and of one of its tills.
type desks struct {
	t          *testing.T
	shop, till *doctor
}

// as has the doctor of a folder say something, soon: what is connected is written by the host.
func (ds *desks) as(d *doctor, name string, ok, note bool, says, mend string) {
	ds.t.Helper()
	var c check
	for range 200 {
		c = d.says(ds.t, name)
		if c.OK == ok && c.Note == note && strings.Contains(c.Says, says) && strings.Contains(c.Mend, mend) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	ds.t.Errorf("%+v, want %q and %q", c, says, mend)
}

// owner does something in the shop.
func (ds *desks) owner(do func(d *desk.Desk)) {
	ds.t.Helper()
	d, err := ds.shop.Open()
	if err != nil {
		ds.t.Fatal(err)
	}
	do(d)
	if err := d.Close(); err != nil {
		ds.t.Fatal(err)
	}
}

func (ds *desks) call(d *desk.Desk, name string, args, out any) {
	ds.t.Helper()
	r, err := d.Invoke(ds.t.Context(), name, args, "test")
	if err != nil || !r.OK() {
		ds.t.Fatal(name, r.Err, err)
	}
	if out != nil {
		if err := r.Decode(out); err != nil {
			ds.t.Fatal(err)
		}
	}
}

// TestTheDoctorLooksAtAHostAndItsTill in each state that they can be in, and changes neither. A shop on one computer is
// told nothing of either.
func TestTheDoctorLooksAtAHostAndItsTill(t *testing.T) {
	shop := healthy(t)
	for _, c := range shop.checks() {
		if strings.Contains(c.Name, "host") || strings.Contains(c.Name, "till") {
			t.Errorf("a shop on one computer: %+v", c)
		}
	}
	other := *shop
	other.Folder = t.TempDir()
	other.keys = keychain.New(other.Folder)
	other.ping = func(ctx context.Context, p *till.Pairing) (time.Duration, error) { return p.Ping(ctx) }
	ds := &desks{t, shop, &other}

	h, err := host.Open(t.Context(), host.Options{Folder: shop.Folder, Listen: "127.0.0.1:0", Secrets: shop.keys})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { h.Close() }()
	ds.as(shop, "host", true, false, "reached at "+h.Address(), "")
	ds.as(shop, "host key", true, false, "in the keychain", "")
	ds.as(shop, "tills", true, false, "there are none", "")

	var made struct{ Code string }
	ds.owner(func(d *desk.Desk) { ds.call(d, "till.pair", struct{}{}, &made) })
	var p *till.Pairing
	var inside sync.WaitGroup
	asks := make(chan string, 1)
	inside.Go(func() {
		if p, err = till.Join(t.Context(), other.Folder, made.Code, "Stockroom", other.keys, func(id string) { asks <- id }); err != nil {
			t.Error(err)
		}
	})
	id := <-asks
	ds.as(shop, "tills", false, true, "Stockroom asks to work here", `deskhand-host tills add "Stockroom"`)
	ds.owner(func(d *desk.Desk) { ds.call(d, "till.add", map[string]string{"till": id}, nil) })
	inside.Wait()

	ds.as(shop, "tills", true, false, "Stockroom is not connected", "")
	ds.as(&other, "till", true, false, `"Stockroom", key `+id+`, its private half is in the keychain; joined `, "")
	ds.as(&other, "host", true, false, "ms and lets this till in", "")
	quiet := other
	quiet.ping = nil
	ds.as(&quiet, "host", true, false, p.Address+", not called", "")

	window := &till.Client{Dial: p.Dial, Emit: func(string, any) {}, Own: desk.OfWindow()}
	ctx, end := context.WithCancel(t.Context())
	inside.Go(func() { window.Run(ctx) })
	ds.as(shop, "tills", true, false, "Stockroom is connected", "")
	ds.as(&other, "host", true, false, "ms and lets this till in", "")
	ds.as(shop, "tills", true, false, "Stockroom is connected", "") // which calling the host did not end
	end()
	inside.Wait()
	ds.as(shop, "tills", true, false, "Stockroom is not connected", "")

	before := ds.state()
	shop.checks()
	other.checks()
	if after := ds.state(); after != before {
		t.Errorf("looking changed\n%s\nto\n%s", before, after)
	}

	ds.owner(func(d *desk.Desk) { ds.call(d, "till.remove", map[string]string{"till": id}, nil) })
	ds.as(&other, "host", false, false, "removed this desk", "join again")
	h.Close()
	ds.as(shop, "host", false, true, "none runs", "deskhand-host host")
	ds.as(&other, "host", false, false, "There is no host at "+p.Address+". (", "switched on")

	// A power cut takes the pairing, or its bytes. The folder is no place for a new shop.
	paired := filepath.Join(other.Folder, "till.json")
	raw, err := os.ReadFile(paired)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(paired, raw[:len(raw)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	ds.as(&other, "till", false, false, "till.json is damaged", "Remove "+paired)
	if err := os.Remove(paired); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DESKHAND_TILL_KEY", "any") // the keychain of the test is memory of this doctor
	other.Open = func() (*desk.Desk, error) {
		return desk.Open(t.Context(), desk.Options{Folder: other.Folder, Door: "test"})
	}
	ds.as(&other, "shop", false, false, "till.json is missing", "join again")
	t.Setenv("DESKHAND_TILL_KEY", "")
	if err := os.WriteFile(paired, raw, 0o600); err != nil {
		t.Fatal(err)
	}

	if err := other.keys.Keep(t.Context(), tills.KeyName, ""); err != nil {
		t.Fatal(err)
	}
	ds.as(&other, "till", false, false, "is not in the keychain", "join again")
	if err := shop.keys.Keep(t.Context(), "host.key", ""); err != nil {
		t.Fatal(err)
	}
	ds.as(shop, "host key", false, true, "not found here", "join again")
}

// state is what stands in the log of the shop, and in the folder of the till.
func (ds *desks) state() string {
	ds.t.Helper()
	var said []string
	ds.owner(func(d *desk.Desk) {
		v, err := d.Log.Verify(ds.t.Context(), nil)
		if err != nil {
			ds.t.Fatal(err)
		}
		said = append(said, v.Head)
	})
	files, err := os.ReadDir(ds.till.Folder)
	if err != nil {
		ds.t.Fatal(err)
	}
	for _, f := range files {
		raw, err := os.ReadFile(filepath.Join(ds.till.Folder, f.Name()))
		if err != nil {
			ds.t.Fatal(err)
		}
		said = append(said, f.Name()+" "+string(raw))
	}
	return strings.Join(said, "\n")
}
