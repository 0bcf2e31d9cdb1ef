package till_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/internal/till"
	"github.com/google/go-cmp/cmp"
)

// found is what a page reads of an answer of catalog.search.
type found struct {
	Products []struct {
		ID, Name, MatchedVariantID string
		Variants                   []struct {
			ID, SKU, Barcode string
			Price            struct{ Amount int64 }
			Stock            *int
		}
	}
	HasMore    bool
	NextCursor string
}

func searchIn(t *testing.T, c *till.Client, arguments string) (f found) {
	t.Helper()
	var r struct {
		Status string
		Data   found
	}
	answer := c.Invoke(`{"capability":"catalog.search","request_id":"req_s","arguments":` + arguments + `}`)
	if err := json.Unmarshal([]byte(answer), &r); err != nil || r.Status != "success" {
		t.Fatalf("%v: %.300s", err, answer)
	}
	return r.Data
}

// TestWithoutALinkTheCatalogIsReadFromACopy: what a till reads of the catalog without a link is what it read with one,
// found by each name and code. The page is told how old it is. Nothing else is answered, and nothing at all once nobody
// is signed in.
//
// holds: N5
func TestWithoutALinkTheCatalogIsReadFromACopy(t *testing.T) {
	folder := desktest.StaffedShop(t)
	d := desktest.Open(t, desk.Options{Folder: folder, PIN: desktest.PIN})
	l := &line{t: t, session: tillOf(t, folder)}
	s := &screen{}
	c := &till.Client{Dial: l.dial, Emit: s.emit, Patience: 50 * time.Millisecond, Copy: desk.Copied(),
		Own: desk.OfWindow()}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { c.Run(ctx) })
	t.Cleanup(func() { cancel(); l.cut(true); running.Wait() })
	s.await(t, `["up"`, 1)
	before := time.Now().UnixMilli()
	c.Invoke(signIn)
	linked := searchIn(t, c, `{"sort":"name","limit":200}`)
	cut := func(times int) string { // once the copy was read
		for range 1000 {
			got, err := d.Log.Search(t.Context(), audit.Query{Capability: "catalog.search"})
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for _, r := range got.Records {
				if r.Caller.Source == "copy" {
					n++
				}
			}
			if n >= times {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		for i := 0; ; i++ { // its answer may be on its way
			downs := len(s.shown(`"ids":["down"`))
			l.cut(true)
			s.await(t, `"ids":["down"`, downs+1)
			shown := s.shown(`"ids":["down"`)
			if last := shown[len(shown)-1]; strings.Contains(last, "catalog.search") || i == 100 {
				return last
			}
			ups := len(s.shown(`"ids":["up"`))
			l.cut(false)
			s.await(t, `"ids":["up"`, ups+1)
			time.Sleep(time.Duration(i) * 20 * time.Millisecond) // a cut at once ends the next read too
		}
	}
	var e struct{ IDs []string }
	down := cut(1)
	if err := json.Unmarshal([]byte(strings.TrimPrefix(down, "bus ")), &e); err != nil || len(e.IDs) != 4 {
		t.Fatal(down)
	}
	var at int64
	if _, err := fmt.Sscan(e.IDs[1], &at); err != nil || at < before || at > time.Now().UnixMilli() {
		t.Errorf("read at %s, after %d", e.IDs[1], before)
	}
	if diff := cmp.Diff(linked, searchIn(t, c, `{"sort":"name","limit":200}`)); diff != "" {
		t.Error(diff)
	}
	var pages found
	for in := `{"limit":3}`; ; in = fmt.Sprintf(`{"limit":3,"cursor":%q}`, pages.NextCursor) {
		one := searchIn(t, c, in)
		pages.Products = append(pages.Products, one.Products...)
		if pages.NextCursor = one.NextCursor; !one.HasMore {
			break
		}
	}
	if len(pages.Products) != len(linked.Products) {
		t.Errorf("%d products by pages, want %d", len(pages.Products), len(linked.Products))
	}
	for _, p := range linked.Products {
		if !has(searchIn(t, c, fmt.Sprintf(`{"query":%q}`, strings.ToUpper(p.Name))), p.ID, "") {
			t.Errorf("%s is not found by its name", p.Name)
		}
		for _, v := range p.Variants {
			if v.SKU != "" && !has(searchIn(t, c, fmt.Sprintf(`{"query":%q}`, v.SKU)), p.ID, v.ID) {
				t.Errorf("%s is not found by its SKU %s", p.Name, v.SKU)
			}
		}
		r := c.Invoke(fmt.Sprintf(`{"capability":"catalog.getProduct","arguments":{"productId":%q}}`, p.ID))
		if !strings.Contains(r, p.ID) || !strings.Contains(r, `"success"`) {
			t.Error(r)
		}
	}
	if got := searchIn(t, c, `{"query":"nothing of that kind"}`); len(got.Products) != 0 {
		t.Errorf("found %v", got.Products)
	}
	if r := c.Invoke(`{"capability":"order.search"}`); !strings.Contains(r, string(bus.Transient)) {
		t.Error(r)
	}

	ups := len(s.shown(`"ids":["up"`)) // more than one, if it was cut more than once
	l.cut(false)
	s.await(t, `"ids":["up"`, ups+1)
	sessions := len(s.shown(`"domain":"session"`))
	c.Invoke(`{"capability":"session.signOut"}`)
	s.await(t, `"domain":"session"`, sessions+1)
	downs := len(s.shown(`"ids":["down"`))
	l.cut(true)
	s.await(t, `"ids":["down"`, downs+1)
	if r := c.Invoke(`{"capability":"catalog.search"}`); !strings.Contains(r, string(bus.Transient)) {
		t.Errorf("nobody is signed in: %s", r)
	}
}

// eventFirst is a host that sends the event of a sign-in before the person may read.
type eventFirst struct {
	*counter
	session *till.Session
	refused chan struct{} // closed when a read was refused after the event
	mayRead atomic.Bool
}

func (h *eventFirst) Invoke(r string) string {
	switch {
	case strings.Contains(r, "session.signIn"):
		h.session.Emit("bus", bus.Event{Type: bus.EventStateChange, Domain: "session"})
		<-h.refused
		h.mayRead.Store(true)
	case !h.mayRead.Load():
		if strings.Contains(r, "after sign-in") {
			close(h.refused)
		}
		return `{"status":"error","code":"FORBIDDEN","reason":"permission","message":"Nobody is signed in."}`
	}
	return `{"status":"success","data":{}}`
}

// numbered is a copy that reads by one call: the first before the sign-in, the others after its event.
type numbered struct {
	till.Copy
	reads  atomic.Int32
	filled chan struct{}
}

func (o *numbered) Fill(call func(string, any) (json.RawMessage, error)) error {
	when := "before sign-in"
	if o.reads.Add(1) > 1 {
		when = "after sign-in"
	}
	_, err := call("catalog.search", map[string]string{"query": when})
	if err == nil {
		close(o.filled)
	}
	return err
}

// TestACopyIsReadAfterTheAnswerOfASignIn: a read between its event and its answer is refused, and a refused read is not
// repeated by itself.
//
// holds: N5
func TestACopyIsReadAfterTheAnswerOfASignIn(t *testing.T) {
	host := &eventFirst{counter: &counter{}, refused: make(chan struct{})}
	host.session = till.NewSession(host)
	l := &line{t: t, session: host.session}
	o := &numbered{Copy: desk.Copied(), filled: make(chan struct{})}
	c := &till.Client{Dial: l.dial, Emit: (&screen{}).emit, Patience: time.Minute, Copy: o}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { c.Run(ctx) })
	t.Cleanup(func() { cancel(); l.cut(true); running.Wait(); l.serving.Wait() })
	for o.reads.Load() == 0 { // the first read comes before the sign-in
		time.Sleep(time.Millisecond)
	}
	c.Invoke(`{"capability":"session.signIn"}`)
	select {
	case <-o.filled:
	case <-time.After(30 * time.Second):
		t.Error("the catalog was not read for the person who signed in")
	}
}

// unread is a copy that cannot be read the first time.
type unread struct {
	till.Copy
	reads atomic.Int32
}

func (u *unread) Fill(call func(string, any) (json.RawMessage, error)) error {
	if u.reads.Add(1) == 1 {
		return errors.New("not yet")
	}
	return u.Copy.Fill(call)
}

// TestACopyThatCannotBeReadIsTriedAgain: without a change that would say so.
//
// holds: N5
func TestACopyThatCannotBeReadIsTriedAgain(t *testing.T) {
	folder := desktest.StaffedShop(t)
	desktest.Open(t, desk.Options{Folder: folder, PIN: desktest.PIN})
	l := &line{t: t, session: tillOf(t, folder)}
	s := &screen{}
	u := &unread{Copy: desk.Copied()}
	c := &till.Client{Dial: l.dial, Emit: s.emit, Patience: 50 * time.Millisecond, Copy: u, Own: desk.OfWindow()}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { c.Run(ctx) })
	t.Cleanup(func() { cancel(); l.cut(true); running.Wait() })
	s.await(t, `["up"`, 1)
	for range 1000 {
		if u.reads.Load() > 1 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("read %d times", u.reads.Load())
}

// has reports whether a product was found, and meant by its code if a variant is given.
func has(f found, product, variant string) bool {
	for _, p := range f.Products {
		if p.ID == product && p.MatchedVariantID == variant || p.ID == product && variant == "" {
			return true
		}
	}
	return false
}
