package window

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/internal/host"
	"github.com/deskhand/deskhand/internal/till"
	"github.com/deskhand/deskhand/internal/tills"
)

// memory keeps secrets as long as the test.
type memory struct {
	mu   sync.Mutex
	kept map[string]string
}

func (m *memory) Find(_ context.Context, name string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept[name], nil
}

func (m *memory) Keep(_ context.Context, name, secret string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		m.kept = map[string]string{}
	}
	m.kept[name] = secret
	return nil
}

func (m *memory) Lasting() bool { return true }

// joiner is a window on a folder, as its page sees it.
type joiner struct {
	*sides
	t     *testing.T
	anew  chan struct{} // has one for each time that the page was told to load
	asked int
	joins int
}

func openJoiner(t *testing.T) *joiner {
	t.Helper()
	folder := t.TempDir()
	j := &joiner{t: t, anew: make(chan struct{}, 10), sides: &sides{ctx: t.Context(), folder: folder, secrets: &memory{}}}
	j.open = func(o desk.Options) (*desk.Desk, error) { return desk.Open(t.Context(), o) }
	if err := j.begin(); err != nil {
		t.Fatal(err)
	}
	j.connect(channel{emit: func(_ string, payload any) {
		if raw, err := json.Marshal(payload); err == nil && strings.Contains(string(raw), `"domain":"desk"`) {
			j.anew <- struct{}{}
		}
	}})
	t.Cleanup(j.close)
	return j
}

func (j *joiner) call(capability, args string) string {
	j.t.Helper()
	j.asked++
	return j.Invoke(fmt.Sprintf(`{"capability":%q,"arguments":%s,"request_id":"r%d"}`, capability, args, j.asked))
}

func (j *joiner) mayJoin() bool {
	j.t.Helper()
	var m bus.Manifest
	if err := json.Unmarshal([]byte(j.Manifest("{}")), &m); err != nil {
		j.t.Fatal(err)
	}
	for _, e := range m.Capabilities {
		if e.Name == "till.join" {
			return e.Available
		}
	}
	return false
}

// join joins by a code, under a name of its own. Once the host lists the window as one that asks, before is called, and
// the owner lets the window in, or not.
func (j *joiner) join(s *shop, code, does string, before func()) string {
	j.t.Helper()
	j.joins++
	answer := make(chan string, 1)
	in := fmt.Sprintf(`{"code":%q,"name":%q}`, code, j.name())
	go func() { answer <- j.Invoke(`{"capability":"till.join","request_id":"join","arguments":` + in + `}`) }()
	key := s.asking(j.name())
	for ; key == ""; key = s.asking(j.name()) {
		select {
		case a := <-answer: // the host refused the code
			return a
		case <-time.After(5 * time.Millisecond):
		}
	}
	has(j.t, j.call("till.joining", `{}`), key)
	before()
	desktest.Must(j.t, s.owner, bus.CallerCLI, does, fmt.Sprintf(`{"till":%q}`, key), nil)
	return <-answer
}

// name is what the window is called in the newest call of join: a till that asked before keeps its key.
func (j *joiner) name() string { return fmt.Sprintf("Stockroom %d", j.joins) }

func (j *joiner) loadsAnew() {
	j.t.Helper()
	select {
	case <-j.anew:
	case <-time.After(20 * time.Second):
		j.t.Fatal("the page was not told to load anew")
	}
}

// shop is a shop that a host serves.
type shop struct {
	t      *testing.T
	folder string
	owner  *desk.Desk
	host   *host.Host
}

func openHost(t *testing.T) *shop {
	t.Helper()
	s := &shop{t: t, folder: desktest.StaffedShop(t)}
	s.owner = desktest.Open(t, desk.Options{Folder: s.folder, PIN: desktest.PIN})
	var err error
	s.host, err = host.Open(t.Context(), host.Options{Folder: s.folder, Listen: "127.0.0.1:0", Secrets: &memory{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.host.Close)
	return s
}

func (s *shop) code() string {
	var out struct{ Code string }
	desktest.Must(s.t, s.owner, bus.CallerCLI, "till.pair", `{}`, &out)
	return out.Code
}

// asking returns the key of the window of that name that asks to become a till; "": there is none.
func (s *shop) asking(name string) (key string) {
	var out struct{ Tills []tills.Till }
	desktest.Must(s.t, s.owner, bus.CallerCLI, "till.list", `{}`, &out)
	for _, one := range out.Tills {
		if one.Name == name && one.Asks {
			return one.ID
		}
	}
	return ""
}

func has(t *testing.T, answer string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(answer, part) {
			t.Errorf("answered %s, want %s", answer, part)
		}
	}
}

// TestAWindowJoinsAShopAndIsATill without being started again. What does not lead there leaves it as it was. A desk that
// the owner removed says so and joins again.
//
// holds: N3
func TestAWindowJoinsAShopAndIsATill(t *testing.T) {
	s, j := openHost(t), openJoiner(t)
	if !j.mayJoin() {
		t.Fatal("a folder without a shop offers no joining")
	}
	has(t, j.call("till.join", `{"code":"what the owner said","name":"Stockroom"}`), `"VALIDATION"`, `"/code"`)
	code := s.code()
	has(t, j.call("till.join", `{"code":"127.0.0.1:1`+code[strings.Index(code, "/"):]+`","name":"A"}`), "There is no host at")
	has(t, j.join(s, code[:strings.Index(code, "/")]+"/0000-0000/"+code[strings.LastIndex(code, "/")+1:], "", func() {}),
		"That code is not taken.")
	has(t, j.join(s, code, "till.remove", func() {}), "The owner did not let this desk in.")
	has(t, j.join(s, s.code(), "till.add", func() { j.Cancel(`{"request_id":"join"}`) }), `"status":"error"`)
	if _, err := os.Stat(filepath.Join(j.folder, "till.json")); err == nil || !j.mayJoin() {
		t.Fatal("what was refused made it a till")
	}

	pasted := "  deskhand join " + strings.ToLower(strings.ReplaceAll(s.code(), "-", " ")) + "\n"
	has(t, j.join(s, pasted, "till.add", func() {}), `"status":"success"`)
	j.loadsAnew()
	has(t, j.call("session.get", `{}`), "June Park")
	if j.mayJoin() {
		t.Error("a till offers to join")
	}

	var out struct{ Tills []tills.Till }
	desktest.Must(t, s.owner, bus.CallerCLI, "till.list", `{}`, &out)
	if len(out.Tills) != 1 || out.Tills[0].Name != j.name() {
		t.Errorf("the host has %v", out.Tills)
	}
	desktest.Must(t, s.owner, bus.CallerCLI, "till.remove", `{"till":"`+out.Tills[0].ID+`"}`, nil)
	j.loadsAnew()
	has(t, j.call("till.joining", `{}`), `"removed":"127.0.0.1:`, `"name":"`+j.name()+`"`)
	has(t, j.join(s, s.code(), "till.add", func() {}), `"status":"success"`)
	j.loadsAnew()
	has(t, j.call("session.get", `{}`), "June Park")
}

// TestASideMaySpeakWhileThePageIsConnected: its shop is opened at the same time. The race detector watches this test.
func TestASideMaySpeakWhileThePageIsConnected(t *testing.T) {
	s := &sides{ctx: t.Context(), folder: t.TempDir(), secrets: &memory{},
		open: func(desk.Options) (*desk.Desk, error) { return nil, errors.New("there is no shop") }}
	local, remote := s.here(nil), s.there(&till.Pairing{Address: "127.0.0.1:1"})
	for _, one := range []struct {
		side
		speak func()
	}{
		{local, func() { local.Emit("bus", nil) }},
		{remote, func() { remote.Emit("bus", nil) }},
	} {
		var speaking sync.WaitGroup
		speaking.Go(one.speak)
		heard := make(chan struct{}, 10)
		one.connect(channel{emit: func(string, any) { heard <- struct{}{} }})
		speaking.Wait()
		one.speak()
		<-heard
		one.close()
	}
}

// TestAFolderWithAShopJoinsNone: not at first, and not where another program made a shop while the window asked.
func TestAFolderWithAShopJoinsNone(t *testing.T) {
	s, j := openHost(t), openJoiner(t)
	setUp := func() { has(t, j.call("shop.setUp", `{"from":"empty"}`), `"status":"success"`) }
	has(t, j.join(s, s.code(), "till.add", setUp), "There is a shop here already.")
	if j.mayJoin() {
		t.Error("a folder with a shop offers to join another")
	}
	has(t, j.call("till.join", `{"code":"`+s.code()+`","name":"A"}`), "There is a shop here already.")
	if _, err := os.Stat(filepath.Join(j.folder, "till.json")); err == nil {
		t.Error("the folder is one of a till")
	}
}

// TestTheCodeIsInNoRecord nor in any other file of the two: its secret is masked as it was typed, right or wrong.
//
// holds: N3
func TestTheCodeIsInNoRecord(t *testing.T) {
	s, j := openHost(t), openJoiner(t)
	code := s.code()
	_, rest, _ := strings.Cut(code, "/")
	secret, _, _ := strings.Cut(rest, "/")
	has(t, j.call("till.join", `{"code":"`+secret+`","name":"Stockroom"}`), `"VALIDATION"`)
	has(t, j.join(s, code, "till.remove", func() {}), "The owner did not let this desk in.")
	j.close()
	read := 0
	for _, folder := range []string{s.folder, j.folder} {
		files, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			raw, err := os.ReadFile(filepath.Join(folder, f.Name()))
			if f.IsDir() {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(raw), "Stockroom") {
				read++ // what is told of the asking stands there
			}
			for _, form := range []string{secret, strings.ReplaceAll(secret, "-", "")} {
				if strings.Contains(string(raw), form) {
					t.Errorf("%s of %s has the secret %s", f.Name(), folder, form)
				}
			}
		}
	}
	if read < 2 {
		t.Errorf("the asking stands in %d files", read)
	}
}
