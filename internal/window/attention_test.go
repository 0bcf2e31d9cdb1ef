package window

import (
	"fmt"
	"slices"
	"testing"

	"github.com/deskhand/deskhand/agent/policy"
)

func TestACardThatWaitsIsToldOfWhenTheWindowIsBehind(t *testing.T) {
	var said []string
	note := func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	behind, german, muted := false, false, false
	a := newAttention(desktop{title: func(text string) { note("title %s", text) }, behind: func() bool { return behind },
		urge: func(on bool) { note("urgent %t", on) }, german: func() bool { return german }, muted: func() bool { return muted },
		notify: func(id, what, more string) { note("%s: %s, %s", id, what, more) }, withdraw: func(id string) { note("no %s", id) }})
	event := func(kind, id string) {
		a.follow(policy.CardEvent{Type: kind, Card: policy.Card{ApprovalID: id, Title: "Cancel an order",
			Sentence: "Cancel the order of Ana Ruiz", Arguments: []policy.CardArgument{{Text: "Ana Ruiz"}}}})
	}
	for _, c := range []struct {
		behind, german bool
		kind, id       string
		said           []string
	}{
		{false, false, policy.CardOpened, "a", []string{"title (1) Deskhand"}},
		{true, false, policy.CardOpened, "a", nil}, // sent again to a page that was loaded again
		{true, false, policy.CardOpened, "b", []string{"urgent true", "b: Waiting for your answer, Cancel an order",
			"title (2) Deskhand"}},
		{true, true, policy.CardOpened, "c", []string{"urgent true", "c: Wartet auf Ihre Antwort, ", "title (3) Deskhand"}},
		{true, false, policy.CardClosed, "b", []string{"no b", "title (2) Deskhand"}},
		{true, false, policy.CardClosed, "b", nil},
		{true, false, policy.CardClosed, "unknown", nil},
		{true, false, policy.CardClosed, "a", []string{"no a", "title (1) Deskhand"}},
		{true, false, policy.CardClosed, "c", []string{"no c", "title Deskhand", "urgent false"}},
	} {
		said, behind, german = nil, c.behind, c.german
		if event(c.kind, c.id); !slices.Equal(said, c.said) {
			t.Errorf("%s %s: said %q, not %q", c.kind, c.id, said, c.said)
		}
	}
	said, behind, muted = nil, true, true
	if event(policy.CardOpened, "d"); !slices.Equal(said, []string{"urgent true", "title (1) Deskhand"}) {
		t.Errorf("muted: said %q", said)
	}
}

func TestTheDesktopIsToldBesideTheWindow(t *testing.T) {
	titles := make(chan string, 2)
	a := newAttention(desktop{title: func(text string) { titles <- text }, behind: func() bool { return false },
		urge: func(bool) {}, withdraw: func(string) {}})
	go a.run(t.Context())
	for _, c := range []struct{ kind, title string }{{policy.CardOpened, "(1) Deskhand"}, {policy.CardClosed, "Deskhand"}} {
		a.onCard(policy.CardEvent{Type: c.kind, Card: policy.Card{ApprovalID: "a"}})
		if got := <-titles; got != c.title {
			t.Errorf("%s: %q", c.kind, got)
		}
	}
}

func TestTheSystemsLanguage(t *testing.T) {
	for _, c := range []struct {
		all, messages, lang string
		german              bool
	}{{"", "", "", false}, {"", "", "de_DE.UTF-8", true}, {"", "en_GB.UTF-8", "de_DE.UTF-8", false}, {"de_AT", "C", "C", true}} {
		t.Setenv("LC_ALL", c.all)
		t.Setenv("LC_MESSAGES", c.messages)
		t.Setenv("LANG", c.lang)
		if got := systemIsGerman(); got != c.german {
			t.Errorf("%+v", c)
		}
	}
}
