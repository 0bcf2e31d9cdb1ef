package builtin_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// stage is a conversation with a fresh built-in assistant whose tools give fixed results.
type stage struct {
	model   model.Model // nil: without words of a domain
	tools   []model.Tool
	results map[string]string // data by tool
	said    []string
	want    string // the last call, or a part of the last text
}

func tool(name string, effect bus.SideEffect, input json.RawMessage, phrases ...string) model.Tool {
	return model.Tool{Name: name, Capability: name, Title: phrases[0], SideEffect: effect, Input: input, Phrases: phrases[1:],
		Sources: map[string]string{"crate": "crate_list#/crates", "parcel": "parcel_list#/parcels", "bean": "bean_list#/beans",
			"room": "room_list#/rooms"}}
}

// play runs the sentences in order and returns the calls and texts.
func (s stage) play(t *testing.T) string {
	log, _ := s.playWithChoices(t)
	return log
}

// playWithChoices is play with the titles of the offered options.
func (s stage) playWithChoices(t *testing.T) (_ string, offered []string) {
	t.Helper()
	m := s.model
	if m == nil {
		m = builtin.New(nil, nil, nil)
	}
	var list []model.Message
	var log []string
	for _, text := range s.said {
		list = append(list, model.Message{Role: model.RoleUser, Text: text})
		for range 9 {
			reply, err := m.Stream(t.Context(), model.Request{Messages: list, Tools: s.tools}, func(model.Delta) {})
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, model.Message{Role: model.RoleAssistant, Text: reply.Text, Calls: reply.Calls})
			if reply.Text != "" {
				log = append(log, reply.Text)
			}
			for _, choice := range reply.Choices {
				for _, o := range choice.Options {
					offered = append(offered, o.Title)
				}
			}
			if len(reply.Calls) == 0 {
				break
			}
			for _, c := range reply.Calls {
				log = append(log, fmt.Sprintf("%s %s", c.Tool, c.Arguments))
				data := s.results[c.Tool]
				if data == "" {
					data = "{}"
				}
				list = append(list, model.Message{Role: model.RoleTool, CallID: c.ID, Text: `{"status":"success","data":` + data + `}`})
			}
		}
	}
	return strings.Join(log, "\n"), offered
}

// TestA3SameWordsSameAnswer plays each conversation 200 times, always with a fresh
// assistant, and expects the same calls and texts every time.
// holds: A3
func TestA3SameWordsSameAnswer(t *testing.T) {
	things := agenttest.Object("", `"query":{"type":"string"}`)
	swap := `{"type":"array","items":{"type":"object","required":["outId","inId"],"properties":{` +
		`"outId":{"type":"string","x-entity":"crate"},"inId":{"type":"string","x-entity":"crate"}}}}`
	crates := tool("crate_list", bus.Pure, agenttest.Object("", ""), "List crates")
	for name, s := range map[string]stage{
		"a word that may be two of a command's own": {
			tools: []model.Tool{
				tool("lodger_debts", bus.Pure, agenttest.Object("", ""), "Debts", "lodger debts in the ledger"),
				tool("ledger_print", bus.Pure, agenttest.Object("", ""), "Print", "print the ledger"),
				tool("ledger_check", bus.Pure, agenttest.Object("", ""), "Check", "check the ledger"),
				tool("ledger_close", bus.Pure, agenttest.Object("", ""), "Close", "close the ledger"),
				tool("ledger_sum", bus.Pure, agenttest.Object("", ""), "Sum", "sum of the ledger"),
			},
			said: []string{"which lidger is it?"}, want: "I cannot answer that",
		},
		"two moments of each item": {
			tools: []model.Tool{
				tool("parcel_list", bus.Pure, agenttest.Object("", ""), "List parcels", "list parcels"),
				tool("parcel_open", bus.UIOnly, agenttest.Object("parcelId", `"parcelId":{"type":"string","x-entity":"parcel"}`), "Open parcel", "open parcel {parcelId}"),
			},
			results: map[string]string{"parcel_list": `{"parcels":[
				{"id":"par_1","name":"Red box","lostAt":1795000000000,"sentAt":1794000000000,"soldAt":1793000000000},
				{"id":"par_2","name":"Blue box","lostAt":1793000000000,"sentAt":1795000000000,"soldAt":1794000000000}]}`},
			said: []string{"list parcels", "open the last parcel"}, want: `parcel_open {"parcelId":"par_1"}`,
		},
		"two days of each item": {
			tools: []model.Tool{
				tool("parcel_list", bus.Pure, agenttest.Object("", ""), "List parcels", "list parcels"),
				tool("parcel_open", bus.UIOnly, agenttest.Object("parcelId", `"parcelId":{"type":"string","x-entity":"parcel"}`), "Open parcel", "open parcel {parcelId}"),
			},
			results: map[string]string{"parcel_list": `{"parcels":[
				{"id":"par_1","name":"Red box","lost":"2026-11-19","sent":"2026-10-18","sold":"2026-08-16"},
				{"id":"par_2","name":"Blue box","lost":"2026-08-16","sent":"2026-11-19","sold":"2026-10-18"}]}`},
			said: []string{"list parcels", "open the last parcel"}, want: `parcel_open {"parcelId":"par_1"}`,
		},
		"two things that two items may have in common": {
			tools: []model.Tool{crates,
				tool("crate_swap", bus.UIOnly, agenttest.Object("swaps", `"swaps":`+swap), "Swap crates", "swap {swaps}"),
			},
			results: map[string]string{"crate_list": `{"crates":[
				{"id":"cr_1","name":"oak","makerId":"mak_1","rowId":"row_1","shelfId":"she_1"},
				{"id":"cr_2","name":"pine","makerId":"mak_1","rowId":"row_2","shelfId":"she_2"},
				{"id":"cr_3","name":"pine","makerId":"mak_2","rowId":"row_1","shelfId":"she_1"}]}`},
			said: []string{"swap oak for pine"}, want: "Which swaps?",
		},
		"two lists that what is wanted instead may belong to": {
			tools: []model.Tool{crates,
				tool("crate_trade", bus.UIOnly, agenttest.Object("ours theirs", `"ours":`+swap+`,"theirs":`+swap), "Trade crates", "trade {ours} against {theirs}"),
			},
			results: map[string]string{"crate_list": `{"crates":[{"id":"cr_1","name":"oak"},{"id":"cr_2","name":"pine"},{"id":"cr_3","name":"teak"}]}`},
			said:    []string{"trade oak against pine for teak"}, want: "Which ours?",
		},
		"two numbers before a size": {
			tools: []model.Tool{
				tool("bean_list", bus.Pure, things, "List beans"),
				tool("bean_pack", bus.UIOnly, agenttest.Object("beanId", `"beanId":{"type":"string","x-entity":"bean"},"bags":{"type":"integer"},"boxes":{"type":"integer"}`),
					"Pack beans", "pack {bags} times {boxes} {beanId}"),
			},
			results: map[string]string{"bean_list": `{"beans":[{"id":"be_1","name":"Java 3 kg"},{"id":"be_2","name":"Java 2 kg"}]}`},
			said:    []string{"pack 2 times 3 kg java"}, want: "bean_pack {\"bags\":2,\"beanId\":\"be_1\"",
		},
	} {
		t.Run(name, func(t *testing.T) {
			first := s.play(t)
			if last := first[strings.LastIndexByte(first, '\n')+1:]; !strings.Contains(first, s.want) {
				t.Errorf("the last was %s\nof\n%s", last, first)
			}
			for n := range 200 {
				if again := s.play(t); again != first {
					t.Fatalf("run %d:\n%s\nfirst:\n%s", n+1, again, first)
				}
			}
		})
	}
}

// TestA3WhatIsNamedAlikeIsAskedInOneOrder: the same words give the same question each time.
// holds: A3
func TestA3WhatIsNamedAlikeIsAskedInOneOrder(t *testing.T) {
	input := agenttest.Object("roomId", `"roomId":{"type":"string","x-entity":"room"},"bedId":{"type":"string"}`)
	tools := []model.Tool{tool("room_list", bus.Pure, agenttest.Object("", ""), "List rooms"),
		tool("room_open", bus.UIOnly, input, "Open", "open room {roomId}")}
	rooms := `{"status":"success","data":{"rooms":[{"id":"ro_1","name":"Attic","windows":[{"id":"w_1","name":"red elm"}],
		"doors":[{"id":"d_1","name":"red oak"}],"beds":[{"id":"b_1","name":"red fir"}],"walls":[{"id":"l_1","name":"red ash"}]}]}}`
	var first []string
	for n := range 40 {
		list := []model.Message{{Role: model.RoleUser, Text: "open room attic red"}}
		var reply model.Reply
		for range 5 {
			var err error
			reply, err = builtin.New(nil, nil, nil).Stream(t.Context(), model.Request{Messages: list, Tools: tools},
				func(model.Delta) {})
			if err != nil {
				t.Fatal(err)
			}
			if len(reply.Calls) == 0 {
				break
			}
			list = append(list, model.Message{Role: model.RoleAssistant, Calls: reply.Calls})
			for _, c := range reply.Calls {
				list = append(list, model.Message{Role: model.RoleTool, CallID: c.ID, Text: rooms})
			}
		}
		said := []string{reply.Text}
		for _, c := range reply.Choices {
			for _, o := range c.Options {
				said = append(said, o.Title)
			}
		}
		if n == 0 {
			first = said
		}
		if len(said) < 5 || !slices.Equal(said, first) {
			t.Fatalf("asked %q, and before %q", said, first)
		}
	}
}

// TestA3ANumberIsReadAsTheLanguageWritesIt: the assistant reads separators of thousands. It asks about a number with
// two readings.
//
// holds: A3
func TestA3ANumberIsReadAsTheLanguageWritesIt(t *testing.T) {
	properties := `"roomId":{"type":"string","x-entity":"room"},"quantity":{"type":"integer","minimum":1,"maximum":999999}`
	s := stage{tools: []model.Tool{tool("room_list", bus.Pure, agenttest.Object("", ""), "List rooms"),
		tool("room_fill", bus.UIOnly, agenttest.Object("roomId quantity", properties), "Fill", "add {quantity} {roomId}",
			"fill {quantity} of {roomId}")},
		results: map[string]string{"room_list": `{"rooms":[{"id":"ro_1","name":"Attic"}]}`}}
	for said, want := range map[string]string{"add 1,000 attic": "1000", "add 2 attic": "2", "add 12,500 attic": "12500",
		"add 1,250 bags of attic": "1250", "add 100,000 attic": "100000", "fill 1'000 of attic": "1000",
		"add five attic": "5"} {
		s.said = []string{said}
		if log := s.play(t); !strings.Contains(log, `"quantity":`+want) {
			t.Errorf("%s:\n%s", said, log)
		}
	}
	for _, said := range []string{"add 1.234 attic", "add 12.500 bags of attic"} {
		s.said = []string{said}
		if log := s.play(t); strings.Contains(log, "room_fill") {
			t.Errorf("%s is done:\n%s", said, log)
		}
	}
}

// TestA3ACodeIsNamedInEachOfItsLengths: a code matches without its leading zeros, because scanners drop them.
//
// holds: A3
func TestA3ACodeIsNamedInEachOfItsLengths(t *testing.T) {
	s := stage{model: builtin.New(nil, nil, []string{"door"}), tools: []model.Tool{
		tool("room_list", bus.Pure, agenttest.Object("", ""), "List rooms"),
		tool("room_open", bus.UIOnly, agenttest.Object("roomId", `"roomId":{"type":"string","x-entity":"room"}`), "Open",
			"open room {roomId}")},
		results: map[string]string{"room_list": `{"rooms":[{"id":"ro_1","name":"Attic","door":"0036000291452"},
			{"id":"ro_2","name":"Cellar","door":"4006381333931"}]}`}}
	for said, is := range map[string]bool{"036000291452": true, "00036000291452": true, "0036000291452": true,
		"136000291452": false, "03600029145": false} {
		s.said = []string{"open room " + said}
		if log := s.play(t); strings.Contains(log, `room_open {"roomId":"ro_1"}`) != is {
			t.Errorf("%s:\n%s", said, log)
		}
	}
}
