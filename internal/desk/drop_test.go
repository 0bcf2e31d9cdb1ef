package desk_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/files"
)

const droppedPeople = "First Name,Last Name,Email\nKim,Dropped,kim@example.org\n"

// dropped is the answer of DropFile.
type dropped struct {
	File, Name, Kind string
	Size             int
	Error            *struct{ Code, Message string }
}

func (a *testApp) drop(t *testing.T, name, content string) (d dropped) {
	t.Helper()
	in, err := json.Marshal(map[string]any{"name": name, "content": []byte(content)})
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(a.DropFile(string(in))), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// ask invokes a capability of a file through the window's door.
func (a *testApp) ask(t *testing.T, capability, file, more string) (r bus.Result) {
	t.Helper()
	named, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	in := fmt.Sprintf(`{"capability":%q,"arguments":{"file":%s%s},"caller":{"type":"ui","source":"test"}}`, capability,
		named, more)
	if err := json.Unmarshal([]byte(a.Invoke(in)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestADropIsItsContentAndNoPath: no name given by the page reads a file of the disk; a dropped file is imported like
// a picked one.
func TestADropIsItsContentAndNoPath(t *testing.T) {
	a := newTestApp(t)
	secret := filepath.Join(t.TempDir(), "secret.csv")
	if err := os.WriteFile(secret, []byte("First Name,Last Name,Email\nOn,Disk,disk@example.org\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const people = `,"kind":"customers"`
	for _, said := range []string{secret, "../../" + secret, "file://" + secret, `C:\Users\kim\secret.csv`,
		"\u202esecret\n.csv"} {
		d := a.drop(t, said, droppedPeople)
		if d.Error != nil || d.Name != "secret.csv" || d.Kind != "customers" || d.Size != len(droppedPeople) {
			t.Fatalf("%q: %+v", said, d)
		}
		r := a.ask(t, "shop.importCSV", d.File, people+`,"dryRun":true`)
		if !r.OK() || !strings.Contains(string(r.Data), "Kim Dropped") ||
			!strings.Contains(string(r.Data), `"file":"secret.csv"`) {
			t.Fatalf("%q: %v %s", said, r.Err, r.Data)
		}
		if r := a.ask(t, "shop.importCSV", said, people); r.Err == nil || r.Err.Code != bus.Validation {
			t.Errorf("the path %q was taken: %+v", said, r)
		}
		for _, other := range []string{"shop.restore", "shop.backup"} {
			if r := a.ask(t, other, d.File, ""); r.Err == nil || r.Err.Code != bus.Validation {
				t.Errorf("%s of a dropped file: %+v", other, r)
			}
		}
	}
	d := a.drop(t, "people.csv", droppedPeople)
	if r := a.ask(t, "shop.importCSV", d.File, people); !r.OK() ||
		!strings.Contains(string(r.Data), `"customersCreated":1`) {
		t.Errorf("%v %s", r.Err, r.Data)
	}
}

func TestAFewDropsAreKept(t *testing.T) {
	a := newTestApp(t)
	var tokens []string
	for n := range files.KeptDrops + 1 {
		tokens = append(tokens, a.drop(t, fmt.Sprintf("%d.csv", n), droppedPeople).File)
	}
	for n, token := range tokens {
		r := a.ask(t, "shop.importCSV", token, `,"kind":"customers","dryRun":true`)
		if r.OK() != (n > 0) {
			t.Errorf("the drop %d of %d: %v", n, len(tokens), r.Err)
		}
	}
	for name, tc := range map[string]struct{ file, content, says string }{
		"no CSV": {"people.xlsx", "PK",
			"Only a CSV file can be dropped here: an export of products, customers or orders."},
		"no name":   {"", droppedPeople, "Only a CSV file can be dropped here: an export of products, customers or orders."},
		"too large": {"people.csv", strings.Repeat("x", files.MaxDropped+1), "people.csv is larger than 16 MB."},
	} {
		d := a.drop(t, tc.file, tc.content)
		if got := d.Error; got == nil || got.Message != tc.says || d.File != "" {
			t.Errorf("%s: %+v %+v", name, d, got)
		}
	}
	if d := a.drop(t, strings.Repeat("ä", 300)+".csv", droppedPeople); len([]rune(d.Name)) != 120 ||
		!strings.HasSuffix(d.Name, "ä.csv") {
		t.Errorf("%+v", d)
	}
	a.desk.SignOut(a.desk.Person.ID)
	if d := a.drop(t, "people.csv", droppedPeople); d.Error == nil || d.Error.Code != string(bus.Forbidden) {
		t.Errorf("with nobody signed in: %+v", d)
	}
}

// TestThePageKnowsHowLargeADropMayBe: it reads nothing that would be refused.
func TestThePageKnowsHowLargeADropMayBe(t *testing.T) {
	code, err := os.ReadFile("../../frontend/src/bridge/droppedFile.ts")
	if err != nil {
		t.Fatal(err)
	}
	if m := regexp.MustCompile(`MAX_DROPPED_MB = (\d+);`).FindSubmatch(code); m == nil ||
		string(m[1]) != fmt.Sprint(files.MaxDropped>>20) {
		t.Errorf("the page says %s, it is %d MB", m, files.MaxDropped>>20)
	}
}
