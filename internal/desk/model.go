package desk

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/openai"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/keychain"
	"github.com/deskhand/deskhand/shop"
	"github.com/deskhand/deskhand/shop/settings"
)

// models selects the model that answers: the one from the desk's options, the one in the settings, or the built-in
// assistant.
type models struct {
	log     *audit.Log
	fixed   model.Model // nil: the settings decide
	secrets *keychain.Secrets
	builtin model.Model

	mu       sync.Mutex // guards the other fields
	settings [2]string  // endpoint and name of the last model
	context  int        // its context length
	can      []string   // the abilities from its test
	last     model.Model
}

// current returns the model for a turn, so that a changed setting applies from the next turn on. As long as the
// settings stay the same it returns the same model, which remembers details of its endpoint.
func (m *models) current() model.Model {
	if m.fixed != nil {
		return m.fixed
	}
	ctx := context.Background() // the turn's own context ends the turn, not this read
	var now [2]string
	var reads int
	var can []string
	err := m.log.View(ctx, func(ctx context.Context) (err error) {
		if now[0], now[1], err = settings.ModelEndpoint(ctx); err == nil {
			reads, err = settings.ModelContext(ctx)
		}
		if err == nil {
			can, err = settings.ModelAbilities(ctx)
		}
		return err
	})
	if err != nil {
		slog.Error("Could not read the model of the settings.", "cause", err)
		return m.builtin
	}
	if now[0] == "" {
		return m.builtin
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.last != nil && now == m.settings && reads == m.context && slices.Equal(can, m.can) {
		return m.last
	}
	made, err := openai.New(openai.Options{BaseURL: now[0], Model: now[1], Context: reads,
		OneCall: len(can) > 0 && !slices.Contains(can, "parallelCalls"), Thinks: slices.Contains(can, "thinks"),
		Key: m.secrets.ModelKey(now[0])})
	if err != nil {
		slog.Error("Could not use the model of the settings.", "cause", err)
		return m.builtin
	}
	m.settings, m.context, m.can, m.last = now, reads, can, made
	return made
}

// testModel tests the abilities of a model, with the key of its endpoint and the prompt of the assistant for the person
// at the desk.
func (d *Desk) testModel(secrets *keychain.Secrets) func(ctx context.Context, endpoint, name string) model.Report {
	return func(ctx context.Context, endpoint, name string) model.Report {
		o := openai.Options{BaseURL: endpoint, Model: name, Key: secrets.ModelKey(endpoint)}
		return openai.Probe(ctx, o, func(ctx context.Context, size int) model.Request {
			req, err := d.Bridge.Prompt(ctx, d.Person, size)
			if err != nil {
				slog.Warn("Could not make the prompt of a model's test.", "cause", err)
			}
			return req
		}, nil)
	}
}

// LocalModels returns the addresses to search for models on this computer: the usual ones, or those in the environment
// variable.
func LocalModels() []model.LocalEndpoint {
	said, is := os.LookupEnv("DESKHAND_LOCAL_MODELS")
	if !is {
		return openai.Usual
	}
	at := []model.LocalEndpoint{}
	for one := range strings.FieldsSeq(said) { // Name_of_it=address
		name, address, _ := strings.Cut(one, "=")
		at = append(at, model.LocalEndpoint{Name: strings.ReplaceAll(name, "_", " "), Endpoint: address})
	}
	return at
}

// price returns the price of a model in the settings, or nil if none is set.
func (m *models) price(ctx context.Context, used bus.ModelID) (*agent.Price, error) {
	var input, output, currency string
	err := m.log.View(ctx, func(ctx context.Context) error {
		endpoint, model, err := settings.ModelEndpoint(ctx)
		if err != nil || endpoint != used.Endpoint || model != used.Name {
			return err
		}
		input, output, currency, err = settings.ModelPrice(ctx)
		return err
	})
	if err != nil || currency == "" {
		return nil, err
	}
	p := &agent.Price{}
	return p, p.Parse(input, output, currency)
}

// core lists the capabilities that a model with a small context gets first. It ranks the usual ones by the number of
// calls by assistants in the last thirty days.
func (d *Desk) core(ctx context.Context) []string {
	usual := shop.Core()
	score := map[string]int64{}
	for i, name := range usual {
		score[name] = int64(len(usual) - i)
	}
	stats, err := d.Log.Stats(ctx, d.clock().AddDate(0, 0, -30).UnixMilli(), 0)
	if err != nil {
		slog.Warn("Could not count what assistants call.", "cause", err)
	}
	for _, c := range stats.Capabilities {
		if c.Caller == string(bus.CallerAgent) {
			score[c.Capability] += c.Calls
		}
	}
	names := slices.Sorted(maps.Keys(score))
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(score[b], score[a]) })
	return names
}
