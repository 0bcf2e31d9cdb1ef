package bus

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/deskhand/deskhand/internal/fieldtag"
)

// registered is a capability with all derived values.
type registered struct {
	Capability
	in, out side
	rate    *rateBucket
	sight   sight
	entry   func() *ManifestEntry // its part of a manifest, except for the current state
	encoded func() *encodedEntry  // of it
}

// MustRegister is Register for start-up. It panics with the error.
func (b *Bus) MustRegister(caps ...Capability) {
	if err := b.Register(caps...); err != nil {
		panic("bus: " + err.Error())
	}
}

// Register adds all of the capabilities, or none; then the error names the wrong one and the mistake.
func (b *Bus) Register(caps ...Capability) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.register(slices.Clone(b.listed.Load().caps), caps)
}

// With makes a bus with other options. caps replace the registered capabilities of b with the same names. It shares all
// others. Package bustest inspects an application in this way.
func (b *Bus) With(o Options, caps ...Capability) (*Bus, error) {
	other := New(o)
	kept := slices.DeleteFunc(slices.Clone(b.listed.Load().caps), func(r *registered) bool {
		return slices.ContainsFunc(caps, func(c Capability) bool { return c.Name == r.Name })
	})
	return other, other.register(kept, caps)
}

// register adds caps to all. It keeps the slice.
func (b *Bus) register(all []*registered, caps []Capability) error {
	byName, byTool := map[string]*registered{}, map[string]string{}
	for _, r := range all {
		byName[r.Name], byTool[toolName(r.Name)] = r, r.Name
	}
	for _, c := range caps {
		r, err := b.resolve(c)
		if err != nil {
			return fmt.Errorf("capability %q: %w", c.Name, err)
		}
		if byName[c.Name] != nil {
			return fmt.Errorf("capability %q: registered twice", c.Name)
		}
		if other, taken := byTool[toolName(c.Name)]; taken {
			return fmt.Errorf("capability %q: its tool name collides with %q", c.Name, other)
		}
		all = append(all, r)
		byName[c.Name], byTool[toolName(c.Name)] = r, c.Name
	}
	l := newListing(all)
	var err error
	if l.kinds, err = entitiesOf(all); err != nil {
		return err
	}
	for _, r := range l.caps {
		for _, name := range r.Checks.Requires {
			if other := byName[name]; other == nil || other.SideEffect != Pure {
				return fmt.Errorf("capability %q: requires %q, which is not a registered pure capability", r.Name, name)
			}
		}
	}
	b.listed.Store(l)
	return nil
}

// resolve checks a definition, sets its defaults and compiles its schemas.
func (b *Bus) resolve(c Capability) (*registered, error) {
	if c.wrong == nil {
		c.infer(b.o.CompileLate)
	}
	checks := [...]func(*Capability) error{checkWords, checkKinds, checkPreconditions, checkResources, checkDomains,
		b.checkPermissions}
	for _, check := range checks {
		if err := check(&c); err != nil {
			return nil, err
		}
	}
	c.setDefaults()
	r := &registered{Capability: c}
	var err error
	if r.in.Schema, err = c.of.in.compiled(c.InputSchema, b.o.CompileLate); err != nil {
		return nil, fmt.Errorf("%s: %w", inputSide, err)
	}
	if r.out.Schema, err = c.of.out.compiled(c.OutputSchema, b.o.CompileLate); err != nil {
		return nil, fmt.Errorf("%s: %w", outputSide, err)
	}
	if late := b.o.CompileLate && c.of.in.by.t != nil; !late {
		if err = cmp.Or(r.checkNames(), r.checkEntities()); err != nil {
			return nil, err
		}
	}
	r.of.in.by.t, r.of.out.by.t = nil, nil // a copy without a schema has none
	if _, err = json.Marshal(c.Run.Retry); err != nil {
		return nil, fmt.Errorf("it cannot be written into a manifest: %w", err)
	}
	if c.Run.RateLimit != nil {
		if r.rate, err = newRateBucket(*c.Run.RateLimit); err != nil {
			return nil, err
		}
	}
	r.sight = c.prepareSight()
	return r, nil
}

const (
	inputSide, outputSide = "input schema", "output schema"

	contextClient = "client" // it runs where the person is: in their window, at their terminal

	anyDomain = "*" // of Capability.Changes and Provides

	longestName    = 64 // limit of tool names at common endpoints
	defaultTimeout = 30 * time.Second
	defaultVersion = "1.0.0"
)

func (c *Capability) setDefaults() {
	domain, _, _ := strings.Cut(c.Name, ".")
	c.Listing.Category = cmp.Or(c.Listing.Category, domain)
	switch {
	case c.SideEffect == Pure && c.Provides == nil:
		c.Provides = []string{domain}
	case c.IsComposite() && c.Changes == nil:
		c.Changes = []string{anyDomain}
	case c.SideEffect != Pure && c.Changes == nil:
		c.Changes = []string{domain}
	}
	c.Type = cmp.Or(c.Type, TypeAction)
	c.Version = cmp.Or(c.Version, defaultVersion)
	c.Run.Timeout = cmp.Or(c.Run.Timeout, defaultTimeout)
	c.Run.ExecutionContext = cmp.Or(c.Run.ExecutionContext, "local")
	c.Run.Concurrency = cmp.Or(c.Run.Concurrency, Concurrent)
}

var (
	nameForm    = regexp.MustCompile(`^[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)+$`)
	versionForm = regexp.MustCompile(`^\d+(\.\d+)*([-+][0-9A-Za-z.+-]+)?$`)
	slotForm    = regexp.MustCompile(`\{-?([^{}]*)\}`)
	hintForm    = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[\s("'` + "`" + `])([A-Za-z]\w*(?:\.\w\w+)+)`)
	})
)

func checkWords(c *Capability) error {
	switch {
	case c.wrong != nil:
		return c.wrong
	case !nameForm.MatchString(c.Name) || len(c.Name) > longestName:
		return fmt.Errorf("the name must be domain.verb of letters, digits and _ (at most %d)", longestName)
	case c.Title == "":
		return errors.New("it has no title")
	case c.Description == "":
		return errors.New("it has no description")
	}
	for place, version := range map[string]string{"/version": c.Version, "/since": c.Since} {
		if version != "" && !versionForm.MatchString(version) {
			return fmt.Errorf("at %s: %q is not numbers with dots between", place, version)
		}
	}
	return nil
}

// checkNames checks that slots of phrases and names in Grantable refer to fields or facts.
func (r *registered) checkNames() error {
	for i, phrase := range r.Assistant.Phrases {
		slots, closed := slotsOf(phrase)
		for _, slot := range slots {
			if !r.in.HasField("/" + slot) {
				return fmt.Errorf("at /phrases/%d: %q has a slot {%s}, and the input no such field", i, phrase, slot)
			}
		}
		if !closed {
			return fmt.Errorf("at /phrases/%d: %q has a brace too many", i, phrase)
		}
	}
	for i, name := range r.Assistant.Grantable {
		if !slices.Contains(r.Facts, name) && !r.in.HasField("/"+name) {
			return fmt.Errorf("at /grantable/%d: %q is neither a fact nor a field of the input", i, name)
		}
	}
	return nil
}

// slotsOf returns the names in the slots of a phrase, and whether all braces belong to slots.
func slotsOf(phrase string) (names []string, closed bool) {
	for {
		i := strings.IndexAny(phrase, "{}")
		if i < 0 {
			return names, true
		}
		n := strings.IndexAny(phrase[i+1:], "{}")
		if phrase[i] == '}' || n < 0 || phrase[i+1+n] == '{' {
			return names, false
		}
		names = append(names, strings.TrimPrefix(phrase[i+1:i+1+n], "-"))
		phrase = phrase[i+n+2:]
	}
}

// Check finds mistakes that Register cannot detect, because a later registration may resolve them: hints of
// preconditions that name an unknown capability. Call it after all registrations. The bus also logs its findings at
// first use, unless it compiles late.
func (b *Bus) Check() error {
	var wrong []error
	for _, r := range b.listed.Load().caps {
		for i, p := range r.Checks.Preconditions {
			for _, name := range hintForm().FindAllStringSubmatch(p.Hint, -1) {
				if b.find(name[1]) == nil {
					wrong = append(wrong, fmt.Errorf("capability %q: at /preconditions/%d/recovery_hint: "+
						"%q is no capability", r.Name, i, name[1]))
				}
			}
		}
	}
	return errors.Join(append(wrong, b.listed.Load().checkKnown()...)...)
}

func (b *Bus) logWrong() {
	if err := b.Check(); err != nil {
		b.o.Logger.Error("bus: wrong definitions", "error", err)
	}
}

func checkKinds(c *Capability) error {
	rules := []Rule{"", RuleAllow, RuleConfirm, RuleDeny}
	switch {
	case c.Handler == nil && c.standsFor == nil:
		return errors.New("it has no handler")
	case !slices.Contains([]SideEffect{Pure, UIOnly, Network, Destructive}, c.SideEffect):
		return fmt.Errorf("side effect %q is not one of pure, ui-only, network, destructive", c.SideEffect)
	case !slices.Contains([]Type{"", TypeAction, TypeData, TypeState, TypeControl, TypeStatus}, c.Type):
		return fmt.Errorf("type %q is not one of action, data, state, control, status", c.Type)
	case c.Run.QueueDepth != 0 && cmp.Or(c.Run.Concurrency, Concurrent) == Concurrent:
		return errors.New("it has a queue depth, and nothing to queue for: it may overlap")
	case !slices.Contains([]string{"", "local", contextClient, "remote"}, c.Run.ExecutionContext):
		return fmt.Errorf("at /execution_context: %q is not one of local, client, remote", c.Run.ExecutionContext)
	}
	for _, mode := range []Concurrency{Exclusive, Concurrent} {
		if c.Run.Concurrency != mode && fieldtag.Nearly(string(c.Run.Concurrency), string(mode)) {
			return fmt.Errorf("at /concurrency: %q is nearly %q: write that, or another name of a group", c.Run.Concurrency,
				mode)
		}
	}
	for _, rule := range []Rule{c.Checks.Access.User, c.Checks.Access.Agent} {
		if !slices.Contains(rules, rule) {
			return fmt.Errorf("access rule %q is not one of allowed, confirmation_required, forbidden", rule)
		}
	}
	return nil
}

func checkPreconditions(c *Capability) error {
	for i, p := range c.Checks.Preconditions {
		if p.Name == "" || p.Check == nil {
			return fmt.Errorf("at /preconditions/%d: %q has no name or no Check", i, p.Name)
		}
		if slices.ContainsFunc(c.Checks.Preconditions[:i], func(q Precondition) bool { return q.Name == p.Name }) {
			return fmt.Errorf("it has two preconditions called %q", p.Name)
		}
	}
	return nil
}

// resources lists the valid resources, to detect misspelt ones.
var resources = []string{"database:read", "database:write", "network:read", "network:write",
	"filesystem:read", "filesystem:write", "secrets:read", "compute:execute"}

// checkResources checks the resources, and Preview, which only suits effects outside the database.
func checkResources(c *Capability) error {
	for _, name := range c.Resources {
		if !slices.Contains(resources, name) {
			return fmt.Errorf("resource %q is not one of %s", name, strings.Join(resources, ", "))
		}
	}
	switch outside := c.SideEffect == UIOnly && !c.writes(); {
	case c.SideEffect == Pure && c.writes():
		return errors.New("a pure capability cannot have database:write")
	case c.SideEffect == Network && c.writes():
		return errors.New("a network capability runs outside the transaction and cannot have database:write")
	case c.SideEffect == Network && c.Run.Preview == nil && c.standsFor == nil:
		return errors.New("a network capability has a Preview of its own")
	case c.Run.Prepare != nil && !c.writes():
		return errors.New("only what has a transaction prepares for it")
	case c.Run.Preview != nil && c.SideEffect != Network && !outside:
		return errors.New("only what reaches beyond the database has a Preview of its own")
	}
	return nil
}

// checkDomains checks the form of domains, and that an action has no Provides.
func checkDomains(c *Capability) error {
	for _, domain := range slices.Concat(c.Changes, c.Provides) {
		if domain != anyDomain && !entityForm().MatchString(domain) {
			return fmt.Errorf("the domain %q is not a word", domain)
		}
	}
	if c.SideEffect != Pure && c.Provides != nil {
		return errors.New("only a pure capability provides an answer that is kept")
	}
	return nil
}

var scopeForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_]+:[A-Za-z0-9_]+$`) })

func (b *Bus) checkPermissions(c *Capability) error {
	for _, p := range c.Permissions {
		switch {
		case isScope(p) && !scopeForm().MatchString(p):
			return fmt.Errorf("scope %q is not domain:action", p)
		case !isScope(p) && b.o.Conditions[p] == nil:
			return fmt.Errorf("condition %q is not defined", p)
		}
	}
	return nil
}
