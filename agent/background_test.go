package agent_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// longWork returns a background capability that runs until the channel is closed.
func longWork(go_ <-chan struct{}) bus.Capability {
	return bus.Capability{Name: "report.make", Title: "Make a report", Description: "Makes a report.",
		SideEffect: bus.UIOnly, Handler: func(ctx context.Context, call *bus.Call) (json.RawMessage,
			error) {
			call.Progress(50, "half of it")
			select {
			case <-go_:
				call.Progress(90, "nearly")
				return json.RawMessage(`{"file":"report.pdf"}`), nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		},
		Checks: bus.Checks{Access: bus.Access{Agent: bus.RuleAllow}},
		Run:    bus.Run{Background: true}}
}

func slowRoom(t *testing.T, inline time.Duration, go_ chan struct{}, steps ...step) (*room, *script) {
	m := &script{Steps: steps}
	r := newRoom(t, m, func(o *agent.Options, _ *policy.Options) { o.MaxInline = inline })
	r.Bus.MustRegister(longWork(go_))
	return r, m
}

// holds: E5
func TestE5LongWorkGoesOnBehindTheTurn(t *testing.T) {
	ready := make(chan struct{})
	r, m := slowRoom(t, time.Nanosecond, ready, reply("", use("a", "report_make", `{}`)), reply("It is being made."),
		reply("There it is."))
	nearly := false
	ended := r.Bus.Subscribe()
	defer ended.Close()
	u := r.Say("make a report")
	if got := m.Results(t)[0]; got["status"] != "running" || got["task_id"] != "req_1" {
		t.Errorf("the model was told %v", got)
	}
	if a := u.Ended().Actions; len(a) != 1 || a[0].Outcome != agent.ActionRunning || a[0].RequestID != "req_1" {
		t.Errorf("%+v", a)
	}
	for _, x := range u {
		if x.Type == agent.UpdateResult {
			t.Errorf("a result before there is one: %+v", x)
		}
	}
	close(ready)
	for {
		e, err := ended.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if e.Type == bus.EventInvocation && e.RequestID == "req_1" {
			break
		}
	}
	told := 0
	for told == 0 { // the event comes a moment before the bridge has the result
		r.Say("and now?")
		nearly = nearly || strings.Contains(lastNote(m), "task req_1 is at 90 %")
		if strings.Contains(lastNote(m), `task req_1 (Make a report) has ended:`) &&
			strings.Contains(lastNote(m), "report.pdf") {
			told++
		}
	}
	r.Say("thanks")
	if !nearly {
		t.Error("how far it has come was not told")
	}
	if strings.Contains(lastNote(m), "has ended") {
		t.Error("it is told twice")
	}
	if n := len(r.Journal.Entries()); n != 1 {
		t.Errorf("%d records", n)
	}
}

func lastNote(m *script) string {
	for i := len(m.Last().Messages) - 1; i >= 0; i-- {
		if msg := m.Last().Messages[i]; msg.Role == model.RoleUser {
			return msg.Context
		}
	}
	return ""
}

// holds: E5
func TestE5ShortWorkIsACallLikeAnyOther(t *testing.T) {
	ready := make(chan struct{})
	close(ready)
	r, m := slowRoom(t, time.Hour, ready, reply("", use("a", "report_make", `{}`)), reply("Here."))
	u := r.Say("make a report")
	if got := m.Results(t)[0]; got["status"] != "success" || u.Ended().Actions[0].Outcome != agent.ActionDone {
		t.Errorf("%v %+v", got, u.Ended())
	}
}

// holds: E5
func TestE5StoppingAndClosingEndLongWork(t *testing.T) {
	r, _ := slowRoom(t, time.Hour, make(chan struct{}), reply("", use("a", "report_make", `{}`)), reply("?"))
	var status agent.Status
	err := r.Bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "go", Principal: kim},
		func(u agent.Update) {
			if u.Type == agent.UpdateCall {
				go r.Bridge.Stop("chat_1", kim.ID)
			}
			status = u.Status
		})
	if err != nil || status != agent.StatusStopped {
		t.Errorf("%v %s", err, status)
	}
	r, _ = slowRoom(t, time.Millisecond, make(chan struct{}), reply("", use("a", "report_make", `{}`)),
		reply("It is being made."))
	r.Say("go")
	r.Bridge.Close()
	if e := r.Journal.Entries(); len(e) != 1 || e[0].Result.Err == nil || e[0].Result.Err.Reason != bus.ReasonCancelled {
		t.Errorf("%+v", e)
	}
}
