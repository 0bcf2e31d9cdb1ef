package host_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/internal/host"
	"github.com/deskhand/deskhand/internal/till"
	"github.com/deskhand/deskhand/internal/tills"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// keychain keeps secrets as long as the test.
type keychain struct {
	mu   sync.Mutex
	kept map[string]string
}

func (k *keychain) Find(_ context.Context, name string) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.kept[name], nil
}

func (k *keychain) Keep(_ context.Context, name, secret string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == nil {
		k.kept = map[string]string{}
	}
	k.kept[name] = secret
	return nil
}

func (k *keychain) Lasting() bool { return true }

// shop is a host with the desk of its owner.
type shop struct {
	t      testing.TB
	folder string
	owner  *desk.Desk
	keys   *keychain
	host   *host.Host
	late   atomic.Int64 // how much later it is at the host, in ns
}

func open(t testing.TB) *shop {
	t.Helper()
	s := &shop{t: t, folder: desktest.StaffedShop(t), keys: &keychain{}}
	s.owner = desktest.Open(t, desk.Options{Folder: s.folder, Clock: s.clock, PIN: desktest.PIN})
	s.start("127.0.0.1:0")
	t.Cleanup(func() { s.host.Close() })
	return s
}

func (s *shop) start(listen string) {
	s.t.Helper()
	h, err := host.Open(s.t.Context(), host.Options{Folder: s.folder, Listen: listen, Secrets: s.keys,
		Desk: desk.Options{Clock: s.clock}})
	if err != nil {
		s.t.Fatal(err)
	}
	s.host = h
}

// clock is that of the host's computer.
func (s *shop) clock() time.Time { return time.Now().Add(time.Duration(s.late.Load())) }

func (s *shop) code() string {
	var out struct{ Code string }
	desktest.Must(s.t, s.owner, bus.CallerCLI, "till.pair", `{}`, &out)
	return out.Code
}

// joined lets a new till in.
func (s *shop) joined(name string) *till.Pairing {
	s.t.Helper()
	p, err := till.Join(s.t.Context(), s.t.TempDir(), s.code(), name, &keychain{}, s.letIn)
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

// letIn lets a till in once it asks.
func (s *shop) letIn(id string) {
	go func() {
		for s.t.Context().Err() == nil {
			r, err := s.owner.Invoke(context.Background(), "till.add", map[string]string{"till": id}, "test")
			if err == nil && r.OK() {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
}

// window starts a window on a till.
func (s *shop) window(dial func(context.Context) (io.ReadWriteCloser, error)) *till.Client {
	return s.windowTelling(dial, func(string, any) {})
}

func (s *shop) windowTelling(dial func(context.Context) (io.ReadWriteCloser, error), emit func(string, any)) *till.Client {
	c := &till.Client{Dial: dial, Emit: emit, Patience: 30 * time.Second, Own: desk.OfWindow()}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { c.Run(ctx) })
	s.t.Cleanup(func() { cancel(); running.Wait() })
	return c
}

func call(t testing.TB, c *till.Client, capability, args string) string {
	t.Helper()
	return c.Invoke(fmt.Sprintf(`{"capability":%q,"arguments":%s,"idempotency_key":%q}`, capability, args,
		t.Name()+capability+args))
}

func has(t testing.TB, answer string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(answer, part) {
			t.Fatalf("answered %s, want %s", answer, part)
		}
	}
}

// TestATillJoinsAndSells: a code, an owner who lets it in, a person who signs in there, a sale. The host ends and is
// started again at the same address with the same key: the till is back by itself.
//
// holds: N3
func TestATillJoinsAndSells(t *testing.T) {
	s := open(t)
	p := s.joined("Stockroom")
	c := s.window(p.Dial)
	has(t, call(t, c, "order.search", `{}`), `"FORBIDDEN"`) // nobody is signed in
	has(t, call(t, c, "session.signIn", desktest.SignIn("june_park")), `"success"`)
	guji := desktest.Guji(t, s.owner)
	has(t, call(t, c, "cart.addItem", fmt.Sprintf(`{"productId":%q,"quantity":1}`, guji)), `"success"`)
	at := s.host.Address()
	s.host.Close()
	s.start(at)
	has(t, c.Invoke(`{"capability":"session.get"}`), `"locked":true`) // people sign in anew
	has(t, c.Invoke(fmt.Sprintf(`{"capability":"session.signIn","arguments":%s,"idempotency_key":"again"}`,
		desktest.SignIn("june_park"))),
		`"success"`)
	has(t, c.Invoke(`{"capability":"cart.getSummary"}`), guji)
	var all struct{ Tills []tills.Till }
	desktest.Must(t, s.owner, bus.CallerCLI, "till.list", `{}`, &all)
	if len(all.Tills) != 1 || all.Tills[0].Name != "Stockroom" || all.Tills[0].AddedBy == "" {
		t.Errorf("%+v", all)
	}
}

// TestARemovedTillIsRefusedAtOnce, by another program on the shop.
//
// holds: N3
func TestARemovedTillIsRefusedAtOnce(t *testing.T) {
	s := open(t)
	p := s.joined("Stolen")
	c := s.window(p.Dial)
	has(t, call(t, c, "session.signIn", desktest.SignIn("june_park")), `"success"`)
	desktest.Must(t, s.owner, bus.CallerCLI, "till.remove", fmt.Sprintf(`{"till":%q}`, p.ID), nil)
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		conn, err := p.Dial(t.Context())
		if err != nil {
			break
		}
		_ = conn.Close()
		if time.Now().After(deadline) {
			t.Fatal("the till is still let in")
		}
	}
	c.Patience = time.Millisecond
	has(t, call(t, c, "order.search", `{}`), `"error"`)
}

// TestACodeIsGoodOnceAndNotForGuessers.
//
// holds: N3
func TestACodeIsGoodOnceAndNotForGuessers(t *testing.T) {
	s := open(t)
	refused := func(code, want string) {
		t.Helper()
		_, err := till.Join(t.Context(), t.TempDir(), code, "Other", &keychain{}, func(string) {})
		if e, coded := errors.AsType[*bus.Error](err); !coded || !strings.Contains(e.Message, want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	code := s.code()
	if _, err := till.Join(t.Context(), t.TempDir(), code, "First", &keychain{}, s.letIn); err != nil {
		t.Fatal(err)
	}
	refused(code, "not taken") // used
	code = s.code()
	c, err := tills.ParseCode(code)
	if err != nil {
		t.Fatal(err)
	}
	other := c
	other.Key = "0000000000000000"
	refused(other.String(), "Another computer answers")
	guess := c
	guess.Secret = "00000000"
	for range 5 {
		refused(guess.String(), "not taken")
	}
	refused(code, "not taken") // after five wrong ones
	refused("nonsense", "not the code")
	code = s.code()
	s.late.Store(int64(tills.CodeLasts + time.Second))
	refused(code, "not taken") // too old

	page, err := s.owner.Log.Search(t.Context(), audit.Query{Limit: 500})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(page.Records)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), c.Secret) || strings.Contains(string(raw), strings.Split(code, "/")[1]) {
		t.Error("the log has the secret of a code")
	}
}

// TestAStrangerReachesNothing: without a key, with one that is no till's, and with a till's key but the subjects of
// another.
//
// holds: R7
func TestAStrangerReachesNothing(t *testing.T) {
	s := open(t)
	other := s.joined("Other")
	address := "tls://" + s.host.Address()
	secure := nats.Secure(&tls.Config{InsecureSkipVerify: true})
	if nc, err := nats.Connect(address, secure, nats.TLSHandshakeFirst(), nats.NoReconnect()); err == nil {
		nc.Close()
		t.Error("somebody without a key is connected")
	}
	key, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	id, err := key.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	if nc, err := nats.Connect(address, secure, nats.TLSHandshakeFirst(), nats.NoReconnect(),
		nats.Nkey(other.ID, key.Sign)); err == nil {
		nc.Close()
		t.Error("somebody is connected under the name of a till, with another key")
	}
	refused := make(chan error, 16)
	nc, err := nats.Connect(address, secure, nats.TLSHandshakeFirst(), nats.NoReconnect(), nats.Nkey(id, key.Sign),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err }))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	for _, subject := range []string{"till." + other.ID + ".open", "till." + id + ".open", "pair." + other.ID + ".open",
		"$SRV.PING", "$SYS.REQ.SERVER.PING"} {
		if err := nc.Publish(subject, []byte(`{"protocol":1}`)); err != nil {
			t.Fatal(err)
		}
	}
	for _, subject := range []string{">", "till.>", "till." + other.ID + ".down.*", "pair.*.down.*", "_INBOX.>"} {
		if _, err := nc.SubscribeSync(subject); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 10 {
		select {
		case err := <-refused:
			if !errors.Is(err, nats.ErrPermissionViolation) {
				t.Error(err)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("%d of 10 were refused", n)
		}
	}
}

// withoutKeychain has no place for a secret.
type withoutKeychain struct{ keychain }

func (*withoutKeychain) Lasting() bool { return false }

// TestAHostWithoutAPlaceForItsKeyDoesNotStart: with one that every start draws anew no till would find it again.
//
// holds: R8
func TestAHostWithoutAPlaceForItsKeyDoesNotStart(t *testing.T) {
	o := host.Options{Folder: desktest.Copy(t), Listen: "127.0.0.1:0", Secrets: &withoutKeychain{}}
	_, err := host.Open(t.Context(), o)
	if e, coded := errors.AsType[*bus.Error](err); !coded || !strings.Contains(e.Hint, "DESKHAND_HOST_KEY") {
		t.Error(err)
	}
	o.Listen, o.Secrets = "nowhere", &keychain{}
	if h, err := host.Open(t.Context(), o); err == nil {
		h.Close()
		t.Error("it listens nowhere")
	}
}

// TestAHostWithTillsKeepsItsKey: a host with tills does not start with another key, because a till would take it for
// another computer. Without tills it may have a new key.
//
// holds: N3
func TestAHostWithTillsKeepsItsKey(t *testing.T) {
	s := open(t)
	first := s.keys
	again := func(keys *keychain) error {
		s.host.Close()
		h, err := host.Open(t.Context(), host.Options{Folder: s.folder, Listen: "127.0.0.1:0", Secrets: keys})
		if err == nil {
			s.host = h
		}
		return err
	}
	second := &keychain{} // draws another one
	if err := again(second); err != nil {
		t.Fatalf("without tills: %v", err)
	}
	p := s.joined("Counter")
	for range 2 {
		if err := again(first); err == nil || !strings.Contains(err.Error(), "another key than at its last start") {
			t.Errorf("with another key: %v", err)
		}
	}
	if err := again(second); err != nil {
		t.Fatalf("with the same key: %v", err)
	}
	desktest.Must(t, s.owner, bus.CallerCLI, "till.remove", fmt.Sprintf(`{"till":%q}`, p.ID), nil)
	if err := again(first); err != nil {
		t.Errorf("after the till was removed: %v", err)
	}
}

// TestATillHearsWhatItsPersonMaySee: what others do is told to a till as far as the person signed in there may see it.
//
// holds: R7
func TestATillHearsWhatItsPersonMaySee(t *testing.T) {
	s := open(t)
	at := func(name, person string) chan string {
		heard := make(chan string, 64)
		c := s.windowTelling(s.joined(name).Dial, func(_ string, payload any) {
			if e := fmt.Sprintf("%s", payload); strings.Contains(e, "customer") {
				heard <- e
			}
		})
		has(t, c.Invoke(`{"capability":"session.get"}`), `"success"`)
		if person != "" {
			has(t, call(t, c, "session.signIn", desktest.SignIn(person)), `"success"`)
		}
		return heard
	}
	nobody, june := at("Stockroom", ""), at("Counter", "june_park")
	desktest.Must(t, s.owner, bus.CallerTest, "customer.create", `{"name":"Somebody New"}`, nil)
	select {
	case <-june:
	case <-time.After(30 * time.Second):
		t.Fatal("who may see customers is not told of one")
	}
	select {
	case e := <-nobody:
		t.Errorf("nobody is signed in, and the till is told %s", e)
	case <-time.After(500 * time.Millisecond):
	}
}

// TestTheClockOfATillDoesNotCount: where the clocks of till and host are more than a year apart, a till joins and sells,
// and the record has the time of the host.
//
// holds: R7
func TestTheClockOfATillDoesNotCount(t *testing.T) {
	for _, late := range []time.Duration{400 * 24 * time.Hour, -400 * 24 * time.Hour} {
		s := open(t)
		s.late.Store(int64(late))
		c := s.window(s.joined("Stockroom").Dial)
		has(t, call(t, c, "session.signIn", desktest.SignIn("june_park")), `"success"`)
		has(t, call(t, c, "cart.addItem", fmt.Sprintf(`{"productId":%q,"quantity":1}`, desktest.Guji(t, s.owner))),
			`"success"`)
		page, err := s.owner.Log.Search(t.Context(), audit.Query{Capability: "cart.addItem", Limit: 1})
		if err != nil || len(page.Records) != 1 {
			t.Fatal(page.Records, err)
		}
		if off := s.clock().Sub(time.UnixMilli(page.Records[0].Time)); off.Abs() > time.Hour {
			t.Errorf("the record is %v from the time of the host", off)
		}
	}
}
