package builtin_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// ofAShop matches words that only a shop has. The source of the assistant must not contain them: an application passes
// its words to New.
var ofAShop = regexp.MustCompile(`(?i)(^|[^a-z])(cart|basket|customer|sku|barcode|variant|stock)s?($|[^a-z])|[a-z](Cart|Basket|Customer|Sku|SKU|Variant)`)

// holds: A3
func TestA3NothingOfAShopIsBuiltIn(t *testing.T) {
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			said := ""
			switch x := n.(type) {
			case *ast.Ident:
				said = x.Name
			case *ast.BasicLit:
				said = x.Value
			}
			if word := ofAShop.FindString(said); word != "" {
				t.Errorf("%s has %q: it belongs to an application", set.Position(n.Pos()), word)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// holds: A3
func TestA3WordsOfADomainAreGiven(t *testing.T) {
	list := tool("room_list", bus.Pure, agenttest.Object("", ""), "List rooms")
	open := tool("room_open", bus.UIOnly, agenttest.Object("roomId", `"roomId":{"type":"string","x-entity":"room"}`), "Open", "open room {roomId}")
	s := stage{tools: []model.Tool{list, open}, results: map[string]string{"room_list": `{"rooms":[
		{"id":"ro_1","name":"Attic","door":"red"},{"id":"ro_2","name":"Cellar","door":"blue"}]}`}}
	const done = `room_open {"roomId":"ro_1"}`
	for _, said := range []string{"open room attic", "open chamber attic", "open rm attic", "the guest wants to open room attic", "open room red"} {
		s.said = []string{said}
		s.model = builtin.New(map[string][]string{"room": {"chamber", "rm"}}, []string{"guest"}, []string{"door"})
		if log := s.play(t); !strings.Contains(log, done) {
			t.Errorf("%s:\n%s", said, log)
		}
	}
	s.model = builtin.New(nil, nil, nil)
	for _, said := range []string{"open chamber attic", "open room red"} {
		s.said = []string{said}
		if log := s.play(t); strings.Contains(log, done) {
			t.Errorf("%s is understood without being given:\n%s", said, log)
		}
	}
}
