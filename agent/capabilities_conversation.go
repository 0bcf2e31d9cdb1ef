package agent

import (
	"context"
	"fmt"

	"github.com/deskhand/deskhand/agent/internal/stored"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

type conversationListInput struct {
	Cursor string `json:"cursor,omitempty" jsonschema:"maxLength=200"`
	Limit  int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=200,default=50"`
}

type conversationListOutput struct {
	Conversations []listedConversation `json:"conversations" jsonschema_description:"The one that was used last first."`
	NextCursor    string               `json:"nextCursor,omitempty"`
	HasMore       bool                 `json:"hasMore"`
}

type listedConversation struct {
	ID        string      `json:"id"`
	Title     string      `json:"title" jsonschema_extras:"x-tainted=true"`
	StartedAt int64       `json:"startedAt" jsonschema_description:"Unix ms." jsonschema_extras:"x-time=true"`
	UpdatedAt int64       `json:"updatedAt" jsonschema_extras:"x-time=true"`
	Tokens    model.Usage `json:"tokens" jsonschema_description:"Of all turns."`

	Autonomy policy.Autonomy `json:"autonomy" jsonschema:"enum=look,enum=ask,enum=grants"`
}

type conversationGetOutput struct {
	listedConversation
	Turns   []conversationTurn `json:"turns" jsonschema_description:"The oldest first, with the one that goes on."`
	Running string             `json:"running,omitempty"`
	Updates []any              `json:"updates" jsonschema_description:"What its turns told, to be told again."`
}

type conversationTurn struct {
	ID     string      `json:"id"`
	At     int64       `json:"at" jsonschema_extras:"x-time=true"`
	Tokens model.Usage `json:"tokens"`
}

type conversationIDInput struct {
	ConversationID string `json:"conversationId" jsonschema:"minLength=1,maxLength=100"`
}

type conversationRenameInput struct {
	ConversationID string `json:"conversationId" jsonschema:"minLength=1,maxLength=100"`
	Title          string `json:"title" jsonschema:"minLength=1,maxLength=80"`
}

// conversationCapabilities returns conversation.list, conversation.get, conversation.rename and conversation.remove,
// each for the conversations of the signed-in person.
func conversationCapabilities(s *Store, thread func(string) (string, []any, int64)) []bus.Capability {
	base := bus.Capability{Texts: texts,
		Permissions: []string{"conversation:read"},
		SideEffect:  bus.Pure, Resources: []string{"database:read"},
		Listing: bus.Listing{Category: "assistant", Group: "conversation"},
		Checks:  bus.Checks{Access: bus.Access{Agent: bus.RuleDeny}},
		Run:     bus.Run{Idempotent: true}}
	list, get, rename, remove := base, base, base, base
	list.Name, list.Type = "conversation.list", bus.TypeData
	get.Name, get.Type = "conversation.get", bus.TypeData
	rename.Name = "conversation.rename"
	remove.Name = "conversation.remove"
	for _, c := range []*bus.Capability{&rename, &remove} {
		c.SideEffect, c.Permissions, c.Resources = bus.UIOnly, []string{"conversation:write"}, []string{"database:write"}
	}
	return []bus.Capability{
		bus.Define(list, s.list),
		bus.Define(get, func(ctx context.Context, call *bus.Call, in conversationIDInput) (conversationGetOutput, error) {
			return s.get(ctx, call, in.ConversationID, thread)
		}),
		bus.Define(rename, func(ctx context.Context, call *bus.Call, in conversationRenameInput) (struct{}, error) {
			title := text.Clean(in.Title, maxTitle)
			if title == "" {
				return struct{}{}, bus.Errorf(bus.Validation, bus.ReasonArguments, "The title is empty.")
			}
			if _, err := s.own(ctx, call, in.ConversationID); err != nil {
				return struct{}{}, err
			}
			call.Summarize("Call the conversation %s", title)
			call.Announce("conversation", bus.Textf("A conversation has another title."), in.ConversationID)
			return struct{}{}, s.db.Exec(ctx, `UPDATE agent_conversations SET title = $1 WHERE id = $2`, title,
				in.ConversationID)
		}),
		bus.Define(remove, func(ctx context.Context, call *bus.Call, in conversationIDInput) (struct{}, error) {
			c, err := s.own(ctx, call, in.ConversationID)
			if err != nil {
				return struct{}{}, err
			}
			call.Summarize("Remove the conversation %s", c.Title)
			call.Announce("conversation", bus.Textf("A conversation was removed."), in.ConversationID)
			return struct{}{}, s.remove(ctx, call, in.ConversationID)
		}),
	}
}

// remove deletes a conversation. A program that has it in memory detects that like an erasure.
func (s *Store) remove(ctx context.Context, call *bus.Call, id string) error {
	for _, statement := range []string{`DELETE FROM agent_messages WHERE conversation = $1`,
		`DELETE FROM agent_conversations WHERE id = $1`} {
		if err := s.db.Exec(ctx, statement, id); err != nil {
			return err
		}
	}
	return s.db.Exec(ctx, `INSERT INTO agent_forgotten (token) VALUES ($1)`, call.NewID(removedToken))
}

// own finds a conversation of the caller. Another person's conversation counts as missing.
func (s *Store) own(ctx context.Context, call *bus.Call, id string) (*storedConversation, error) {
	c, err := s.conversationOf(ctx, id)
	if err == nil && (c == nil || c.person != call.Person.ID) {
		err = errNoConversation()
	}
	return c, err
}

func (s *Store) list(ctx context.Context, call *bus.Call, in conversationListInput) (conversationListOutput, error) {
	out := conversationListOutput{Conversations: []listedConversation{}}
	where, args := "WHERE person = $1", []any{call.Person.ID}
	if in.Cursor != "" {
		where, args = where+" AND (updated_at, id) < (SELECT updated_at, id FROM agent_conversations WHERE id = $2)",
			append(args, in.Cursor)
	}
	found, err := stored.Rows(ctx, s.db, scanConversation, conversationColumns+where+
		fmt.Sprintf(" ORDER BY updated_at DESC, id DESC LIMIT $%d", len(args)+1), append(args, in.Limit+1)...)
	if err != nil {
		return out, err
	}
	if out.HasMore = len(found) > in.Limit; out.HasMore {
		found = found[:in.Limit]
		out.NextCursor = found[len(found)-1].ID
	}
	for i := range found {
		out.Conversations = append(out.Conversations, found[i].listedConversation)
	}
	return out, nil
}

func (s *Store) get(ctx context.Context, call *bus.Call, id string, thread func(string) (string, []any, int64)) (
	conversationGetOutput, error) {
	out := conversationGetOutput{Updates: []any{}}
	if thread != nil {
		running, told, known := thread(id) // before the store: a turn that ends in between is stored
		out.Running = running
		if now, err := s.erasures(ctx); err != nil {
			return out, err
		} else if now.all == known {
			out.Updates = append(out.Updates, told...)
		}
	}
	c, err := s.own(ctx, call, id)
	if err != nil {
		return out, err
	}
	out.listedConversation = c.listedConversation
	if out.Turns, err = s.turnsOf(ctx, id); err != nil {
		return out, err
	}
	messages, err := s.messagesWhere(ctx, `conversation = $1`, id)
	out.Updates = out.rebuilt(call.Lookup, messages)
	return out, err
}
