package builtin_test

import (
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// holds: A3
func TestA3ASentenceAfterAnotherOne(t *testing.T) {
	crates := tool("crate_list", bus.Pure, agenttest.Object("", `"query":{"type":"string"}`), "Crates", "find {query}")
	const crate = `"crateId":{"type":"string","x-entity":"crate"},`
	load := tool("crate_load", bus.UIOnly, agenttest.Object("crateId count", crate+`
		"count":{"type":"integer","minimum":1},"roomId":{"type":"string","x-entity":"room"},
		"way":{"type":"string","enum":["ship","rail"]}`),
		"Load", "load {count} {crateId}", "load {count} {crateId} into {roomId}", "another {count}", "the same into {roomId}",
		"{way=rail} rush {count} {crateId}")
	rooms := tool("room_list", bus.Pure, agenttest.Object("", ""), "Rooms")
	scrap := tool("crate_scrap", bus.UIOnly, agenttest.Object("crateId burn", crate+`
		"why":{"type":"string","enum":["rotten","old"],"x-said":"mouldy:rotten"},
		"burn":{"type":"boolean","x-said":"mouldy:true|old:false"}`),
		"Scrap", "scrap {crateId}", "scrap {crateId}, {why}", "scrap {crateId}, {burn}")
	list := `{"crates":[{"id":"cr_1","name":"oak"},{"id":"cr_2","name":"pine"}]}`
	for name, s := range map[string]stage{
		"one more":          {said: []string{"load 3 pine", "another one"}, want: `crate_load {"count":1,"crateId":"cr_2"}`},
		"the same":          {said: []string{"load 3 pine", "the same into the attic"}, want: `crate_load {"count":3,"crateId":"cr_2","roomId":"ro_1"}`},
		"nothing before":    {said: []string{"another one"}, want: "Which crate?"},
		"taken back":        {said: []string{"load 3 pine", "no, scrap it, old"}, want: `crate_scrap {"burn":false,"crateId":"cr_2","why":"old"}`},
		"a word for two":    {said: []string{"scrap oak, it is mouldy"}, want: `crate_scrap {"burn":true,"crateId":"cr_1","why":"rotten"}`},
		"an implied value":  {said: []string{"rush 2 oak"}, want: `crate_load {"count":2,"crateId":"cr_1","way":"rail"}`},
		"nothing is called": {said: []string{"find oaken planks"}, want: `crate_list {"query":"oaken plank"}`},
	} {
		t.Run(name, func(t *testing.T) {
			s.tools = []model.Tool{crates, load, rooms, scrap}
			s.results = map[string]string{"crate_list": list, "room_list": `{"rooms":[{"id":"ro_1","name":"attic"}]}`}
			if name == "nothing is called" {
				s.results["crate_list"] = `{"crates":[]}`
			}
			if log := s.play(t); !strings.Contains(log, s.want) {
				t.Errorf("lacks %s:\n%s", s.want, log)
			}
		})
	}
}

// holds: A3
func TestA3HelpBeginsWithTheUsual(t *testing.T) {
	rare := tool("crate_burn", bus.UIOnly, agenttest.Object("", ""), "Burn", "burn it")
	often := tool("crate_open", bus.UIOnly, agenttest.Object("", ""), "Open", "open it")
	often.Usual = 1
	for said, want := range map[string]string{"help": "- Open: “open it”\n- Burn", "Hilfe": "- Öffnen: “mach auf”"} {
		s := stage{model: builtin.New(nil, nil, nil, "language: de\ncrate_open: Öffnen\n- mach auf"),
			tools: []model.Tool{rare, often}, said: []string{said}}
		if log := s.play(t); !strings.Contains(log, want) || strings.HasPrefix(log, "I am") {
			t.Errorf("%s:\n%s", said, log)
		}
	}
}
