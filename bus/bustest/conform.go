package bustest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// App is an opened application for [Check]. Only Bus is required. The other fields are needed if parts of the
// application are outside the bus and its journal in memory.
type App struct {
	Bus *bus.Bus

	// Person makes the calls. Each call gets exactly the scopes that its capability requires, independent of the
	// person's.
	Person bus.Principal

	// Arguments returns arguments with which a capability succeeds now, and may first bring the application into a
	// state where it does. Without it, or where it returns nil, they are made from the input schema: examples,
	// defaults, and an x-entity by the id of the first record in the list where the manifest says such ids are found.
	Arguments func(name string) json.RawMessage

	// Digest sums up all that capabilities may change. Without it the rows of a
	// [Journal] are compared, and of any other journal nothing.
	Digest func() (string, error)

	// Records counts the records of a request id in the journal. Without it [Check] asks a [Journal], and for any other
	// journal it counts the entries that were passed to it.
	Records func(requestID string) (int, error)

	// Invoke is the door of the calls; nil: the Invoke of b, a bus like Bus that Check observes.
	Invoke func(ctx context.Context, b *bus.Bus, inv bus.Invocation) bus.Result

	// Bodies is the number of invalid argument bodies for each capability; 0: 200.
	Bodies int
}

// Finding is one way in which an application breaks a rule of the bus.
type Finding struct {
	Capability string // "journal" for findings of CheckJournal
	Rule       string // one of the names that Rules lists
	Message    string // the observation
}

// String is the finding in one line.
func (f Finding) String() string { return fmt.Sprintf("%s: %s: %s", f.Capability, f.Rule, f.Message) }

// Conform checks every capability registered on b against every rule, in subtests named after both. The capabilities
// must have no real effects, because each is made to succeed. A check sees the effects of earlier ones; [ConformEach]
// opens the application again for each capability.
func Conform(t *testing.T, b *bus.Bus) {
	t.Helper()
	for _, c := range b.Capabilities() {
		t.Run(c.Name, func(t *testing.T) { report(t, App{Bus: b}, c.Name) })
	}
}

// ConformEach is Conform on a newly opened application for each capability, several at a time. open receives the name
// of the capability, so that it can bring the application into a state where that one succeeds. The first call has ""
// and is for the list.
func ConformEach(t *testing.T, open func(t testing.TB, capability string) App) {
	t.Helper()
	for _, c := range open(t, "").Bus.Capabilities() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			report(t, open(t, c.Name), c.Name)
		})
	}
}

func report(t *testing.T, a App, name string) {
	t.Helper()
	for _, f := range Check(t.Context(), a, name) {
		t.Errorf("%s: %s", f.Rule, f.Message)
	}
}

// Check checks one capability of an application and returns the violations of rules, none if all is well. It changes
// the application by at most one success.
func Check(ctx context.Context, a App, name string) []Finding {
	p, err := newProbe(ctx, a, name)
	if err != nil {
		return []Finding{{name, ruleDefinition, err.Error()}}
	}
	defer p.events.Close()
	if err := a.Bus.Check(); err != nil && strings.Contains(err.Error(), fmt.Sprintf("capability %q:", name)) {
		p.note(ruleDefinition, "%v", err)
	}
	checks := []func(*probe){
		// Refusals need no state in which the capability works.
		(*probe).invalid, (*probe).version, (*probe).permission, (*probe).access, (*probe).checks, (*probe).rate,
		(*probe).exclusive,
	}
	if p.cap.Handler != nil { // else it stands for another, which is checked by its own name
		checks = append(checks,
			// Calls without effect need one, and keep it.
			(*probe).dryRun, (*probe).program, (*probe).declined, (*probe).cancel, (*probe).timeout, (*probe).failure,
			// Successful calls come last, because they may not work twice.
			(*probe).replay)
	}
	for _, check := range checks {
		check(p)
		if p.stuck {
			break // without a success there is nothing more to see
		}
	}
	return p.findings
}

// The rules, by the names that findings carry.
const (
	ruleDefinition   = "definition"
	ruleArguments    = "arguments"
	ruleInvalid      = "invalid input"
	ruleVersion      = "version"
	ruleOutput       = "output schema"
	rulePermission   = "permission"
	ruleAccess       = "access"
	ruleCondition    = "condition"
	rulePrecondition = "precondition"
	ruleRate         = "rate limit"
	ruleExclusive    = "exclusivity"
	ruleReplay       = "idempotent replay"
	ruleDryRun       = "dry run"
	ruleProgram      = "program"
	ruleCancel       = "cancellation"
	ruleTimeout      = "timeout"
	ruleRollback     = "all or nothing"
	ruleCodes        = "codes"
	ruleRecords      = "one record"
	ruleEvents       = "events"
)

// Rules lists the rules that are checked, each with its requirement.
func Rules() map[string]string {
	return map[string]string{
		ruleDefinition: "its definition can be registered, with schemas compiled at once, and its hints name capabilities",
		ruleArguments:  "there are arguments with which the capability succeeds",
		ruleInvalid:    "what breaks the input schema is VALIDATION with violations, before the handler",
		ruleVersion: "min_version of a newer version or of an older major one is VALIDATION with the reason version, " +
			"before the handler",
		ruleOutput:     "a success fits the output schema",
		rulePermission: "whoever lacks one of its scopes is FORBIDDEN, whatever the caller kind",
		ruleAccess: "each caller kind may what the access rules and visibility say; " +
			"what must be confirmed is not done unseen",
		ruleCondition: "an unmet condition or requirement, or being unavailable, is PRECONDITION_FAILED, " +
			"before the handler",
		rulePrecondition: "an unmet precondition is PRECONDITION_FAILED with its message and hint, before the handler",
		ruleRate:         "beyond the rate limit is TRANSIENT with when to come back",
		ruleExclusive:    "calls of one group never overlap, and beyond the queue are CONFLICT",
		ruleReplay:       "of many calls with one key one runs, all get its result; other arguments under it are refused",
		ruleDryRun:       "a dry run leaves no effect and no key",
		ruleProgram:      "a step of a plan comes to the same with the arguments of a row",
		ruleCancel:       "a cancelled call ends TRANSIENT and leaves no effect",
		ruleTimeout:      "a call over its deadline ends TRANSIENT and leaves no effect",
		ruleRollback:     "a failure or a panic after the handler's last write leaves no effect",
		ruleCodes:        "only the seven codes, with reasons of the closed list, and INTERNAL for defects only",
		ruleRecords:      "each invocation leaves exactly one record",
		ruleEvents:       "each invocation is announced once, and every event fits the event schema",
	}
}

// note adds a finding; the first of each rule is enough to act on.
func (p *probe) note(rule, format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.noted == nil {
		p.noted = map[string]bool{}
	}
	if !p.noted[rule] {
		p.noted[rule] = true
		p.findings = append(p.findings, Finding{p.cap.Name, rule, fmt.Sprintf(format, args...)})
	}
}

// brief is a result in a few words, for a finding.
func brief(r bus.Result) string {
	if r.Err == nil {
		return fmt.Sprintf("%s (replayed %v, dry run %v)", r.Status, r.Replayed, r.DryRun)
	}
	return fmt.Sprintf("%s/%s %q", r.Err.Code, r.Err.Reason, r.Err.Message)
}

// is reports whether r is an error with this code and one of these reasons.
func is(r bus.Result, code bus.Code, reasons ...bus.Reason) bool {
	return r.Err != nil && r.Err.Code == code && (len(reasons) == 0 || slices.Contains(reasons, r.Err.Reason))
}

// together runs n calls at once and returns their results, in the order they ended.
func together(n int, call func(i int) bus.Result) []bus.Result {
	results := make(chan bus.Result, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { results <- call(i) })
	}
	wg.Wait()
	close(results)
	var all []bus.Result
	for r := range results {
		all = append(all, r)
	}
	return all
}
