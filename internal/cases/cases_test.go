package cases_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/cases"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

func stage(t *testing.T) *cases.Stage {
	t.Helper()
	s, err := cases.NewStage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestTheBuiltInAssistantDoesTheKeptCases: each sentence changes the rows that it changed when it was kept.
func TestTheBuiltInAssistantDoesTheKeptCases(t *testing.T) {
	files, err := filepath.Glob("testdata/cases/*.json")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d cases, %v", len(files), err)
	}
	s := stage(t)
	for _, file := range files {
		c, err := cases.Read(file)
		if err != nil {
			t.Error(err)
			continue
		}
		if r, err := s.Try(t.Context(), c, nil); err != nil || r.Outcome != cases.Right {
			t.Errorf("%s: %+v, %v", file, r, err)
		}
	}
}

// TestACaseTellsWrongFromNotUnderstood: other rows than the kept ones, and none.
func TestACaseTellsWrongFromNotUnderstood(t *testing.T) {
	s := stage(t)
	for said, want := range map[string]cases.Outcome{
		"add four bags of the Sidama to Avery Brook's cart": cases.Wrong,
		"colourless green ideas":                            cases.NotUnderstood,
	} {
		c, err := cases.Read("testdata/cases/add-to-cart.json")
		if err != nil {
			t.Fatal(err)
		}
		c.Said = said
		r, err := s.Try(t.Context(), c, nil)
		if err != nil || r.Outcome != want {
			t.Errorf("%q: %+v, %v", said, r, err)
		}
		if text := strings.Join(r.Differs, "\n"); want == cases.Wrong &&
			(!strings.Contains(text, "missing cart_lines: ") || !strings.Contains(text, "quantity=4")) {
			t.Errorf("it differs in %s", text)
		}
	}
}

// TestACaseOfAnOlderShopIsRight: its rows lack a column that the shop has got since.
func TestACaseOfAnOlderShopIsRight(t *testing.T) {
	s := stage(t)
	c, err := cases.Read("testdata/cases/submit.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range c.Calls[0].After {
		if e.Table == "orders" {
			delete(e.After, "fulfilment")
		}
	}
	if r, err := s.Try(t.Context(), c, nil); err != nil || r.Outcome != cases.Right {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestAKeptCaseHasNoPersonalValue: neither of the customers in its rows nor of those in its sentence, and it is right.
func TestAKeptCaseHasNoPersonalValue(t *testing.T) {
	s := stage(t)
	d := desktest.Sample(t, desk.Options{Allow: true})
	personal := strings.Fields("Zoë zoe Müller Mueller zm@forest.example 5559876 Hauptallee 80331 mara")
	made := desktest.Must(t, d, bus.CallerTest, "customer.create", `{"name":"Zoë Müller","email":"zm@forest.example",
		"phone":"+49 89 5559876","address":{"label":"Home","line1":"Hauptallee 7","city":"Munich","postalCode":"80331","country":"DE"}}`, nil)
	if !made.OK() {
		t.Fatal(made.Err)
	}
	for said, want := range map[string]string{
		"add two moka pots to Zoë Müller's cart":                       "cart.addItem",
		"new customer Jörg Käfer, jk@wood.example":                     "customer.create",
		"change the phone number of Zoë Müller to +49 30 5551234":      "customer.update",
		"note for customer Zoë Müller: \"asks for Zoë's usual grind\"": "customer.addNote",
	} {
		if err := d.Bridge.Send(t.Context(), agent.Turn{ConversationID: said, Text: said, Principal: d.Person},
			func(agent.Update) {}); err != nil {
			t.Fatal(err)
		}
		page, err := d.Log.Search(t.Context(), audit.Query{Capability: want, CallerType: bus.CallerAgent, Limit: 1})
		if err != nil || len(page.Records) != 1 {
			t.Errorf("%q: %d records of %s, %v", said, len(page.Records), want, err)
			continue
		}
		c, err := cases.Keep(t.Context(), d, page.Records[0].RequestID)
		if err != nil {
			t.Errorf("%q: %v", said, err)
			continue
		}
		raw, _ := json.Marshal(c)
		for _, value := range append(personal, "Jörg", "Kafer", "jk@wood", "5551234", "cus_2011") {
			if bytes.Contains(bytes.ToLower(raw), []byte(strings.ToLower(value))) {
				t.Errorf("%q: the case has %q", said, value)
			}
		}
		if r, err := s.Try(t.Context(), c, nil); err != nil || r.Outcome != cases.Right {
			t.Errorf("%q is kept as %q: %+v, %v", said, c.Said, r, err)
		}
	}
	if _, err := cases.Keep(t.Context(), d, made.RequestID); err == nil || !strings.Contains(err.Error(), "no assistant") {
		t.Errorf("a person's own call is kept: %v", err)
	}
	if _, err := cases.Keep(t.Context(), d, "req_none"); err == nil || !strings.Contains(err.Error(), "audit tail") {
		t.Errorf("a request that is not there: %v", err)
	}
}

// TestAFileThatIsNoCaseIsRefused: with its name, and a way out.
func TestAFileThatIsNoCaseIsRefused(t *testing.T) {
	right, err := os.ReadFile("testdata/cases/add-to-cart.json")
	if err != nil {
		t.Fatal(err)
	}
	with := func(from, to string) []byte { return bytes.Replace(right, []byte(from), []byte(to), 1) }
	for name, tt := range map[string]struct {
		content []byte
		want    string
	}{
		"empty":        {nil, "no case"},
		"large":        {bytes.Repeat([]byte(" "), cases.MaxSize+1), "at most"},
		"deep":         {with(`"at": `, `"before": `+strings.Repeat("[", 200_000)+` , "at": `), "no case"},
		"text":         {[]byte("hello"), "no case"},
		"later":        {with(`"version": 1`, `"version": 2`), "version 2"},
		"more":         {append(bytes.Clone(right), "{}"...), "more after"},
		"other key":    {with(`"version": 1`, `"version": 1, "run": "rm"`), "unknown field"},
		"a door":       {with(`"before": {`, `"before": {"webhooks": [],`), "webhooks"},
		"of the log":   {with(`"before": {`, `"before": {"audit_records": [],`), "audit_records"},
		"nested value": {with(`"before": {`, `"before": {"carts": [{"id": {}}],`), "carts.id"},
		"no calls":     {[]byte(`{"format":"deskhand.case","version":1,"said":"x","at":1,"before":{"shop":[{}]},"calls":[]}`), "no calls"},
	} {
		file := filepath.Join(t.TempDir(), name+".json")
		if err := os.WriteFile(file, tt.content, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := cases.Read(file)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), file) ||
			!strings.Contains(err.Error(), "audit keep") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := cases.Read(t.TempDir()); err == nil {
		t.Error("a folder is a case")
	}
	s := stage(t)
	for _, row := range []string{`"carts": [{"id": "x", "no such": 1}]`, `"carts": [{"id\" , x": 1}]`, `"carts": [{"id": 1.5}]`,
		`"cart_lines": [{"cart_id": "none", "variant_id": "none", "position": 1, "quantity": 1}]`} {
		file := filepath.Join(t.TempDir(), "rows.json")
		if err := os.WriteFile(file, with(`"before": {`, `"before": {`+row+`,`), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := cases.Read(file)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := s.Try(t.Context(), c, nil); err == nil {
			t.Errorf("the shop takes %s", row)
		}
	}
}
