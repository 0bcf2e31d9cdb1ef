package policy

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// Card is a question to a person: the effects of a call, with every argument and its origin.
type Card struct {
	ApprovalID     string         `json:"approval_id"`
	RequestID      string         `json:"request_id"`
	ConversationID string         `json:"conversation_id,omitempty"`
	Person         string         `json:"person,omitempty"` // the person who answers: the call's principal
	Client         string         `json:"client,omitempty"` // the program of an assistant that asks; absent: this one
	Capability     string         `json:"capability"`
	Title          string         `json:"title"`
	SideEffect     bus.SideEffect `json:"side_effect"`
	Sentence       string         `json:"sentence"`        // the effect, with names and amounts
	Steps          []string       `json:"steps,omitempty"` // of a plan: the effect of each step, in order
	Left           []leftOut      `json:"left,omitempty"`  // of plan.repeat: the records that are left out
	Moved          []bus.Effect   `json:"moved,omitempty"` // of [bus.Merge]: Before is the row in the source
	Arguments      []CardArgument `json:"arguments"`
	Facts          map[string]any `json:"facts,omitempty"`
	Effects        []bus.Effect   `json:"effects,omitempty"` // rows before and after
	Bills          []*bus.Bill    `json:"bills,omitempty"`   // see [bus.Preview]
	Changed        []string       `json:"changed,omitempty"` // differences from the card that became void
	Why            string         `json:"why,omitempty"`     // the reason to ask although grants may exist
	// bounds of a grant that the person may give with the answer; absent: none is possible
	Grant *GrantTerms `json:"grant,omitempty"`
	// the role whose right the call needs, such as "a manager"; absent: the person's own right is enough
	Needs     string         `json:"needs,omitempty"`
	Approvers []CardApprover `json:"approvers,omitempty"`  // with Needs: may allow it, by PIN, the lowest role first
	GrantText string         `json:"grant_text,omitempty"` // with Grant: the bounds in words
	Grantee   *Grantee       `json:"grantee,omitempty"`    // with Grant: the assistant that would get it
	// ms since 1970
	ExpiresAt int64 `json:"expires_at" jsonschema_extras:"x-time=true"`
	ExpiresIn int64 `json:"expires_in,omitempty"` // ms until ExpiresAt, for a page with another clock

	// Data is the data that would leave the machine in a network call, such as the complete mail. It is absent in other
	// calls, whose effects are in Effects.
	Data json.RawMessage `json:"data,omitempty"`

	Texts bus.Texts `json:"texts,omitempty"` // the translatable texts of Sentence, Steps and Left
}

// leftOut is a record that a plan leaves out, with the reason.
type leftOut struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// For reports whether a person may answer the card: it is their own, or they may approve it.
func (c *Card) For(person string) bool {
	return person != "" && (c.Person == person || c.mayApprove(person))
}

// Left returns the time until a card expires, by the policy's clock; it is negative after the expiry.
func (p *Policy) Left(c *Card) time.Duration { return time.UnixMilli(c.ExpiresAt).Sub(p.o.Clock()) }

// mayApprove reports whether a person is one of the card's approvers.
func (c *Card) mayApprove(person string) bool {
	return slices.ContainsFunc(c.Approvers, func(a CardApprover) bool { return a.ID == person })
}

// CardArgument is one value that the call would use.
type CardArgument struct {
	Pointer string `json:"pointer"` // JSON Pointer into the arguments
	Label   string `json:"label"`
	Value   any    `json:"value"`
	Text    string `json:"text"` // for people: the record's name in place of its id
	Origin  Origin `json:"origin"`
	Through int    `json:"through,omitempty"` // of a program: the last step that has the same value there
}

// Origin names the source of a value.
type Origin string

// The origins, from the most to the least trustworthy.
const (
	OriginSaid     Origin = "said"      // the person typed it
	OriginLookedUp Origin = "looked_up" // a result contained it
	OriginDefault  Origin = "default"   // the schema's default
	OriginGuess    Origin = "guess"     // the assistant chose it
)

// CardEvent reports that a card opened or closed.
type CardEvent struct {
	Type   string     `json:"type"` // CardOpened or CardClosed
	Card   Card       `json:"card"`
	Answer bus.Answer `json:"answer,omitempty"` // closed: "allow", "deny", "edit", "grant", "expired" or "stopped"
}

// The types of a CardEvent.
const (
	CardOpened = "opened"
	CardClosed = "closed"
)

func newCard(x *Provenance, req *bus.ApprovalRequest, preview *bus.Preview) Card {
	c := Card{
		RequestID:      req.Invocation.RequestID,
		ConversationID: req.Invocation.Principal.ConversationID,
		Person:         req.Invocation.Principal.ID,
		Capability:     req.Capability.Name,
		Title:          req.Capability.Title,
		SideEffect:     req.Capability.SideEffect,
		Arguments:      append([]CardArgument{}, x.Arguments(asDone(req, preview))...), // JSON needs a list, not null
		Facts:          preview.Facts,
		Effects:        preview.Effects,
		Bills:          cleanBills(preview.Bills),
		Changed:        differencesFrom(req.Changed, preview),
	}
	if who := req.Invocation.Principal; who.Model != nil && who.Model.Endpoint == who.Door {
		c.Client = text.Shown(who.Model.Name, 100) // a client's door is its endpoint: this program does not run its model
	}
	if c.say(preview.Texts.At("/summary", preview.Summary), 500); c.Sentence == "" {
		c.say(req.Capability.TitleText(), 500)
	}
	if req.Capability.SideEffect == bus.Network {
		c.Data = preview.Data
	}
	if req.Capability.IsPlan() {
		plan := schema.PlanSteps(preview.Data)
		for i, s := range plan.Steps {
			at := fmt.Sprintf("/steps/%d", i)
			said := preview.Texts.At("/data"+at+"/summary", s.Summary)
			c.Steps = append(c.Steps, shownSentence(said, text.MaxShown).String())
			c.Texts.Put(at, shownSentence(said, text.MaxShown))
		}
		switch title := req.Invocation.As.Title; {
		case title != "":
			c.say(bus.Textf("Run the routine %s", text.Shown(title, 100)), 500)
		case plan.OneByOne:
			c.say(bus.Textf("Do %d things one after the other, up to the first that fails", len(c.Steps)), 500)
		default:
			c.say(bus.Textf("Do %d things as one", len(c.Steps)), 500)
		}
		if plan.Subjects > 0 { // the steps and the left-out records show every argument
			c.say(preview.Texts.At("/summary", preview.Summary), text.MaxShown)
			c.Arguments = []CardArgument{}
		}
		for i, l := range plan.Left {
			at := fmt.Sprintf("/left/%d/why", i)
			why := shownSentence(preview.Texts.At("/data"+at, l.Why), text.MaxShown)
			c.Left = append(c.Left, leftOut{text.Shown(l.Name, text.MaxShown), why.String()})
			c.Texts.Put(at, why)
		}
		for _, m := range plan.Moved {
			c.Moved = append(c.Moved, bus.Effect{Table: m.Table, Key: m.Key, Op: bus.Update, Before: m.Shown, After: m.After})
		}
	}
	return c
}

// say sets the card's sentence.
func (c *Card) say(what bus.Text, limit int) {
	shown := shownSentence(what, limit)
	c.Sentence = shown.String()
	delete(c.Texts, "/sentence")
	c.Texts.Put("/sentence", shown)
}

// explain sets the reason on the card: why no grant answers, and the outcome of the same call before. Each may be zero.
func (c *Card) explain(why, came bus.Text) {
	if !came.IsZero() {
		done := bus.Textf("In this conversation it was done before: %s", shownSentence(came, text.MaxShown))
		if why.IsZero() {
			why = done
		} else {
			why = bus.Textf("%s %s", why, done)
		}
	}
	if c.Why = why.String(); c.Why != "" {
		c.Texts.Put("/why", why)
	}
}

// shownSentence shortens a sentence for a card. A shortened sentence is no longer translatable and stays English.
func shownSentence(t bus.Text, limit int) bus.Text {
	shown := t.Map(func(value string) string { return text.Shown(value, text.MaxShown) })
	if cut := text.Shown(shown.String(), limit); cut != shown.String() {
		return bus.Textf("%s", cut)
	}
	return shown
}

// Arguments lists every value of a call, nested values by their pointer, in the order of the schema's properties.
func (x *Provenance) Arguments(req *bus.ApprovalRequest) []CardArgument {
	fields := schema.Fields(req.Capability.InputSchema)
	decoded, _ := text.ParseJSON(req.Invocation.Arguments) // the bus decoded them
	args, _ := decoded.(map[string]any)
	place := func(name string) int { // names that the schema lacks come last
		i := slices.IndexFunc(fields, func(f schema.Field) bool { return f.Name == name })
		if i < 0 {
			return len(fields)
		}
		return i
	}
	names := slices.SortedFunc(maps.Keys(args), func(a, b string) int {
		return cmp.Or(place(a)-place(b), strings.Compare(a, b))
	})
	var list []CardArgument
	for _, name := range names {
		f, top := schema.Named(fields, name), "/"+jsonpointer.Escape(name)
		eachValue(top, args[name], func(pointer string, v any) {
			if n, is := v.(json.Number); is {
				if plain, err := n.Float64(); err == nil && text.Value(plain) == n.String() {
					v = plain // no precision is lost
				}
			}
			a := CardArgument{Pointer: pointer, Label: placeLabel(f.Label(), pointer[len(top):]), Value: v, Text: text.Value(v),
				Origin: OriginSaid}
			if schema.EntityAt(req.Capability.InputSchema, pointer) != "" { // text that is no id is shown unchanged
				a.Text = x.text(v)
			}
			if req.Invocation.Caller.Type == bus.CallerAgent {
				a.Origin = x.origin(v, f)
			} else if req.Invocation.Caller.ParentRequestID != "" { // an assistant's suggestion
				a.Origin = OriginGuess
			}
			list = append(list, a)
		})
	}
	return list
}

// placeLabel returns the label of a value inside a field, by its pointer from there: "Lines 1 name" for /0/name.
func placeLabel(field, inside string) string {
	words := []string{field}
	for part := range strings.SplitSeq(strings.TrimPrefix(inside, "/"), "/") {
		if n, err := strconv.Atoi(part); err == nil {
			words = append(words, strconv.Itoa(n+1)) // people count from 1
		} else if part != "" {
			words = append(words, keyLabel(jsonpointer.Unescape(part)))
		}
	}
	return strings.Join(words, " ")
}

// fieldName matches the names of schema fields. Keys that people type usually look different.
var fieldName = regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`)

// keyLabel returns the label of a key: a field name becomes words, and a key that a person typed stays unchanged.
func keyLabel(key string) string {
	if fieldName.MatchString(key) {
		return strings.ToLower(schema.Label(key))
	}
	return text.Shown(key, text.MaxShown)
}

// nameRecords replaces ids with names, with the rights of the person who made the call. The record's own name wins over
// a name from a result. An unknown record keeps its id.
func (p *Policy) nameRecords(ctx context.Context, args []CardArgument, req *bus.ApprovalRequest) {
	b, x, records := p.bus.Load(), provenanceOf(ctx), map[string][]int{}
	byAgent := req.Invocation.Caller.Type == bus.CallerAgent
	if b == nil {
		return
	}
	for i, a := range args {
		id, isText := a.Value.(string)
		if of := entityAt(b, req, a.Pointer); of != "" && isText && id != "" {
			records[of] = append(records[of], i)
		}
	}
	for of, at := range records {
		var ids []string
		for _, i := range at {
			ids = append(ids, args[i].Value.(string))
		}
		names, err := b.Names(ctx, req.Invocation.Principal, of, ids...)
		if err != nil {
			return
		}
		for _, i := range at {
			id := args[i].Value.(string)
			name := names[id]
			if name == "" {
				continue
			}
			args[i].Text = text.Shown(name, text.MaxShown)
			// A result can pair the id with another record's name, one that the person did say.
			if byAgent && args[i].Origin == OriginSaid && !x.saidRecord(id, name) {
				args[i].Origin = OriginLookedUp
			}
		}
	}
}

// entityAt returns the record type of an argument that is an id, also inside a step of a plan; "" for other arguments.
func entityAt(b *bus.Bus, req *bus.ApprovalRequest, pointer string) string {
	step, inside, isStep := strings.Cut(pointer, "/arguments/")
	if !req.Capability.IsPlan() || !isStep {
		return schema.EntityAt(req.Capability.InputSchema, pointer)
	}
	var args any
	_ = json.Unmarshal(req.Invocation.Arguments, &args) // the bus decoded them
	name, _ := jsonpointer.At(args, step+"/capability")
	of, _ := name.(string)
	if c, found := b.Lookup(of); found {
		return schema.EntityAt(c.InputSchema, "/"+inside)
	}
	return ""
}

// eachValue visits the leaves of v. An amount of money is one leaf.
func eachValue(pointer string, v any, visit func(string, any)) {
	switch t := v.(type) {
	case map[string]any:
		if _, ok := text.Money(t); ok || len(t) == 0 {
			visit(pointer, v)
			return
		}
		for _, k := range slices.Sorted(maps.Keys(t)) {
			eachValue(pointer+"/"+jsonpointer.Escape(k), t[k], visit)
		}
	case []any:
		if len(t) == 0 {
			visit(pointer, v)
			return
		}
		for i, e := range t {
			eachValue(fmt.Sprintf("%s/%d", pointer, i), e, visit)
		}
	default:
		visit(pointer, v)
	}
}

// differencesFrom returns sentences about the differences between a void card and the new one.
func differencesFrom(before, now *bus.Preview) []string {
	if before == nil {
		return nil
	}
	var list []string
	if before.Summary != now.Summary {
		list = append(list, fmt.Sprintf("Before: %s Now: %s", text.Sentence(before.Summary), text.Sentence(now.Summary)))
	}
	names := slices.AppendSeq(slices.Collect(maps.Keys(now.Facts)), maps.Keys(before.Facts))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		was, is := factText(before.Facts[name]), factText(now.Facts[name])
		if was != is {
			list = append(list, fmt.Sprintf("%s was %s and is now %s.", text.Capitalize(text.SplitName(name)), was, is))
		}
	}
	if a, b := len(before.Effects), len(now.Effects); a != b {
		list = append(list, fmt.Sprintf("It changes %d rows instead of %d.", b, a))
	} else if !reflect.DeepEqual(before.Effects, now.Effects) && len(list) == 0 {
		list = append(list, "The rows it changes are different now.")
	}
	if len(list) == 0 {
		list = append(list, "What it would give is different now.")
	}
	return list
}

// factText formats a fact, which may still be a Go value of the handler.
func factText(v any) string {
	if v == nil {
		return "not known"
	}
	return text.Value(plainValue(v))
}

// cleanBills returns bills with every text on one line of limited length.
func cleanBills(all []*bus.Bill) []*bus.Bill {
	var list []*bus.Bill
	for _, r := range all {
		if r == nil {
			list = append(list, nil)
			continue
		}
		c := &bus.Bill{}
		for _, l := range r.Lines {
			c.Lines = append(c.Lines, bus.BillLine{Quantity: l.Quantity, Text: shownText(l.Text), Each: shownText(l.Each),
				Amount: shownText(l.Amount)})
		}
		c.Sums, c.About = cleanValues(r.Sums), cleanValues(r.About)
		for _, f := range r.Follows {
			c.Follows = append(c.Follows, shownText(f))
		}
		list = append(list, c)
	}
	return list
}

func cleanValues(all []bus.BillValue) (list []bus.BillValue) {
	for _, v := range all {
		list = append(list, bus.BillValue{Label: shownText(v.Label), Text: shownText(v.Text), Argument: v.Argument})
	}
	return list
}

func shownText(s string) string { return text.Shown(s, text.MaxShown) }
