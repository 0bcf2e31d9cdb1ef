package till_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/internal/till"
	"github.com/google/go-cmp/cmp"
)

// line is the way from a till to its host. It can be cut, and the host can be another program than before.
type line struct {
	t testing.TB

	mu      sync.Mutex // guards the rest
	session *till.Session
	ends    []io.Closer
	down    bool
	refuses error      // what the host says instead of serving
	lasts   func() int // draws how many writes of both ends a link lasts; nil: it is cut by cut alone
	serving sync.WaitGroup
}

// lasting is an end of a link that is cut before one of its writes.
type lasting struct {
	net.Conn
	left *atomic.Int64 // writes of both ends until then
	cut  func()
}

func (l lasting) Write(p []byte) (int, error) {
	if l.left.Add(-1) == 0 {
		l.cut()
	}
	return l.Conn.Write(p)
}

func (l *line) dial(context.Context) (io.ReadWriteCloser, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.down {
		return nil, errors.New("the line is cut")
	}
	if l.refuses != nil {
		return nil, l.refuses
	}
	here, there := net.Pipe()
	l.ends = append(l.ends, here, there)
	if l.lasts != nil {
		left := &atomic.Int64{}
		left.Store(int64(l.lasts()))
		cut := func() { _, _ = here.Close(), there.Close() }
		here, there = lasting{here, left, cut}, lasting{there, left, cut}
	}
	session := l.session
	l.serving.Go(func() { _ = session.Serve(context.Background(), there) })
	return here, nil
}

// cut ends what is open; with down nothing is opened any more.
func (l *line) cut(down bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, end := range l.ends {
		_ = end.Close()
	}
	l.ends, l.down = nil, down
}

func (l *line) become(s *till.Session) {
	l.mu.Lock()
	l.session = s
	l.mu.Unlock()
}

// screen is the page of a till: what it was sent.
type screen struct {
	mu     sync.Mutex
	events []string
	before func(event string) // called first of all for each; may be nil
}

func (s *screen) emit(stream string, payload any) {
	raw, err := json.Marshal(payload)
	if err != nil {
		panic(err)
	}
	s.mu.Lock()
	before := s.before
	s.mu.Unlock()
	if before != nil {
		before(string(raw))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, stream+" "+string(raw))
}

// shown returns the events of which the text has a part.
func (s *screen) shown(part string) (shown []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.events {
		if strings.Contains(e, part) {
			shown = append(shown, e)
		}
	}
	return shown
}

// await waits until a till was sent as many events with a part.
func (s *screen) await(t testing.TB, part string, n int) {
	t.Helper()
	for range 3000 {
		if len(s.shown(part)) >= n {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%d events with %s, want %d", len(s.shown(part)), part, n)
}

// start starts a till on a line: without own capabilities it brings those of the application's window.
func start(t testing.TB, l *line, own ...bus.Capability) (*till.Client, *screen) {
	t.Helper()
	if own == nil {
		own = desk.OfWindow()
	}
	s := &screen{}
	c := &till.Client{Dial: l.dial, Emit: s.emit, Patience: time.Minute, Own: own}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { c.Run(ctx) })
	t.Cleanup(func() {
		cancel()
		l.cut(true)
		running.Wait()
		l.serving.Wait()
	})
	return c, s
}

// counter counts how often each request came, and answers with it after a while.
type counter struct {
	mu    sync.Mutex
	came  map[string]int
	delay func() time.Duration
	emit  func(string, any)
}

func (c *counter) note(method, request string) string {
	c.mu.Lock()
	c.came[method+" "+request]++
	c.mu.Unlock()
	time.Sleep(c.delay())
	c.emit("bus", map[string]string{"done": request})
	return fmt.Sprintf(`{"answered":%s}`, request)
}

func (c *counter) Invoke(r string) string   { return c.note("invoke", r) }
func (c *counter) Cancel(r string) string   { return c.note("cancel", r) }
func (c *counter) Manifest(r string) string { return c.note("manifest", r) }
func (c *counter) Send(r string) string     { return c.note("send", r) }
func (c *counter) Stop(r string) string     { return c.note("stop", r) }
func (c *counter) Decide(r string) string   { return c.note("decide", r) }
func (c *counter) PickFile(r string) string { return c.note("pickFile", r) }
func (c *counter) DropFile(r string) string { return c.note("dropFile", r) }

func newCounter() (*counter, *till.Session) {
	c := &counter{came: map[string]int{},
		delay: func() time.Duration { return time.Duration(rand.IntN(3)) * time.Millisecond }}
	s := till.NewSession(c, desk.OfWindow()...)
	c.emit = s.Emit
	return c, s
}

// TestACallOverACutLinkIsMadeOnce cuts the link at random while many calls are under way: each has its answer, each was
// made once, and the page was sent each event once, in order.
//
// holds: N4
func TestACallOverACutLinkIsMadeOnce(t *testing.T) {
	host, session := newCounter()
	l := &line{t: t, session: session}
	c, s := start(t, l)
	ctx, stop := context.WithCancel(t.Context())
	var cutting sync.WaitGroup
	cutting.Go(func() {
		for n := 0; ctx.Err() == nil; n++ { // less and less often: on a busy machine a link takes longer to open
			time.Sleep(time.Duration(rand.IntN(15+n/8)) * time.Millisecond)
			l.cut(false)
		}
	})
	const callers, calls = 8, 60
	var calling sync.WaitGroup
	for caller := range callers {
		calling.Go(func() {
			for n := range calls {
				request := fmt.Sprintf(`"%d of %d"`, n, caller)
				method := [...]func(string) string{c.Invoke, c.Send, c.Decide, c.DropFile}[n%4]
				if got, want := method(request), fmt.Sprintf(`{"answered":%s}`, request); got != want {
					t.Errorf("%s: %s", request, got)
				}
			}
		})
	}
	calling.Wait()
	stop()
	cutting.Wait()
	s.await(t, `"done"`, callers*calls)
	for request, n := range host.came {
		if n != 1 {
			t.Errorf("%s was made %d times", request, n)
		}
	}
	if len(host.came) != callers*calls {
		t.Errorf("%d calls came", len(host.came))
	}
	shown := s.shown(`"done"`)
	slices.Sort(shown)
	if d := len(slices.Compact(shown)); d != callers*calls {
		t.Errorf("%d events, %d different ones", callers*calls, d)
	}
	if len(s.shown(`"ids":["down"]`)) == 0 {
		t.Error("the page was not told of a cut")
	}
}

// TestAnotherHostIsToldOnlyWhatDoesNoHarmTwice: the host's program ends in the middle of calls and is started again.
//
// holds: N4
func TestAnotherHostIsToldOnlyWhatDoesNoHarmTwice(t *testing.T) {
	first, session := newCounter()
	came := make(chan struct{}, 8)
	hang := make(chan struct{})
	first.delay = func() time.Duration { came <- struct{}{}; <-hang; return 0 }
	l := &line{t: t, session: session}
	c, s := start(t, l)
	type answer struct{ request, got string }
	answers := make(chan answer)
	keyed, bare := `{"capability":"a.b","idempotency_key":"k"}`, `{"capability":"a.c"}`
	for request, method := range map[string]func(string) string{keyed: c.Invoke, bare: c.Invoke, `"hello"`: c.Send} {
		go func() { answers <- answer{request, method(request)} }()
		<-came
	}
	second, other := newCounter()
	l.become(other)
	l.cut(false)
	got := map[string]string{}
	for range 3 {
		a := <-answers
		got[a.request] = a.got
	}
	close(hang)
	if want := `{"answered":` + keyed + `}`; got[keyed] != want {
		t.Errorf("with a key: %s", got[keyed])
	}
	for _, request := range []string{bare, `"hello"`} {
		if !strings.Contains(got[request], `"reason":"interrupted"`) {
			t.Errorf("%s: %s", request, got[request])
		}
	}
	if d := cmp.Diff(map[string]int{"invoke " + keyed: 1}, second.came); d != "" {
		t.Error(d)
	}
	s.await(t, `"domain":"desk"`, 1) // the page loads anew
}

// TestAPageThatLoadsIsToldOfTheLink: at once, not when its call is refused, and what it hears last is so.
//
// holds: N4
func TestAPageThatLoadsIsToldOfTheLink(t *testing.T) {
	_, session := newCounter()
	l := &line{t: t, session: session, down: true}
	c, s := start(t, l)
	s.await(t, `["down"]`, 1)
	telling, linked := make(chan struct{}), make(chan struct{})
	hold := sync.OnceFunc(func() { close(telling); <-linked })
	s.mu.Lock()
	s.before = func(event string) {
		if strings.Contains(event, `["down"]`) {
			hold()
		}
	}
	s.mu.Unlock()
	var loading sync.WaitGroup
	loading.Go(func() { c.Manifest(`{}`) })
	<-telling
	l.mu.Lock()
	l.down = false
	l.mu.Unlock()
	c.Invoke(`{}`)                    // it is answered: there is a link
	time.Sleep(50 * time.Millisecond) // in which the page would be told of it
	close(linked)
	loading.Wait()
	s.await(t, `["up"]`, 1)
	if told := s.shown(`"domain":"link"`); !strings.Contains(told[len(told)-1], "up") {
		t.Error("told last:", told[len(told)-1])
	}
}

// TestAHostThatRefusesATillIsReached: the page is told why, not that the link is cut.
//
// holds: N4
func TestAHostThatRefusesATillIsReached(t *testing.T) {
	_, session := newCounter()
	l := &line{t: t, session: session, refuses: bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "Another version.")}
	c, s := start(t, l)
	for range 2 {
		if got := c.Manifest(`{}`); !strings.Contains(got, "Another version.") {
			t.Error(got)
		}
	}
	if told := s.shown(`"domain":"link"`); len(told) > 0 {
		t.Error(told)
	}
}

// TestWithoutALinkACallIsRefusedAndNothingWasDone.
//
// holds: N4
func TestWithoutALinkACallIsRefusedAndNothingWasDone(t *testing.T) {
	host, session := newCounter()
	l := &line{t: t, session: session, down: true}
	c, _ := start(t, l)
	c.Patience = time.Millisecond
	if got := c.Invoke(`{}`); !strings.Contains(got, `"code":"TRANSIENT","reason":"network"`) {
		t.Error(got)
	}
	if len(host.came) != 0 {
		t.Error(host.came)
	}
}

// TestWhatATillMissedForLongIsReadAnew: a till that is off does not fill the memory of its host.
//
// holds: N4
func TestWhatATillMissedForLongIsReadAnew(t *testing.T) {
	_, session := newCounter()
	for n := range 10_000 {
		session.Emit("bus", map[string]int{"done": n})
	}
	l := &line{t: t, session: session}
	_, s := start(t, l)
	s.await(t, `"done":9999`, 1)
	if all := s.shown("bus"); len(all) > 4200 || len(s.shown(`"domain":"desk"`)) != 1 {
		t.Errorf("%d events", len(all))
	}
}

// TestThreeTillsSellAtOnce: three tills sell at one host while their links are cut at random. Each sale is in the log
// once, and the stock adds up.
//
// holds: N4
func TestThreeTillsSellAtOnce(t *testing.T) {
	folder := desktest.StaffedShop(t)
	d := desktest.Open(t, desk.Options{Folder: folder, PIN: desktest.PIN})
	guji := desktest.Guji(t, d)
	stock := func() (n int) {
		var out struct{ Variants []struct{ Stock int } }
		desktest.Must(t, d, bus.CallerTest, "catalog.getProduct", fmt.Sprintf(`{"productId":%q}`, guji), &out)
		for _, v := range out.Variants {
			n += v.Stock
		}
		return n
	}
	desktest.Must(t, d, bus.CallerTest, "catalog.adjustStock",
		fmt.Sprintf(`{"variantId":%q,"delta":500}`, variant(t, d, guji)), nil)
	before := stock()
	var selling sync.WaitGroup
	people := []string{"mara_lindqvist", "june_park", "idris_bello"}
	const sales = 8
	for _, person := range people {
		l := &line{t: t, session: tillOf(t, folder), lasts: func() int { return 1 + rand.IntN(40) }}
		c, _ := start(t, l)
		must := func(capability, args string) {
			t.Helper()
			got := c.Invoke(fmt.Sprintf(`{"capability":%q,"arguments":%s}`, capability, args))
			if !strings.Contains(got, `"status":"success"`) {
				t.Errorf("%s: %s: %s", person, capability, got)
			}
		}
		must("session.signIn", desktest.SignIn(person))
		selling.Go(func() {
			for range sales {
				must("cart.setCustomer", `{"walkIn":true}`)
				must("cart.addItem", fmt.Sprintf(`{"productId":%q,"variantId":%q,"quantity":1}`, guji, variant(t, d, guji)))
				must("checkout.submit", `{"fulfilment":"takeAway","tendered":{"amount":50000,"currency":"USD"}}`)
			}
		})
	}
	selling.Wait()
	if got := before - stock(); got != sales*len(people) {
		t.Errorf("%d pieces were sold", got)
	}
}

// tillOf is a till of a shop, with a desk of its own.
func tillOf(t *testing.T, folder string) *till.Session {
	t.Helper()
	return tillWith(t, folder, nil, func(*desk.Desk) {})
}

func tillWith(t *testing.T, folder string, m model.Model, opened func(*desk.Desk)) (session *till.Session) {
	t.Helper()
	b := &desk.Boundary{Context: context.Background(), Folder: folder}
	b.Open = func() (*desk.Desk, error) {
		d, err := desk.Open(context.Background(), desk.Options{Folder: folder, Door: desk.DoorTill("Stockroom"),
			OnCard: b.ShowCard, SignedOut: true, Till: session, Model: m})
		if err == nil {
			opened(d)
		}
		return d, err
	}
	session = till.NewSession(b, desk.OfWindow()...)
	b.Emit, session.Erasures = session.Emit, b.Erasures
	b.ForwardEvents(t.Context())
	t.Cleanup(b.Close)
	return session
}

// TestACardIsAtEachTillOfItsPerson: what is asked at one till is answered at another where the same person is signed
// in. The first answer counts, and the card goes at both.
//
// holds: N6
func TestACardIsAtEachTillOfItsPerson(t *testing.T) {
	folder := desktest.StaffedShop(t)
	d := desktest.Open(t, desk.Options{Folder: folder, PIN: desktest.PIN})
	var found struct{ Customers []struct{ ID string } }
	desktest.Must(t, d, bus.CallerTest, "customer.search", `{"query":"Ana Ruiz"}`, &found)
	desktest.Must(t, d, bus.CallerTest, "cart.addItem", fmt.Sprintf(`{"productId":%q,"quantity":2,"customerId":%q}`,
		desktest.Guji(t, d), found.Customers[0].ID), nil)
	one, here := start(t, &line{t: t, session: tillOf(t, folder)})
	two, there := start(t, &line{t: t, session: tillOf(t, folder)})
	for _, c := range []*till.Client{one, two} {
		c.Invoke(signIn)
	}
	one.Send(`{"text":"submit my order to my home address"}`)
	const opened, closed = `approval {"type":"opened"`, `approval {"type":"closed"`
	there.await(t, opened, 1)
	here.await(t, opened, 1)
	var e struct {
		Card struct {
			ApprovalID string `json:"approval_id"`
		}
	}
	if err := json.Unmarshal([]byte(strings.TrimPrefix(there.shown(opened)[0], "approval ")), &e); err != nil {
		t.Fatal(err)
	}
	answer := fmt.Sprintf(`{"approval_id":%q,"answer":"allow"}`, e.Card.ApprovalID)
	if got := two.Decide(answer); !strings.Contains(got, `"ok":true`) {
		t.Fatal(got)
	}
	here.await(t, closed, 1)
	there.await(t, closed, 1)
	if got := one.Decide(answer); !strings.Contains(got, `"error"`) {
		t.Errorf("answered again: %s", got)
	}
	here.await(t, `"type":"turn_ended"`, 1)
	page, err := d.Log.Search(t.Context(), audit.Query{Capability: "checkout.submit"})
	if err != nil || len(page.Records) != 1 {
		t.Errorf("%d orders, %v", len(page.Records), err)
	}
}

func variant(t *testing.T, d *desk.Desk, product string) string {
	var out struct{ Variants []struct{ ID string } }
	desktest.Must(t, d, bus.CallerTest, "catalog.getProduct", fmt.Sprintf(`{"productId":%q}`, product), &out)
	return out.Variants[0].ID
}

// TestWhatHappensElsewhereIsPutTogether: while a till has no link, what happens elsewhere waits as one event of each
// kind, with the ids of all. What the till did itself is told one by one.
func TestWhatHappensElsewhereIsPutTogether(t *testing.T) {
	session := till.NewSession(nil)
	for i := range 5000 {
		session.Emit("bus", bus.Event{Type: bus.EventStateChange, Domain: "order", Elsewhere: true,
			RequestID: fmt.Sprint("r", i), IDs: []string{fmt.Sprint("o", i%3)}})
		session.Emit("bus", bus.Event{Type: bus.EventInvocation, Capability: "order.ship", Elsewhere: true,
			Caller: &bus.Caller{Type: []bus.CallerType{bus.CallerUI, bus.CallerAgent}[i%2]}})
		if i%1000 == 0 {
			session.Emit("bus", bus.Event{Type: bus.EventStateChange, Domain: "order", RequestID: fmt.Sprint("own", i)})
		}
	}
	s, l := &screen{}, &line{t: t, session: session}
	c := &till.Client{Dial: l.dial, Emit: s.emit}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { c.Run(ctx) })
	t.Cleanup(func() { cancel(); running.Wait() })
	const want = `{"type":"stateChange","request_id":"r4999","domain":"order","ids":["o0","o1","o2"]}`
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		s.mu.Lock()
		events := slices.Clone(s.events)
		s.mu.Unlock()
		told := strings.Join(events, "\n")
		if strings.Contains(told, want) && strings.Contains(told, "own4000") {
			if n := strings.Count(told, "order"); n != 5+3 { // the assistant's calls are told apart from those of people
				t.Errorf("%d events:\n%s", n, told)
			}
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the page was told\n%s", told)
		}
	}
}
