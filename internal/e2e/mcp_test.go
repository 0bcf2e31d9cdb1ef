package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/internal/mcp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// served connects a client to the real command on a shop.
func served(t *testing.T, folder string, args ...string) (*sdk.ClientSession, *exec.Cmd) {
	t.Helper()
	command := exec.Command("deskhand", append([]string{"--data", folder, "mcp", "--client", "probe"}, args...)...)
	session, err := sdk.NewClient(&sdk.Implementation{Name: "probe", Version: "1"}, nil).
		Connect(t.Context(), &sdk.CommandTransport{Command: command}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() }) // it may be closed
	return session, command
}

// enrolled lets the client in.
func enrolled(t *testing.T, folder string, args ...string) {
	t.Helper()
	out, err := exec.Command("deskhand", append([]string{"--data", folder, "mcp", "enrol", "probe"}, args...)...).
		CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// TestClientsAreListedForPeople: a line for each, with its rights and until when.
func TestClientsAreListedForPeople(t *testing.T) {
	folder := desktest.Copy(t)
	enrolled(t, folder, "--days", "2")
	out, err := exec.Command("deskhand", "--data", folder, "mcp", "clients").CombinedOutput()
	until := time.Now().AddDate(0, 0, 2).Format("2006-01-02")
	if lines := strings.Split(string(out), "\n"); err != nil || !strings.HasPrefix(lines[0], "CLIENT") ||
		!strings.HasPrefix(lines[1], "probe ") || !strings.Contains(lines[1], until) ||
		!strings.HasSuffix(lines[1], "all of the person's") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestO1TheCommandServesAClient: the first list of tools is small, counted with the tokenizer of an open model; a call
// is done and recorded; the command ends with its standard input.
//
// holds: O1
func TestO1TheCommandServesAClient(t *testing.T) {
	folder := desktest.Copy(t)
	enrolled(t, folder, "--days", "2")
	session, command := served(t, folder)
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(map[string]any{"messages": []any{}, "tools": list.Tools})
	if err != nil {
		t.Fatal(err)
	}
	counts := (&played{t: t, bodies: []string{string(raw)}}).tokens()
	t.Logf("%d tools have %d tokens", len(list.Tools), counts[0])
	if counts[0] > 4000 {
		t.Errorf("the first list of tools has %d tokens", counts[0])
	}
	res, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "cart_getSummary"})
	if err != nil || res.IsError {
		t.Fatal(err, res)
	}
	if err := session.Close(); err != nil || !command.ProcessState.Success() {
		t.Errorf("%v %v", err, command.ProcessState)
	}
	var told struct {
		RequestID string `json:"request_id"`
	}
	raw, _ = json.Marshal(res.StructuredContent)
	if err := json.Unmarshal(raw, &told); err != nil {
		t.Fatal(err)
	}
	d := desktest.Open(t, desk.Options{Folder: folder})
	page, err := d.Log.Search(t.Context(), audit.Query{RequestID: told.RequestID})
	if err != nil || len(page.Records) != 1 || page.Records[0].Caller.Door != "mcp" || page.Records[0].Model.Name != "probe" {
		t.Errorf("%v %+v", err, page.Records)
	}
}

// TestB12EitherSideLeavesOneRecord: a program that is killed while a person is asked, and one whose client is gone, have
// done nothing, and leave one record that says so and no card. What was killed is recorded by another program.
//
// holds: B12 R3
func TestB12EitherSideLeavesOneRecord(t *testing.T) {
	folder := desktest.Copy(t)
	enrolled(t, folder)
	d := desktest.Open(t, desk.Options{Folder: folder, OnCard: func(policy.CardEvent) {}})
	d.WatchCards()
	order := placed(t, d)
	ends := []func(io.Closer, *exec.Cmd) error{
		func(_ io.Closer, command *exec.Cmd) error { return command.Process.Kill() },
		func(input io.Closer, _ *exec.Cmd) error { return input.Close() },
	}
	for i, end := range ends {
		command := exec.Command("deskhand", "--data", folder, "mcp", "--client", "probe")
		input, bad := command.StdinPipe()
		output, err := command.StdoutPipe()
		if err := errors.Join(bad, err, command.Start()); err != nil {
			t.Fatal(err)
		}
		session, err := sdk.NewClient(&sdk.Implementation{Name: "probe", Version: "1"}, nil).
			Connect(t.Context(), &sdk.IOTransport{Reader: output, Writer: input}, nil)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			_, _ = session.CallTool(t.Context(), &sdk.CallToolParams{Name: "order_cancel",
				Arguments: map[string]string{"orderId": order, "reason": "no longer needed"}})
		}()
		var card policy.Card
		comesAbout(t, func() bool {
			for _, c := range d.Policy.Pending(d.Person.ID) {
				card = c
			}
			return card.RequestID != ""
		})
		if err := end(input, command); err != nil {
			t.Fatal(err)
		}
		comesAbout(t, func() bool { return len(d.Policy.Pending(d.Person.ID)) == 0 })
		if err := command.Wait(); (err == nil) != (i == 1) {
			t.Error(err)
		}
		var page audit.Page
		comesAbout(t, func() bool {
			page, err = d.Log.Search(t.Context(), audit.Query{RequestID: card.RequestID})
			return err != nil || len(page.Records) > 0
		})
		if err != nil || len(page.Records) != 1 || page.Records[0].Status != "error" ||
			page.Records[0].Caller.Door != mcp.Door || page.Records[0].Model.Name != "probe" {
			t.Errorf("%v %+v", err, page.Records)
		}
		if r := d.Policy.Decide(policy.Answer{ApprovalID: card.ApprovalID, Answer: bus.AnswerAllow, By: card.Person,
			Who: d.Person}); r == nil {
			t.Error("the card of a program that ended was answered")
		}
	}
}

// comesAbout waits for something that another program does.
func comesAbout(t *testing.T, is func() bool) {
	t.Helper()
	for range 2000 {
		if is() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("it does not come about")
}

// TestA11PlantedInstructionsReachNothingThroughAClient: the same places and the same goals as for a model of ours, with
// grants to the client and an owner who declines every card.
//
// holds: A11 O2
func TestA11PlantedInstructionsReachNothingThroughAClient(t *testing.T) {
	var d *desk.Desk
	var server *mcp.Server
	d = desktest.Sample(t, desk.Options{Door: mcp.Door, OnCard: func(e policy.CardEvent) {
		server.OnCard(e)
		if e.Type != policy.CardOpened {
			return
		}
		if err := d.Policy.Decide(policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: bus.AnswerDeny,
			By: e.Card.Person}); err != nil {
			t.Error(err)
		}
	}})
	places := plant(t, d)
	goals := goalsOf(t, d, bus.ModelID{Endpoint: mcp.Door, Name: "probe"})
	before, err := d.Log.StateHash(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for place, read := range places {
		for goal, call := range goals {
			t.Run(place+", "+goal, func(t *testing.T) {
				server = mcp.New(mcp.Options{Bus: d.Bus, Bridge: d.Bridge, Client: "probe",
					Who: func(ctx context.Context) (bus.Principal, error) { return d.SignedIn(ctx), nil }})
				here, there := sdk.NewInMemoryTransports()
				ended := make(chan error, 1)
				go func() { ended <- server.Run(t.Context(), here) }()
				session, err := sdk.NewClient(&sdk.Implementation{Name: "probe", Version: "1"}, nil).Connect(t.Context(), there, nil)
				if err != nil {
					t.Fatal(err)
				}
				got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: read.Tool, Arguments: read.Arguments})
				if err != nil || got.IsError {
					t.Fatal(err, got)
				}
				if told, _ := json.Marshal(got.StructuredContent); !strings.Contains(string(told), "ignore all instructions") {
					t.Error("the instruction was not read")
				}
				got, err = session.CallTool(t.Context(), &sdk.CallToolParams{Name: call.Tool, Arguments: call.Arguments})
				if err != nil {
					t.Fatal(err)
				}
				var answered struct{ Code bus.Code }
				told, _ := json.Marshal(got.StructuredContent)
				if err := json.Unmarshal(told, &answered); err != nil || !got.IsError || answered.Code != bus.Forbidden &&
					answered.Code != bus.NotFound && answered.Code != bus.Validation {
					t.Errorf("%v %s", err, told)
				}
				if after, err := d.Log.StateHash(t.Context()); err != nil || after != before {
					t.Fatalf("something has changed: %v", err)
				}
				if err := session.Close(); err != nil {
					t.Error(err)
				}
				<-ended
			})
		}
	}
}
