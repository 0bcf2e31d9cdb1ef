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

// Card is a question to a person: what would happen, with every argument and where it came from.
type Card struct {
	ApprovalID     string         `json:"approval_id"`
	RequestID      string         `json:"request_id"`
	ConversationID string         `json:"conversation_id,omitempty"`
	Person         string         `json:"person,omitempty"` // whose card it is: who made the request, or for whom
	Client         string         `json:"client,omitempty"` // the other program whose assistant asks; absent: one of here
	Capability     string         `json:"capability"`
	Title          string         `json:"title"`
	SideEffect     bus.SideEffect `json:"side_effect"`
	Sentence       string         `json:"sentence"`        // what will happen, with names and amounts
	Steps          []string       `json:"steps,omitempty"` // of a plan: what each does, in their order
	Left           []leftOut      `json:"left,omitempty"`  // of plan.repeat: with what it is not done
	Moved          []bus.Effect   `json:"moved,omitempty"` // of [bus.Merge]: Before is what a row became there
	Arguments      []CardArgument `json:"arguments"`
	Facts          map[string]any `json:"facts,omitempty"`
	Effects        []bus.Effect   `json:"effects,omitempty"` // rows before and after
	Bills          []*bus.Bill    `json:"bills,omitempty"`   // see [bus.Preview]
	Changed        []string       `json:"changed,omitempty"` // what differs from the card that became void
	Why            string         `json:"why,omitempty"`     // why it is asked although there may be a grant
	// bounds in which it may be allowed from now on; absent: never
	Grant *GrantTerms `json:"grant,omitempty"`
	// whose right it takes, such as "a manager"; absent: the person's own
	Needs     string         `json:"needs,omitempty"`
	Approvers []CardApprover `json:"approvers,omitempty"`  // with Needs: who may allow it, each by PIN, the nearest first
	GrantText string         `json:"grant_text,omitempty"` // with Grant: the same in words
	Grantee   *Grantee       `json:"grantee,omitempty"`    // with Grant: whom it would be for
	// ms since 1970
	ExpiresAt int64 `json:"expires_at" jsonschema_extras:"x-time=true"`
	ExpiresIn int64 `json:"expires_in,omitempty"` // ms until then, for a page with another clock

	// Data is what would leave the machine, of a call that reaches outside: the mail
	// as it would be sent. Absent elsewhere: there the rows say it.
	Data json.RawMessage `json:"data,omitempty"`

	Texts bus.Texts `json:"texts,omitempty"` // of Sentence, Steps and Left
}

// leftOut is a record with which something is not done, and why.
type leftOut struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// For reports whether a card is one that a person may answer: their own, or one they may approve.
func (c *Card) For(person string) bool {
	return person != "" && (c.Person == person || c.mayApprove(person))
}

// Left is the time for which a card can be answered yet, by the policy's clock; below zero after its end.
func (p *Policy) Left(c *Card) time.Duration { return time.UnixMilli(c.ExpiresAt).Sub(p.o.Clock()) }

// mayApprove reports whether a person may say yes beside the card's own.
func (c *Card) mayApprove(person string) bool {
	return slices.ContainsFunc(c.Approvers, func(a CardApprover) bool { return a.ID == person })
}

// CardArgument is one value that will be used.
type CardArgument struct {
	Pointer string `json:"pointer"` // JSON Pointer into the arguments
	Label   string `json:"label"`
	Value   any    `json:"value"`
	Text    string `json:"text"` // for people: the name behind an id
	Origin  Origin `json:"origin"`
	Through int    `json:"through,omitempty"` // of a program: up to which step all have the same value there
}

// Origin says where a value came from.
type Origin string

// The origins, from the most to the least trustworthy.
const (
	OriginSaid     Origin = "said"      // the person said it
	OriginLookedUp Origin = "looked_up" // it was in a result
	OriginDefault  Origin = "default"   // the schema's default
	OriginGuess    Origin = "guess"     // the assistant's own
)

// CardEvent tells that a card opened or closed.
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
		Changed:        changes(req.Changed, preview),
	}
	if who := req.Invocation.Principal; who.Model != nil && who.Model.Endpoint == who.Door {
		c.Client = text.Shown(who.Model.Name, 100) // its door is its endpoint: it runs no model of this program's
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
		if plan.Subjects > 0 { // the steps and what is left out say all that the arguments do
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

// say makes a sentence the card's.
func (c *Card) say(what bus.Text, limit int) {
	shown := shownSentence(what, limit)
	c.Sentence = shown.String()
	delete(c.Texts, "/sentence")
	c.Texts.Put("/sentence", shown)
}

// explain sets the reason of the card: why no grant answers, and the outcome of the same call before. Each may be zero.
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

// shownSentence is a sentence as a card shows it. One that is too long is in English only.
func shownSentence(t bus.Text, limit int) bus.Text {
	shown := t.Map(func(value string) string { return text.Shown(value, text.MaxShown) })
	if cut := text.Shown(shown.String(), limit); cut != shown.String() {
		return bus.Textf("%s", cut)
	}
	return shown
}

// Arguments lists every value, nested ones by their pointer, in the order of the schema's properties.
func (x *Provenance) Arguments(req *bus.ApprovalRequest) []CardArgument {
	fields := schema.Fields(req.Capability.InputSchema)
	decoded, _ := text.ParseJSON(req.Invocation.Arguments) // the bus decoded them
	args, _ := decoded.(map[string]any)
	place := func(name string) int { // names that the schema does not have come last
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
					v = plain // it loses nothing
				}
			}
			a := CardArgument{Pointer: pointer, Label: placeLabel(f.Label(), pointer[len(top):]), Value: v, Text: text.Value(v),
				Origin: OriginSaid}
			if schema.EntityAt(req.Capability.InputSchema, pointer) != "" { // a text is shown as it is
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

// placeLabel is the label of a value inside of a field, by its pointer from there: "Lines 1 name" for /0/name.
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

// fieldName matches names that schemas give to fields; people write keys otherwise.
var fieldName = regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`)

// keyLabel is the label of a key in a value: words for the name of a field, and a key that a person wrote as it is.
func keyLabel(key string) string {
	if fieldName.MatchString(key) {
		return strings.ToLower(schema.Label(key))
	}
	return text.Shown(key, text.MaxShown)
}

// nameRecords writes names in place of ids, as the person whose call it is knows them: a record's own name before one
// that some result gave to its id. An unknown record keeps its id.
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
			// A result may have given the id the name of something that the person did say.
			if byAgent && args[i].Origin == OriginSaid && !x.saidRecord(id, name) {
				args[i].Origin = OriginLookedUp
			}
		}
	}
}

// entityAt is the kind of record that an argument is the id of, that of a step of a plan too; "" if it is none.
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

// eachValue visits the leaves of v; an amount of money is one leaf.
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

// changes says in sentences what a new card shows that the void one did not.
func changes(before, now *bus.Preview) []string {
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

// factText shows a fact, which may still be the handler's own Go value.
func factText(v any) string {
	if v == nil {
		return "not known"
	}
	return text.Value(plainValue(v))
}

// cleanBills are bills as a card shows them: each text is one line of limited length.
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
