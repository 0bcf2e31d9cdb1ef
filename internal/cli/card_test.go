package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// TestA7TheCommandLineAsksForAManager: who approves, and with which PIN, is asked
// on the terminal, where nothing of it is shown.
// holds: A7
func TestA7TheCommandLineAsksForAManager(t *testing.T) {
	for name, tt := range map[string]struct {
		approve, said, typed string
		none                 bool // no terminal
		ok                   bool
		shows                []string
	}{
		"approved": {approve: "ask", said: "1\n", typed: desktest.OwnersPIN, ok: true,
			shows: []string{"Cancel order", "It needs an owner. Who approves?", "1. Mara Lindqvist (owner)", " × ", "Subtotal", "Then: stock rises by "}},
		"a wrong PIN first": {approve: "ask", said: "1\n1\n", typed: "1111\n" + desktest.OwnersPIN, ok: true,
			shows: []string{"That is not the PIN of Mara Lindqvist."}},
		"declined in words": {approve: "ask", said: "not today\n", shows: []string{"was declined: not today"}},
		"nobody there":      {approve: "ask", shows: []string{"(nobody answers)", "was declined"}},
		"another number":    {approve: "ask", said: "7\nno\n", shows: []string{"There is no 7."}},
		"no terminal":       {approve: "ask", said: "1\n", none: true, shows: []string{"there is no terminal"}},
		"not asked": {approve: "deny", shows: []string{"A refund over $250.00 needs a manager.",
			"Mara Lindqvist may approve it", "--approve ask"}},
		"allowed unseen": {approve: "allow", shows: []string{"A refund over $250.00 needs a manager."}},
	} {
		t.Run(name, func(t *testing.T) {
			folder, order := desktest.OverTheLimit(t)
			typed := strings.NewReader(tt.typed + "\n")
			var out, shown bytes.Buffer
			term := &terminal{Process: Process{In: strings.NewReader(tt.said), Out: &out, ErrOut: &shown}, ctx: t.Context(),
				flags: &commands{Data: folder, As: "june_park", PINFD: -1},
				tty: func() (tty, error) {
					if tt.none {
						return nil, errors.New("there is none")
					}
					return &fakeTTY{Reader: typed}, nil
				}}
			err := invokeCommand{Name: "order.cancel", Arguments: fmt.Sprintf(`{"orderId":%q,"reason":"other"}`, order),
				Approve: tt.approve}.Run(term)
			if (err == nil) != tt.ok {
				t.Errorf("%v %s", err, shown.String())
			}
			all := fmt.Sprint(shown.String(), err)
			for _, s := range tt.shows {
				if !strings.Contains(all, s) {
					t.Errorf("no %q in %s", s, all)
				}
			}
			if strings.Contains(all+out.String(), desktest.OwnersPIN) {
				t.Error("the PIN is shown")
			}
		})
	}
}

// holds: A7
func TestA7TheChatAsksForAManager(t *testing.T) {
	folder, order := desktest.OverTheLimit(t)
	var out bytes.Buffer
	term := &terminal{Process: Process{In: strings.NewReader("1\n"), Out: &out, ErrOut: io.Discard}, ctx: t.Context(),
		flags: &commands{Data: folder, As: "june_park", PINFD: -1},
		tty:   func() (tty, error) { return &fakeTTY{Reader: strings.NewReader(desktest.OwnersPIN + "\n")}, nil }}
	err := chatCommand{Text: []string{"cancel order " + order + " because it was ordered by mistake"}, Approve: "ask"}.Run(
		term)
	if err != nil || !strings.Contains(out.String(), "It needs an owner. Who approves?") {
		t.Errorf("%v %s", err, out.String())
	}
	d := desktest.Open(t, desk.Options{Folder: folder})
	trace, bad := d.Log.Search(t.Context(), audit.Query{Capability: "order.cancel"})
	if bad != nil || len(trace.Records) != 1 || trace.Records[0].Status != "success" ||
		trace.Records[0].Caller.Type != "agent" || trace.Records[0].Decision.By != "mara_lindqvist" {
		t.Errorf("%+v %v\n%s", trace.Records, bad, out.String())
	}
}
