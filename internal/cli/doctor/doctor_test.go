package doctor

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/openai"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/internal/keychain"
	"github.com/zalando/go-keyring"
)

// healthy is a doctor at a machine that has everything, and at a sample shop.
func healthy(t *testing.T) *doctor {
	t.Helper()
	keyring.MockInit()
	t.Cleanup(func() { keyring.MockInitWithError(keyring.ErrUnsupportedPlatform) })
	folder := desktest.Copy(t)
	d := &doctor{ctx: t.Context(), Options: Options{Folder: folder, Out: &bytes.Buffer{}},
		system: "linux", window: true, now: time.Now,
		getenv:   func(name string) string { return map[string]string{"DISPLAY": ":0"}[name] },
		free:     func(string) (uint64, error) { return 1 << 40, nil },
		library:  func(string) bool { return true },
		keychain: func() error { return nil },
		keys:     keychain.New(folder),
	}
	d.Open = func() (*desk.Desk, error) {
		return desk.Open(t.Context(), desk.Options{Folder: d.Folder, Door: "cli", Heads: keychain.Heads(d.Folder)})
	}
	return d
}

func (d *doctor) says(t *testing.T, name string) check {
	t.Helper()
	var found check
	for _, c := range d.checks() {
		if c.Name == name && (found.Name == "" || !c.OK) {
			found = c
		}
	}
	if found.Name == "" {
		t.Fatalf("nothing is said of %s", name)
	}
	return found
}

func TestTheDoctorIsContentWithASoundShop(t *testing.T) {
	d := healthy(t)
	made, err := d.Open()
	if err != nil {
		t.Fatal(err)
	}
	if r, err := made.Invoke(t.Context(), "shop.backup", struct{}{}, "b"); err != nil || !r.OK() {
		t.Fatal(r, err)
	}
	if err := made.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range d.checks() {
		if !c.OK || c.Mend != "" || c.Says == "" {
			t.Errorf("%+v", c)
		}
	}
}

func TestTheDoctorFindsWhatIsWrongAndHowToMendIt(t *testing.T) {
	for name, wrong := range map[string]struct {
		check, says, mend string
		note              bool
		make              func(t *testing.T, d *doctor)
	}{
		"no folder": {"data folder", "is not there", "deskhand init", false, func(_ *testing.T, d *doctor) {
			d.Folder = filepath.Join(d.Folder, "none")
		}},
		"a folder for everyone": {"data folder", "other users may write in", "chmod 700", false,
			func(t *testing.T, d *doctor) {
				if err := os.Chmod(d.Folder, 0o777); err != nil {
					t.Fatal(err)
				}
			}},
		"no shop": {"shop", "none in the data folder", "deskhand init", false,
			func(t *testing.T, d *doctor) { d.Folder = t.TempDir() }},
		"a full disk": {"disk", "only 3 MB free", "make room", false, func(_ *testing.T, d *doctor) {
			d.free = func(string) (uint64, error) { return 3 << 20, nil }
		}},
		"a disk that does not say": {"disk", "cannot be found out", "", true, func(_ *testing.T, d *doctor) {
			d.free = func(string) (uint64, error) { return 0, errors.New("no answer") }
		}},
		"no WebKit": {"window", "libwebkit2gtk-4.1.so.0 is missing", "apt install", true, func(_ *testing.T, d *doctor) {
			d.window, d.library = false, func(name string) bool { return !strings.Contains(name, "webkit") }
		}},
		"no display": {"window", "no display", "DISPLAY", true,
			func(_ *testing.T, d *doctor) { d.getenv = func(string) string { return "" } }},
		"no keychain": {"keychain", "not reachable", "gnome-keyring", true, func(_ *testing.T, d *doctor) {
			d.keychain = func() error { return keyring.ErrUnsupportedPlatform }
		}},
		"a damaged file": {"shop", "damaged", "look for one on another disk", false, func(t *testing.T, d *doctor) {
			for _, name := range []string{desk.DatabaseName + "-wal", desk.DatabaseName + "-shm"} {
				if err := os.Remove(filepath.Join(d.Folder, name)); err != nil && !os.IsNotExist(err) {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(d.Folder, desk.DatabaseName), bytes.Repeat([]byte("no database "), 1000),
				0o600); err != nil {
				t.Fatal(err)
			}
		}},
		"a lock": {"lock", "another program holds it locked", "end what has it open", false, lockIt},
		"a clock that is behind": {"clock", "the newest record of the log is 3h0m0s ahead", "timedatectl", false,
			func(_ *testing.T, d *doctor) {
				made, err := d.Open()
				if err != nil {
					t.Fatal(err)
				}
				page, err := made.Log.Search(t.Context(), audit.Query{Limit: 1})
				if err != nil || len(page.Records) == 0 {
					t.Fatal(page, err)
				}
				newest := time.UnixMilli(page.Records[0].Time)
				if err := made.Close(); err != nil {
					t.Fatal(err)
				}
				d.now = func() time.Time { return newest.Add(-3 * time.Hour) }
			}},
		"no copy":     {"copies", "has no copy", "shop.backup", true, func(*testing.T, *doctor) {}},
		"an old copy": {"copies", "the newest is 40 days old", "shop.backup", true, oldCopy},
		"a head that is not in the log": {"audit log", "but on", "shop.restore", false, func(t *testing.T, d *doctor) {
			heads := keychain.Heads(d.Folder)
			if err := heads.Save(audit.Head{Stream: "main", Seq: 1 << 40, Hash: strings.Repeat("00", 32), Time: 1}); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			d := healthy(t)
			wrong.make(t, d)
			c := d.says(t, wrong.check)
			if c.OK || c.Note != wrong.note || !strings.Contains(c.Says, wrong.says) || !strings.Contains(c.Mend, wrong.mend) {
				t.Errorf("%+v, want %q and %q", c, wrong.says, wrong.mend)
			}
		})
	}
}

// lockIt holds the write lock as another program would.
func lockIt(t *testing.T, d *doctor) {
	db, err := sql.Open("sqlite", filepath.Join(d.Folder, desk.DatabaseName))
	if err != nil {
		t.Fatal(err)
	}
	other, err := db.Conn(t.Context())
	if err == nil {
		_, err = other.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = errors.Join(other.Close(), db.Close()) })
}

func oldCopy(t *testing.T, d *doctor) {
	old := filepath.Join(d.Folder, "backups", "shop-20260101-000000.db")
	then := d.now().Add(-40*24*time.Hour - time.Hour)
	if err := errors.Join(os.MkdirAll(filepath.Dir(old), 0o700), os.WriteFile(old, nil, 0o600),
		os.Chtimes(old, then, then)); err != nil {
		t.Fatal(err)
	}
}

func TestTheDoctorAsksTheEndpointOfTheSettings(t *testing.T) {
	refused := httptest.NewServer(nil)
	refused.Close()
	clock := time.Now()
	for name, at := range map[string]struct {
		answer      http.HandlerFunc // nil: nobody is there
		check, says string
	}{
		"nobody there": {nil, "model", "nothing answers"},
		"a key that is refused": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":{"message":"bad key"}}`, http.StatusUnauthorized)
		}, "model", "key"},
		"no tools": {says(`{"role":"assistant","content":"Sunny."}`), "model", "did not call a tool"},
		"another clock": {func(w http.ResponseWriter, req *http.Request) {
			w.Header().Set("Date", clock.Add(time.Hour).UTC().Format(http.TimeFormat))
			says(`{"role":"assistant","content":"Sunny."}`)(w, req)
		}, "clock", "ahead of this clock"},
	} {
		t.Run(name, func(t *testing.T) {
			server := refused
			if at.answer != nil {
				server = httptest.NewServer(at.answer)
				defer server.Close()
			}
			d := healthy(t)
			d.now = func() time.Time { return clock }
			d.ask = func(ctx context.Context, o openai.Options) model.Report {
				return openai.Probe(ctx, o, nil, nil)
			}
			made, err := d.Open()
			if err != nil {
				t.Fatal(err)
			}
			r, err := made.Invoke(t.Context(), "settings.set",
				json.RawMessage(`{"section":"model","values":{"endpoint":"`+server.URL+`/v1","model":"m"}}`), "s")
			if err != nil || !r.OK() {
				t.Fatal(r.Err, err)
			}
			if err := made.Close(); err != nil {
				t.Fatal(err)
			}
			c := d.says(t, at.check)
			if c.OK || !c.Note || c.Mend == "" || !strings.Contains(strings.ToLower(c.Says), at.says) {
				t.Errorf("%+v, want %q", c, at.says)
			}
			d.ask = nil
			if c := d.says(t, "model"); !c.OK || !strings.Contains(c.Says, "not asked") {
				t.Errorf("offline: %+v", c)
			}
		})
	}
}

// says is an endpoint that says this and no more.
func says(message string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"choices":[{"index":0,"message":` + message + `,"finish_reason":"stop"}]}`))
	}
}

// TestTheDoctorListsTheModelsOnThisComputer, and says so when there are none.
func TestTheDoctorListsTheModelsOnThisComputer(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"object":"list","data":[{"id":"qwen3:8b"},{"id":"nomic-embed-text"}]}`))
	}))
	defer server.Close()
	d := healthy(t)
	at := []model.LocalEndpoint{{Name: "Ollama", Endpoint: server.URL + "/v1"},
		{Name: "Nobody", Endpoint: "http://127.0.0.1:1/v1"}, {Name: "Far", Endpoint: "https://models.example.com/v1"}}
	d.local = func(ctx context.Context) []model.LocalEndpoint { return openai.Local(ctx, at) }
	if c, want := d.says(t, "local models"), "Ollama at "+server.URL+"/v1 has qwen3:8b"; !c.OK || c.Says != want {
		t.Errorf("%+v, want %s", c, want)
	}
	at = nil
	if c := d.says(t, "local models"); !c.OK || !strings.Contains(c.Says, "no server") {
		t.Errorf("%+v", c)
	}
}

func TestTheDoctorFailsOnlyForWhatIsNeeded(t *testing.T) {
	for name, c := range map[string]struct {
		check
		code string
		fail bool
	}{
		"ok":     {check{Name: "x", OK: true}, "ok  ", false},
		"a note": {check{Name: "x", Note: true, Mend: "y"}, "note", false},
		"a lack": {check{Name: "x", Mend: "y"}, "MISS", true},
	} {
		var out bytes.Buffer
		ok, err := (&doctor{Options: Options{Out: &out}}).report([]check{c.check})
		failed := !ok || err != nil
		if failed != c.fail || !strings.HasPrefix(out.String(), c.code) {
			t.Errorf("%s: failed %v, %s", name, failed, &out)
		}
		out.Reset()
		ok, err = (&doctor{Options: Options{Out: &out, JSON: true}}).report([]check{c.check})
		failed = !ok || err != nil
		var list []check
		if err := json.Unmarshal(out.Bytes(), &list); err != nil || failed != c.fail || len(list) != 1 || list[0] != c.check {
			t.Errorf("%s as JSON: failed %v, %s, %v", name, failed, &out, err)
		}
	}
}
