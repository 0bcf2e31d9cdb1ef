package builtin_test

import (
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// TestA3WhatIsStoredWasSaid: a stored text has every sign of the sentence and none of the words before it, also where
// the assistant knows no word of the domain.
//
// holds: A3
func TestA3WhatIsStoredWasSaid(t *testing.T) {
	tools := []model.Tool{
		tool("slot_open", bus.UIOnly, agenttest.Object("doctor time", `"doctor":{"type":"string"},"time":{"type":"string"}`),
			"Open a slot", "open a slot of {doctor} at {time}", "open a slot with {doctor} at {time}"),
		tool("code_set", bus.UIOnly, agenttest.Object("code", `"code":{"type":"string"}`), "Set the code", "set the code to {code}"),
		tool("line_write", bus.UIOnly, agenttest.Object("text", `"text":{"type":"string","maxLength":900}`),
			"Write a line", "write a line: {text}", "write the line {text}"),
	}
	for said, want := range map[string]string{
		"open a slot of Sato at noon":         `slot_open {"doctor":"Sato","time":"noon"}`,
		"open a slot of Dr. Sato at 10:30":    `slot_open {"doctor":"Dr. Sato","time":"10:30"}`,
		"open a slot with de la Cruz at noon": `slot_open {"doctor":"de la Cruz","time":"noon"}`,
		"set the code to +49":                 `code_set {"code":"+49"}`,
		"set the code to #12":                 `code_set {"code":"#12"}`,
		"set the code to C++":                 `code_set {"code":"C++"}`,
		"set the code to +49.":                `code_set {"code":"+49"}`,
		`set the code to "+49"`:               `code_set {"code":"+49"}`,
		`write a line: a "blue" box`:          `line_write {"text":"a \"blue\" box"}`,
		`write a line: call “Ana”`:            `line_write {"text":"call “Ana”"}`,
		`write a line: "all of it"`:           `line_write {"text":"all of it"}`,
		"write a line: (urgent) ring +49 171": `line_write {"text":"(urgent) ring +49 171"}`,
		"write a line: of course":             `line_write {"text":"of course"}`,
	} {
		if log := (stage{tools: tools, said: []string{said}}).play(t); !strings.HasPrefix(log, want) {
			t.Errorf("%s:\n%s\nwant\n%s", said, log, want)
		}
	}
}

// crates returns tools that set the count and the price of crates. With forms it also returns form.fill.
func crates(forms bool) []model.Tool {
	list := []model.Tool{
		tool("crate_list", bus.Pure, agenttest.Object("", `"query":{"type":"string"}`), "List crates"),
		tool("crate_count", bus.UIOnly, agenttest.Object("crateId count",
			`"crateId":{"type":"string","x-entity":"crate"},"count":{"type":"integer"}`), "Count a crate",
			"make the {crateId} {count}", "set the {crateId} to {count}"),
		tool("crate_price", bus.UIOnly, agenttest.Object("crateId price", `"crateId":{"type":"string","x-entity":"crate"},
			"price":{"type":"object","x-money":true,"properties":{"amount":{"type":"integer"},"currency":{"type":"string"}}}`),
			"Price a crate", "set the price of {crateId} to {price}"),
		{Name: "suggest_next_steps", Capability: "suggest_next_steps"},
	}
	if forms {
		fill := tool("form_fill", bus.UIOnly, agenttest.Object("capability", `"capability":{"type":"string"},"arguments":{"type":"object"}`),
			"Fill in a form")
		fill.Capability = "form.fill"
		list = append(list, fill)
	}
	return list
}

// TestA3AValueInDoubtIsNotWritten: a sentence with two values for one field opens the form. Without a page the assistant
// asks for the right value. Each question names the action and all its values, also where yes is an answer to it.
//
// holds: A3
func TestA3AValueInDoubtIsNotWritten(t *testing.T) {
	results := map[string]string{"crate_list": `{"crates":[{"id":"cr_1","name":"red oak"},{"id":"cr_2","name":"old oak"},
		{"id":"cr_3","name":"pine"}]}`}
	for _, tt := range []struct {
		forms bool
		said  []string
		want  string // a part of the last line
		not   string // is nowhere
	}{
		{true, []string{"make the pine five instead of two"}, "is open", "crate_count {"},
		{true, []string{"make the pine five instead of two", "pine"}, "is open", "crate_count {"},
		{true, []string{"set the pine to 7 instead of 5"}, "is open", "suggest"},
		{true, []string{"set the pine to 7, ana@example.com"}, "is open", "crate_count {"},
		{true, []string{"set the price of the pine to 5 dollars instead of 6 dollars"}, "is open", "crate_price {"},
		{true, []string{"make the pine five dollars"}, "Do you mean this: Price a crate, crate pine, price five dollars?", "crate_price {"},
		{true, []string{"make the pine 12.50"}, "Count a crate, crate pine: How many?", "crate_count {"},
		{false, []string{"make the pine a dollar", "yes"}, `"price":{"amount":100,"currency":"USD"}`, "crate_count"},
		{true, []string{"set the pine to x2"}, `crate_count {"count":2,"crateId":"cr_3"}`, "form_fill"},
		{false, []string{"make the pine $5", "yes"}, `crate_price {"crateId":"cr_3","price":{"amount":500,"currency":"USD"}}`, "which"},
		{true, []string{"set the pine to 1.5"}, "Count a crate, crate pine: Only whole numbers can be used here.", "crate_count {"},
		{true, []string{"make the pine", "2.5"}, "Only whole numbers", "crate_count {"},
		{false, []string{"make the pine five instead of two", "pine", "five"}, `crate_count {"count":5,"crateId":"cr_3"}`, `"count":2`},
		{true, []string{"set the oak to five instead of two", "red oak", "1"}, "is open", "crate_count {"},
		{true, []string{"set the pine to 7"}, `crate_count {"count":7,"crateId":"cr_3"}`, "form_fill"},
		{true, []string{"set the oak to 7"}, "Count a crate, count 7: ", "crate_count {"},
		{true, []string{"set the oak to 7", "red oak"}, `crate_count {"count":7,"crateId":"cr_1"}`, "form_fill"},
	} {
		log := stage{tools: crates(tt.forms), results: results, said: tt.said}.play(t)
		if !strings.Contains(log, tt.want) || strings.Contains(log, tt.not) {
			t.Errorf("%q:\n%s", tt.said, log)
		}
	}
}

// parcels returns tools for parcels, which have a number and a person.
func parcels() []model.Tool {
	list := []model.Tool{
		tool("person_list", bus.Pure, agenttest.Object("", `"query":{"type":"string"}`), "List people"),
		tool("parcel_list", bus.Pure, agenttest.Object("", `"query":{"type":"string"}`), "List parcels"),
		tool("parcel_note", bus.UIOnly, agenttest.Object("parcelId text",
			`"parcelId":{"type":"string","x-entity":"parcel"},"text":{"type":"string","maxLength":900}`), "Note on a parcel",
			"note for {parcelId}: {text}"),
		tool("person_note", bus.UIOnly, agenttest.Object("personId text",
			`"personId":{"type":"string","x-entity":"person"},"text":{"type":"string","maxLength":900}`), "Note on a person",
			"note for {personId}: {text}"),
		tool("parcel_stop", bus.UIOnly, agenttest.Object("parcelId", `"parcelId":{"type":"string","x-entity":"parcel"}`),
			"Stop a parcel", "stop {parcelId}", "stop parcel {parcelId}"),
	}
	for i := range list {
		list[i].Sources["person"] = "person_list#/people"
	}
	return list
}

// TestA3ANameMeansWhoIsCalledSo: a name means the person. It means a record of the person only if the sentence says the
// kind of record. A person with exactly this name comes before persons with further names.
//
// holds: A3
func TestA3ANameMeansWhoIsCalledSo(t *testing.T) {
	parcel := func(id, owner, name string) string {
		return `{"id":"` + id + `","title":"` + id + ` · ` + name + `","person":{"id":"` + owner + `","name":"` + name + `"}}`
	}
	people := `{"people":[{"id":"pe_1","name":"Pixel"},{"id":"pe_2","name":"Pixel Smith"},{"id":"pe_3","name":"Ana Ruiz"},
		{"id":"pe_4","name":"Bo Li"},{"id":"pe_5","name":"Bo Chan"}]}`
	smiths := `{"parcels":[` + parcel("P1635784", "pe_2", "Pixel Smith") + `,` + parcel("P2000001", "pe_3", "Ana Ruiz") + `,` +
		parcel("P3000001", "pe_4", "Bo Li") + `]}`
	for _, tt := range []struct{ said, want string }{
		{"note for Ana: allergic to nuts", `person_note {"personId":"pe_3","text":"allergic to nuts"}`},
		{"note for Ana Ruiz: call back", `person_note {"personId":"pe_3","text":"call back"}`},
		{"note for P2000001: call back", `parcel_note {"parcelId":"P2000001","text":"call back"}`},
		{"stop Ana's parcel", `parcel_stop {"parcelId":"P2000001"}`},
		{"stop Ana", "Did you mean P2000001 · Ana Ruiz?"},
		{"stop Pixel's parcel", "There is no parcel called “Pixel's”."},
		{"stop Pixel Smith's parcel", `parcel_stop {"parcelId":"P1635784"}`},
		{"stop Bo's parcel", "Did you mean P3000001 · Bo Li?"},
		{"stop parcel 1635784", `parcel_stop {"parcelId":"P1635784"}`},
		{"stop parcel 1635785", "There is no parcel called “1635785”."},
	} {
		log := stage{tools: parcels(), results: map[string]string{"person_list": people, "parcel_list": smiths},
			said: []string{tt.said}}.play(t)
		if !strings.Contains(log, tt.want) {
			t.Errorf("%s:\n%s", tt.said, log)
		}
	}
}

// TestA3NothingSaidIsDropped: an action with a phone field takes a phone number behind a comma. An action without one is
// not invoked: it would drop the number.
//
// holds: A3
func TestA3NothingSaidIsDropped(t *testing.T) {
	const text = `"name":{"type":"string"},"email":{"type":"string"}`
	with := []model.Tool{tool("guest_add", bus.UIOnly, agenttest.Object("name", text+`,"phone":{"type":"string"}`), "Add a guest",
		"new guest {name}", "add a guest called {name}")}
	without := []model.Tool{tool("guest_add", bus.UIOnly, agenttest.Object("name", text), "Add a guest", "new guest {name}")}
	for _, tt := range []struct {
		tools      []model.Tool
		said, want string
	}{
		{with, "new guest Ana Diaz, 0171 2345678", `guest_add {"name":"Ana Diaz","phone":"0171 2345678"}`},
		{with, "new guest Ana Diaz, +49 171 2345678, ana@example.com",
			`guest_add {"email":"ana@example.com","name":"Ana Diaz","phone":"+49 171 2345678"}`},
		{with, "new guest Ana Diaz, ana@example.com", `guest_add {"email":"ana@example.com","name":"Ana Diaz"}`},
		{without, "new guest Ana Diaz, 0171 2345678", "I have not done anything"},
	} {
		if log := (stage{tools: tt.tools, said: []string{tt.said}}).play(t); !strings.Contains(log, tt.want) {
			t.Errorf("%s:\n%s", tt.said, log)
		}
	}
}
