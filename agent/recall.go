package agent

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/mask"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

func errNoConversation() error {
	return bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no such conversation.").WithHint("Begin a new one.")
}

// newConversation makes an empty one. The caller holds b.mu.
func (b *Bridge) newConversation(turn Turn) *conversation {
	provenance := &policy.Provenance{}
	provenance.SetAutonomy(policy.AskFirst)
	return &conversation{id: turn.ConversationID, person: turn.Principal.ID, provenance: provenance,
		mask: &mask.Mask{NameFields: b.o.NameFields}, ownRequests: map[string]bool{},
		callIDs: map[string]bool{}, limits: map[string]int{}, eventsSeen: b.log.end()}
}

// recall loads a stored conversation into memory, and reloads one after an erasure.
func (b *Bridge) recall(ctx context.Context, turn Turn) error {
	if b.o.Store == nil {
		return nil
	}
	now, err := b.o.Store.erased(ctx)
	if err != nil {
		return err
	}
	b.mu.Lock()
	c := b.conversations[turn.ConversationID]
	known := c != nil && (c.erasures == now || c.turn != nil)
	b.mu.Unlock()
	if known {
		return nil
	}
	kept, messages, err := b.o.Store.load(ctx, turn.ConversationID)
	if err != nil {
		return err
	}
	if kept != nil && kept.person != turn.Principal.ID {
		return errNoConversation()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conversations[turn.ConversationID] != c {
		return nil // another turn was quicker
	}
	fresh := b.newConversation(turn)
	if c != nil {
		fresh.person, fresh.eventsSeen, fresh.ownRequests = c.person, c.eventsSeen, c.ownRequests
		fresh.toolset = c.toolset
		if c.erasures.people != now.people { // events may name the erased person
			b.log.drain(b.sub)
			b.log.clear()
		}
	}
	fresh.erasures = now
	if kept != nil {
		fresh.restore(b, kept, messages)
	}
	b.conversations[turn.ConversationID] = fresh
	return nil
}

// restore fills an empty conversation from its stored messages.
func (c *conversation) restore(b *Bridge, kept *storedConversation, messages []messageRow) {
	calls := map[string]model.Call{} // by id
	for _, k := range messages {
		m := k.body
		if m.Role == model.RoleTool {
			m.Others = c.restoreOthers(b, calls[m.CallID].Capability, m)
		}
		c.messages = append(c.messages, m)
		for _, call := range m.Calls {
			c.callIDs[call.ID] = true
			calls[call.ID] = call
		}
		switch m.Role {
		case model.RoleUser:
			c.provenance.Heard(m.Text)
		case model.RoleTool:
			c.restoreResult(b, &job{call: calls[m.CallID]}, []byte(m.Text))
		}
	}
	c.saved = len(c.messages)
	c.provenance.SetAutonomy(kept.Autonomy)
	for _, title := range kept.tainted {
		c.provenance.ReadTainted(title)
	}
}

// restoreOthers reports whether a stored result contains text of other people, and restores the texts that the person
// let models read.
func (c *conversation) restoreOthers(b *Bridge, capability string, m model.Message) bool {
	var res bus.Result
	if json.Unmarshal([]byte(m.Text), &res) != nil {
		return false
	}
	texts := b.others(capability, res)
	if m.Shown != "" && m.Held == "" {
		c.pass(texts, m.Shown)
	}
	return len(texts) > 0
}

// restoreResult reads the values for cards and masks from the stored answer to a call.
func (c *conversation) restoreResult(b *Bridge, j *job, answer []byte) {
	if json.Unmarshal(answer, &j.result) != nil || !j.result.OK() {
		return
	}
	c.provenance.Learned(j.result.Data)
	known, is := b.o.Bus.Lookup(j.call.Capability)
	if !is {
		return
	}
	c.mask.Learn(known.OutputSchema, j.result.Data)
	j.capability, j.entry = known.Name, bus.ManifestEntry{Title: known.Title, SideEffect: known.SideEffect}
	j.edited = editedIn(answer)
	if !j.pure() {
		c.did(b.o.Bus, j)
	}
}

// editedIn returns the arguments that a person put in place of the model's, from the stored answer to a call.
func editedIn(answer []byte) json.RawMessage {
	var beside struct{ Note string }
	if json.Unmarshal(answer, &beside) != nil {
		return nil
	}
	if edited, is := strings.CutPrefix(beside.Note, editedNote); is && json.Valid([]byte(edited)) {
		return json.RawMessage(edited)
	}
	return nil
}

// save stores the new messages of the turn. If that fails, the conversation continues, because its actions have their
// records.
func (t *turnRun) save(ctx context.Context) {
	c := t.conv
	if t.b.o.Store == nil {
		return
	}
	err := t.b.o.Store.save(context.WithoutCancel(ctx),
		saving{conversation: c.id, person: c.person, title: t.text, tainted: c.provenance.Tainted(),
			autonomy: c.provenance.Autonomy(), known: c.erasures, begun: c.saved > 0,
			messages: c.messages[c.saved:], turn: t.id, by: *t.who.Model, spent: t.spent, at: t.b.o.Clock()})
	if err != nil {
		t.b.o.Logger.Error("a conversation was not stored", "conversation_id", c.id, "cause", err)
		return
	}
	c.saved = len(c.messages)
}

// erased reports whether any program erased a person since the conversation was read, so that its text may be about
// them. The next turn reads it again.
func (t *turnRun) erased(ctx context.Context) bool {
	if t.b.o.Store == nil {
		return false
	}
	now, err := t.b.o.Store.erased(context.WithoutCancel(ctx))
	if err != nil {
		t.b.o.Logger.Error("could not check for erasures", "conversation_id", t.conv.id, "cause", err)
	}
	return err != nil || now.people != t.conv.erasures.people
}

// errErased is the error of a request during which a person was erased.
var errErased = errors.New("agent: a person was erased")

// endedByErasure is the message of a turn that ends after an erasure.
const endedByErasure = "A person's data was erased meanwhile, so the assistant stopped. Ask for the rest again."

func (t *turnRun) endErased() (Status, string) {
	if len(t.actions) == 0 {
		return StatusLimit, endedByErasure
	}
	t.say(actionsText(t.actions) + " " + endedByErasure)
	return StatusDone, ""
}

// capabilityOf returns the capability whose tool has this name; nil for none.
func (b *Bridge) capabilityOf(tool string) *bus.Capability {
	for _, c := range b.o.Bus.Capabilities() {
		if strings.ReplaceAll(c.Name, ".", "_") == tool && !c.Assistant.Hidden {
			return c
		}
	}
	return nil
}
