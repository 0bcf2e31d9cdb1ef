package policy_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// programVariable tells a run of this test program to be one of several programs: the file, and the tokens of a limit.
const programVariable = "DESKHAND_PROGRAM"

// busy opens a program on a file. It has a grant with a budget, capabilities that need a card, an exclusive capability
// that notes its turns, and one with a rate limit. It gives random answers to every card that it sees.
func busy(t testing.TB, path string, tokens int, answered func()) *booth {
	b := &booth{}
	b.Booth = agenttest.OpenBoothAt(t, path, policy.Options{OnCard: func(e policy.CardEvent) {
		if e.Type == policy.CardOpened {
			go func() {
				time.Sleep(time.Duration(rand.IntN(4000)) * time.Microsecond)
				a := answers(e.Card, []bus.Answer{bus.AnswerAllow, bus.AnswerAllow, bus.AnswerDeny}[rand.IntN(3)])
				if err := b.Policy.Decide(a); err == nil {
					answered()
				}
			}()
		}
	}})
	turn := bus.Capability{Name: "turn.take", Title: "Take a turn", Description: "Takes a turn.", SideEffect: bus.Pure,
		Handler: func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
			err := note(path, "in", call.RequestID)
			time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
			return raw(`{}`), errors.Join(err, note(path, "out", call.RequestID))
		},
		Run: bus.Run{Concurrency: bus.Exclusive, QueueDepth: 2}}
	token := bus.Capability{Name: "token.take", Title: "Take a token", Description: "Takes a token.",
		SideEffect: bus.UIOnly,
		Handler:    func(context.Context, *bus.Call) (json.RawMessage, error) { return raw(`{}`), nil },
		Run:        bus.Run{RateLimit: &bus.RateLimit{Requests: tokens, Period: 10_000 * time.Hour}}}
	b.Bus.MustRegister(turn, token)
	return b
}

func note(path, what, request string) error {
	f, err := os.OpenFile(path+".turns", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, what, request)
	return errors.Join(err, f.Close())
}

// TestOneOfSeveralPrograms is the program of the test below: it calls everything until it is killed, and prints a line
// for each answer. Run by itself it does nothing.
func TestOneOfSeveralPrograms(t *testing.T) {
	path, tokens, is := strings.Cut(os.Getenv(programVariable), "|")
	if !is {
		return
	}
	var limit int
	if _, err := fmt.Sscan(tokens, &limit); err != nil {
		t.Fatal(err)
	}
	b := busy(t, path, limit, func() { fmt.Println("answered") })
	go b.Policy.Watch(context.Background())
	name := strconv.FormatUint(rand.Uint64(), 36) // the numbers of processes repeat within an hour
	for n := 0; ; n++ {
		for i, call := range [][2]string{
			{"purse.pay", `{"purse":"purse_ana","amount":{"amount":7,"currency":"USD"}}`}, // the grant is for it
			{"purse.pay", `{"purse":"purse_ben","amount":{"amount":1,"currency":"USD"}}`},
			{"turn.take", `{}`}, {"token.take", `{}`},
		} {
			who := owner
			who.Model, who.ConversationID = &helper, "chat_1"
			id := fmt.Sprint(name, "-", n, "-", i)
			r := b.Bus.Invoke(context.Background(), bus.Invocation{Capability: call[0], Arguments: raw(call[1]),
				RequestID: id, IdempotencyKey: id, Principal: who, Caller: bus.Caller{Type: bus.CallerAgent, Source: "chat_1"}})
			if e := r.Err; e != nil && e.Code != bus.Conflict && e.Reason != bus.ReasonRateLimit &&
				e.Reason != bus.ReasonDeclined {
				t.Fatal(r.Err)
			}
			fmt.Println(r.Status)
		}
	}
}

// TestR9NothingIsExceededWhileProgramsAreKilled runs three programs on one file, which ask and answer each other's
// cards, and kills them at random, again and again: no budget and no limit is exceeded, no two are in an exclusive
// capability, no card has two answers, nothing is done without its answer, and nothing stays held.
//
// holds: R9 A9 C9 C10
func TestR9NothingIsExceededWhileProgramsAreKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "booth.db")
	least, long := 6, time.Duration(*soaking*float64(time.Hour))
	tokens, budget := 6*soak(least, 6_000), 70*soak(least, 6_000)
	begun, rounds, lines := time.Now(), 0, 0
	b := busy(t, path, tokens, func() {})
	grant := b.Grants(`{"owner":"cus_ana"}`, fmt.Sprintf(`{"budget":{"amount":%d,"currency":"USD"}}`, budget))
	for ; rounds < least || time.Since(begun) < long; rounds++ {
		var programs []*exec.Cmd
		var out []*bufio.Scanner
		for range 3 {
			p := exec.Command(os.Args[0], "-test.run", "^TestOneOfSeveralPrograms$", "-test.timeout", "5m")
			p.Env = append(os.Environ(), fmt.Sprint(programVariable, "=", path, "|", tokens))
			p.Stderr = os.Stderr
			pipe := must[interface{ Read([]byte) (int, error) }](t)(p.StdoutPipe())
			must[any](t)(nil, p.Start())
			programs, out = append(programs, p), append(out, bufio.NewScanner(pipe))
		}
		for i, p := range programs {
			for range rand.IntN(20) + 1 {
				if out[i].Scan() {
					lines++
				}
			}
			time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
			must[any](t)(nil, p.Process.Kill())
			_ = p.Wait() // it was killed
		}
	}
	s := b.summed(grant)
	if s.byGrant > budget || s.budgetUsed != s.byGrant {
		t.Errorf("%d of a budget of %d were paid, %d are noted as used", s.byGrant, budget, s.budgetUsed)
	}
	if paid := int(b.Paid()); paid != s.byGrant+s.byAnswer {
		t.Errorf("%d are gone from the purses: %d by the grant, %d by answers", paid, s.byGrant, s.byAnswer)
	}
	if s.answers != s.answered || s.unanswered > 0 {
		t.Errorf("%d answers to %d cards; %d calls were done without one", s.answers, s.answered, s.unanswered)
	}
	left := 0
	for b.Agent("token.take", `{}`).OK() {
		left++
	}
	if s.tokens+left != tokens {
		t.Errorf("%d tokens were taken and %d are left of %d", s.tokens, left, tokens)
	}
	turns := exclusiveTurns(t, path)
	if r := b.Agent("turn.take", `{}`); !r.OK() {
		t.Errorf("the turn is held: %v", r.Err)
	}
	if open := b.Policy.Pending(owner.ID); len(open) > 0 {
		t.Errorf("open cards: %+v", open)
	}
	if v, err := b.Log.Verify(t.Context(), nil); err != nil || !v.OK {
		t.Errorf("verdict: %+v %v", v, err)
	}
	t.Logf("%d programs killed in %d rounds, %d lines read, %d cards answered once each, %d of a budget of %d used, "+
		"%d of %d tokens taken, %d turns one after the other", 3*rounds, rounds, lines, s.answered, s.byGrant, budget,
		s.tokens, tokens, turns)
}

// sums are counts from the log and the tables.
type sums struct {
	byGrant, byAnswer, budgetUsed, tokens int
	answers, answered                     int // records of answers, cards that have one
	unanswered                            int // calls that were done without
}

func (b *booth) summed(grant string) (s sums) {
	b.T.Helper()
	if err := b.Log.View(context.Background(), func(ctx context.Context) error {
		t := audit.Tx(ctx)
		return errors.Join(
			t.QueryRowContext(ctx, `SELECT count(*) FROM agent_cards WHERE answered_by <> ''`).Scan(&s.answered),
			t.QueryRowContext(ctx, `SELECT coalesce(sum(amount), 0) FROM agent_grant_uses WHERE grant_id = ?`, grant).
				Scan(&s.budgetUsed))
	}); err != nil {
		b.T.Fatal(err)
	}
	last := must[string](b.T)(b.Log.DataVersion(context.Background()))
	answerTo := map[string]int{} // by the request that waited
	end := errors.New("the last record was read")
	if err := b.Log.Follow(context.Background(), 0, func(list []audit.Record) error {
		for _, r := range list {
			if r.Status == "success" {
				s.add(b.T, &r, grant, answerTo)
			}
			if fmt.Sprint(r.Seq) == last {
				return end
			}
		}
		return nil
	}); !errors.Is(err, end) {
		b.T.Fatal(err)
	}
	return s
}

func (s *sums) add(t testing.TB, r *audit.Record, grant string, answerTo map[string]int) {
	switch r.Capability {
	case "token.take":
		s.tokens++
	case "approval.answer":
		s.answers++
		answerTo[r.ParentRequestID]++
	case "purse.pay":
		var in struct{ Amount struct{ Amount int } }
		if err := json.Unmarshal(r.Arguments, &in); err != nil {
			t.Fatal(err)
		}
		if r.Decision.GrantID == grant {
			s.byGrant += in.Amount.Amount
			return
		}
		s.byAnswer += in.Amount.Amount
		if answerTo[r.RequestID] == 0 || r.Decision.Answer != bus.AnswerAllow {
			s.unanswered++
		}
	}
}

// exclusiveTurns counts the turns and finds those that overlap: only a program that was killed does not end its turn.
func exclusiveTurns(t *testing.T, path string) (turns int) {
	text := must[[]byte](t)(os.ReadFile(path + ".turns"))
	inside, abandoned := "", map[string]bool{}
	for line := range strings.Lines(string(text)) {
		what, request, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case what == "in":
			if inside != "" {
				abandoned[inside] = true
			}
			inside = request
			turns++
		case abandoned[request] || request != inside:
			t.Errorf("%s was still inside when another began", request)
		default:
			inside = ""
		}
	}
	return turns
}
