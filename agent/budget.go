package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/internal/stored"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/currencies"
	"github.com/deskhand/deskhand/internal/period"
)

// dayBudget limits the daily cost of models at endpoints for all people together. The built-in assistant costs nothing.
type dayBudget struct {
	Tokens int64          `json:"tokens,omitempty" jsonschema:"minimum=1,maximum=1000000000000"`
	Amount *policy.Budget `json:"amount,omitempty"`
}

// storedBudget is the name of the budget among the assistant's settings.
const storedBudget = "budget"

// budget reads the owner's budget in the transaction of ctx.
func (s *Store) budget(ctx context.Context) (b dayBudget, err error) {
	raw, err := stored.One(ctx, s.db, func(scan stored.Scan) (v string, err error) { return v, scan(&v) },
		`SELECT value FROM assistant_settings WHERE name = $1`, storedBudget)
	if err != nil || raw == nil {
		return b, err
	}
	return b, json.Unmarshal([]byte(*raw), &b)
}

// setBudget implements assistant.setBudget.
func (s *Store) setBudget(ctx context.Context, call *bus.Call, in dayBudget) (dayBudget, error) {
	if in.Amount != nil {
		if _, known := currencies.Digits(in.Amount.Currency); !known {
			return in, bus.Errorf(bus.Validation, bus.ReasonArguments, "%s is no currency.", in.Amount.Currency).
				WithHint("Use an ISO 4217 code, for example USD.")
		}
	}
	call.Announce("assistant", bus.Textf("What the assistant may cost in a day was changed."))
	if in == (dayBudget{}) {
		call.Summarize("Let the assistant cost what it does")
		return in, s.db.Exec(ctx, `DELETE FROM assistant_settings WHERE name = $1`, storedBudget)
	}
	call.Summarize("Let the assistant cost %s a day at most", in.words())
	raw, err := json.Marshal(in)
	if err != nil {
		return in, err
	}
	return in, stored.SetText(ctx, s.db, storedBudget, string(raw))
}

func (b dayBudget) words() string {
	var parts []string
	if b.Tokens > 0 {
		parts = append(parts, fmt.Sprintf("%d tokens", b.Tokens))
	}
	if b.Amount != nil {
		parts = append(parts, amountText(b.Amount))
	}
	return strings.Join(parts, ", ")
}

func amountText(b *policy.Budget) string {
	said, _ := text.Minor(float64(b.Amount), b.Currency) // setBudget checked the currency
	return said
}

// billionthsOf converts an amount to billionths of its currency.
func billionthsOf(b *policy.Budget) int64 {
	digits, _ := currencies.Digits(b.Currency)
	n := b.Amount
	for range 9 - digits {
		n *= 10
	}
	return n
}

// modelUse is the cost of one model in a period.
type modelUse struct {
	Endpoint string      `json:"endpoint"`
	Model    string      `json:"model,omitempty"`
	Turns    int64       `json:"turns"`
	Tokens   model.Usage `json:"tokens"`
}

// used lists the cost of each model between two times in the transaction of ctx, most turns first. The list has one
// line for each endpoint, model and currency.
func (s *Store) used(ctx context.Context, from, until int64) (list []modelUse, billionths map[string]int64, err error) {
	billionths = map[string]int64{}
	list, err = stored.Rows(ctx, s.db, func(scan stored.Scan) (u modelUse, err error) {
		var cost int64
		var code string
		err = scan(&u.Endpoint, &u.Model, &code, &u.Turns, &u.Tokens.Input, &u.Tokens.Output, &u.Tokens.Estimated, &cost)
		if cost > 0 {
			u.Tokens.Costs = []model.Cost{newCost(cost, code)}
			billionths[code] += cost
		}
		return u, err
	}, `SELECT endpoint, model, currency, count(*), sum(input), sum(output), max(estimated) > 0, sum(coalesce(cost, 0))
		FROM agent_turns WHERE at >= $1 AND at < $2 GROUP BY endpoint, model, currency
		ORDER BY count(*) DESC, endpoint, model, currency`, from, until)
	return list, billionths, err
}

// dayUse is the used part of a day's budget.
type dayUse struct {
	budget     dayBudget
	tokens     int64
	billionths int64 // of the budget's currency
}

func (s *Store) usedToday(ctx context.Context, now time.Time) (u dayUse, err error) {
	err = s.db.View(ctx, func(ctx context.Context) error {
		if u.budget, err = s.budget(ctx); err != nil || u.budget == (dayBudget{}) {
			return err
		}
		list, billionths, err := s.used(ctx, startOfDay(now).UnixMilli(), startOfDay(now).AddDate(0, 0, 1).UnixMilli())
		for _, one := range list {
			u.tokens += int64(one.Tokens.Input + one.Tokens.Output)
		}
		if u.budget.Amount != nil {
			u.billionths = billionths[u.budget.Amount.Currency]
		}
		return err
	})
	return u, err
}

func startOfDay(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

// beyond describes the limit of which at least this percentage is used, "" for none.
func (u dayUse) beyond(percent int64) string {
	if n := u.budget.Tokens; n > 0 && u.tokens*100 >= n*percent {
		return fmt.Sprintf("%d of %d tokens", u.tokens, n)
	}
	if b := u.budget.Amount; b != nil && u.billionths/100*100 >= billionthsOf(b)/100*percent {
		return fmt.Sprintf("%s of %s", costText(u.billionths, b.Currency), amountText(b))
	}
	return ""
}

// nearlyUsed is the percentage of a budget from which the bridge warns people.
const nearlyUsed = 80

// dayUse returns the used part of the day's budget. It is empty if the budget does not cover the turn's model.
func (t *turnRun) dayUse(ctx context.Context) dayUse {
	if t.b.o.Switches != t.b.o.Store || t.b.o.Store == nil || !hasAddress(*t.who.Model) { // a trial checks its budget
		return dayUse{}
	}
	ctx = context.WithoutCancel(ctx)
	u, err := t.b.o.Switches.usedToday(ctx, t.at(ctx))
	if err != nil {
		t.b.o.Logger.Error("the budget of the assistant cannot be read", "cause", err)
	}
	return u
}

// overBudget returns a sentence if the budget of the day is used up, "" otherwise.
func (t *turnRun) overBudget(ctx context.Context) string {
	used := t.dayUse(ctx).beyond(100)
	if used == "" {
		return ""
	}
	return fmt.Sprintf("The assistant's budget for today is used up (%s), so the model was not asked. The owner can "+
		"raise it in the settings, under “What it may cost”; the built-in assistant costs nothing.", used)
}

// nearBudget returns a sentence if the budget of the day is nearly used up, "" otherwise.
func (t *turnRun) nearBudget(ctx context.Context) string {
	u := t.dayUse(ctx)
	switch used := u.beyond(nearlyUsed); {
	case used != "" && u.beyond(100) == "":
		return fmt.Sprintf("The assistant's budget for today is nearly used up: %s. When it is, the model is not asked "+
			"until tomorrow.", used)
	case u.budget.Amount != nil && (t.spent.price == nil || t.spent.price.Currency != u.budget.Amount.Currency):
		return fmt.Sprintf("The budget is in %s, and the model has no price in it, so nothing of this turn counts. Set the "+
			"model's price in the settings.", u.budget.Amount.Currency)
	}
	return ""
}

type usageInput struct{ period.Days }

type usageOutput struct {
	Turns  int64       `json:"turns"`
	Tokens model.Usage `json:"tokens"`
	Models []modelUse  `json:"models"`
	Budget *dayBudget  `json:"budget,omitempty"`
	Today  model.Usage `json:"today"`
}

// total adds up the costs of models.
func total(list []modelUse, billionths map[string]int64) (turns int64, all model.Usage) {
	for _, u := range list {
		turns += u.Turns
		all.Input, all.Output = all.Input+u.Tokens.Input, all.Output+u.Tokens.Output
		all.Estimated = all.Estimated || u.Tokens.Estimated
	}
	all.Costs = costsOf(billionths)
	return turns, all
}

// usage implements assistant.usage.
func (s *Store) usage(ctx context.Context, call *bus.Call, in usageInput, zone *time.Location) (out usageOutput,
	err error) {
	now := call.Now.In(zone)
	from, until, problem := in.Moments(now)
	if problem != "" {
		return out, bus.Errorf(bus.Validation, bus.ReasonArguments, "%s", problem)
	}
	if until == 0 {
		until = startOfDay(now).AddDate(0, 0, 1).UnixMilli()
	}
	list, billionths, err := s.used(ctx, from, until)
	if err != nil {
		return out, err
	}
	out.Models = list
	out.Turns, out.Tokens = total(list, billionths)
	list, billionths, err = s.used(ctx, startOfDay(now).UnixMilli(), startOfDay(now).AddDate(0, 0, 1).UnixMilli())
	if err != nil {
		return out, err
	}
	_, out.Today = total(list, billionths)
	if b, err := s.budget(ctx); err != nil || b != (dayBudget{}) {
		out.Budget = &b
		return out, err
	}
	return out, nil
}

// budgetCapabilities returns assistant.setBudget, a control like toggle, and assistant.usage.
func budgetCapabilities(o CapabilityOptions, toggle bus.Capability) []bus.Capability {
	set := toggle
	set.Name = "assistant.setBudget"
	set.Listing.Current = func(ctx context.Context, _ *bus.Call) (any, error) { return o.Store.budget(ctx) }
	usage := bus.Capability{Name: "assistant.usage", Texts: texts, Type: bus.TypeData, SideEffect: bus.Pure,
		Permissions: []string{"assistant:read"}, Resources: []string{"database:read"},
		Provides: []string{"assistant", domainUsage, "settings"},
		Listing:  bus.Listing{Category: "assistant", Group: "assistant"},
		Checks:   bus.Checks{Access: bus.Access{Agent: bus.RuleAllow}},
		Run:      bus.Run{Idempotent: true}}
	return []bus.Capability{bus.Define(set, o.Store.setBudget),
		bus.Define(usage, func(ctx context.Context, call *bus.Call, in usageInput) (usageOutput, error) {
			zone, err := o.zone(ctx)
			if err != nil {
				return usageOutput{}, err
			}
			return o.Store.usage(ctx, call, in, zone)
		})}
}
