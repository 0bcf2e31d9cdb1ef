package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/deskhand/deskhand/agent/internal/stored"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/uuid"
)

// erasedText replaces text about an erased person.
const erasedText = "[erased]"

// erasedMessage returns the message without its text and arguments. The message itself stays, because calls and answers
// belong together.
func erasedMessage(m model.Message) model.Message {
	if m.Text != "" {
		m.Text = erasedText
	}
	m.Choices, m.Shown, m.Held, m.Thoughts = nil, "", "", ""
	m.Calls = slices.Clone(m.Calls)
	for i, c := range m.Calls {
		m.Calls[i] = model.Call{ID: c.ID, Tool: c.Tool, Arguments: json.RawMessage("{}")}
	}
	return m
}

// storedConversation is the stored form of a conversation, without its messages.
type storedConversation struct {
	listedConversation
	person  string
	tainted []string
}

const conversationColumns = `SELECT id, person, title, tainted, autonomy, started_at, updated_at,
	` + allTurns + `
	FROM agent_conversations c `

func scanConversation(scan stored.Scan) (c storedConversation, err error) {
	var tainted, costs string
	if err := scan(&c.ID, &c.person, &c.Title, &tainted, &c.Autonomy, &c.StartedAt, &c.UpdatedAt, &c.Tokens.Input,
		&c.Tokens.Output, &c.Tokens.Estimated, &costs); err != nil {
		return c, err
	}
	if c.Tokens.Costs, err = costsIn(costs); err != nil {
		return c, err
	}
	return c, json.Unmarshal([]byte(tainted), &c.tainted)
}

// conversationOf finds a conversation; nil if there is none.
func (s *Store) conversationOf(ctx context.Context, id string) (*storedConversation, error) {
	return stored.One(ctx, s.db, scanConversation, conversationColumns+`WHERE id = $1`, id)
}

// messageRow is a stored message with its time.
type messageRow struct {
	id   int64
	turn string // "" if the turn was not stored
	body model.Message
	raw  string
	at   int64
}

// messagesWhere lists messages in their order.
func (s *Store) messagesWhere(ctx context.Context, condition string, args ...any) ([]messageRow, error) {
	return stored.Rows(ctx, s.db, func(scan stored.Scan) (m messageRow, err error) {
		if err := scan(&m.id, &m.turn, &m.raw, &m.at); err != nil {
			return m, err
		}
		return m, json.Unmarshal([]byte(m.raw), &m.body)
	}, `SELECT id, turn, body, at FROM agent_messages WHERE `+condition+` ORDER BY id`, args...)
}

// load reads a conversation with its messages; nil if there is none.
func (s *Store) load(ctx context.Context, id string) (c *storedConversation, messages []messageRow, err error) {
	err = s.db.View(ctx, func(ctx context.Context) (err error) {
		if c, err = s.conversationOf(ctx, id); err != nil || c == nil {
			return err
		}
		messages, err = s.messagesWhere(ctx, `conversation = $1`, id)
		return err
	})
	return c, messages, err
}

// saving is the addition of a turn to a conversation.
type saving struct {
	conversation, person, title string
	tainted                     []string
	autonomy                    policy.Autonomy
	messages                    []model.Message
	turn                        string
	by                          bus.ModelID // the model
	spent                       tally
	at                          time.Time
	known                       erasures // count when the turn read the conversation
	begun                       bool     // a part of the conversation is stored
}

// maxTitle limits the title that a conversation gets from its first sentence, in bytes.
const maxTitle = 80

func titleOf(sentence string) string { return text.Clean(text.WithoutIDs(sentence), maxTitle) }

// save adds to a conversation and creates it at first. If a person was erased since the turn read the conversation,
// save keeps no text: it may contain the person's data, and no program has the names to check. A removed conversation
// stays removed.
func (s *Store) save(ctx context.Context, add saving) error {
	tainted, err := json.Marshal(append([]string{}, add.tainted...))
	if err != nil {
		return err
	}
	return s.db.UpdateBridge(ctx, func(ctx context.Context) error {
		now, err := s.erasures(ctx)
		if err != nil {
			return err
		}
		if now.all != add.known.all && add.begun {
			c, err := s.conversationOf(ctx, add.conversation)
			if err != nil {
				return err
			}
			if c == nil {
				return s.saveTurn(ctx, add)
			}
		}
		erased, title := now.people != add.known.people, titleOf(add.title)
		if erased {
			title = erasedText
		}
		if err := s.db.Exec(ctx,
			`INSERT INTO agent_conversations (id, person, title, tainted, autonomy, started_at, updated_at)
			VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (id) DO UPDATE SET tainted = excluded.tainted,
			autonomy = excluded.autonomy, updated_at = excluded.updated_at`,
			add.conversation, add.person, title, string(tainted), add.autonomy, add.at.UnixMilli()); err != nil {
			return err
		}
		for _, m := range add.messages {
			if m.Role == model.RoleUser && m.Text == "" {
				continue // the application's words
			}
			if erased {
				m = erasedMessage(m)
			}
			raw, err := json.Marshal(m)
			if err != nil {
				return fmt.Errorf("agent: keep a message: %w", err)
			}
			if err := s.db.Exec(ctx, `INSERT INTO agent_messages (conversation, turn, body, at) VALUES ($1, $2, $3, $4)`,
				add.conversation, add.turn, string(raw), add.at.UnixMilli()); err != nil {
				return err
			}
		}
		return s.saveTurn(ctx, add)
	})
}

// Forget erases text about a person from all conversations, removes the routines and closes the cards about them. It
// runs in the transaction of ctx, which must belong to a handler that writes. Terms are as in [audit.Log.Erase]. It
// empties the messages of each turn that contains a term; the messages themselves stay. After the commit, running turns
// of all programs on the database store no more text, show no reply, make no more calls and send no more requests.
func (s *Store) Forget(ctx context.Context, terms ...string) error {
	titles, err := s.forgetMessages(ctx, terms)
	if err != nil {
		return err
	}
	conversations, err := stored.Rows(ctx, s.db, scanConversation, conversationColumns)
	if err != nil {
		return err
	}
	for _, c := range conversations {
		title, _ := json.Marshal(c.Title) // texts marshal
		if !titles[c.Title] && !audit.Mentions(title, terms...) {
			continue
		}
		err := s.db.Exec(ctx, `UPDATE agent_conversations SET title = $1 WHERE id = $2`, erasedText, c.ID)
		if err != nil {
			return err
		}
	}
	type saved struct{ id, name, steps string }
	routines, err := stored.Rows(ctx, s.db, func(scan stored.Scan) (r saved, err error) {
		return r, scan(&r.id, &r.name, &r.steps)
	}, `SELECT id, name, steps FROM assistant_routines`)
	if err != nil {
		return err
	}
	for _, r := range routines {
		name, _ := json.Marshal(r.name) // texts marshal
		if !audit.Mentions(name, terms...) && !audit.Mentions([]byte(r.steps), terms...) {
			continue
		}
		if err := s.db.Exec(ctx, `DELETE FROM assistant_routines WHERE id = $1`, r.id); err != nil {
			return err
		}
	}
	mentions := func(card string) bool { return audit.Mentions([]byte(card), terms...) }
	if err := stored.CloseCards(ctx, s.db, mentions); err != nil {
		return err
	}
	token := uuid.Must(uuid.NewV7()).String()
	if err := s.db.Exec(ctx, `INSERT INTO agent_forgotten (token) VALUES ($1)`, token); err != nil {
		return err
	}
	return nil
}

// forgetMessages empties the messages of each turn that contains a term, and returns the conversation titles made from
// them. It decodes only those messages and keeps no others in memory, because other programs cannot write meanwhile.
func (s *Store) forgetMessages(ctx context.Context, terms []string) (titles map[string]bool, err error) {
	const all = `SELECT id, turn, body FROM agent_messages`
	turns, single := map[string]bool{}, map[int64]bool{}
	var id int64
	var turn, body string
	if err := s.db.Query(ctx, func(scan func(dest ...any) error) error {
		if err := scan(&id, &turn, &body); err != nil || turns[turn] || !audit.Mentions([]byte(body), terms...) {
			return err
		}
		if turn == "" {
			single[id] = true
		} else {
			turns[turn] = true
		}
		return nil
	}, all); err != nil {
		return nil, err
	}
	emptied := map[int64]string{}
	titles = map[string]bool{}
	if err := s.db.Query(ctx, func(scan func(dest ...any) error) error {
		if err := scan(&id, &turn, &body); err != nil || !turns[turn] && !single[id] {
			return err
		}
		var m model.Message
		if err := json.Unmarshal([]byte(body), &m); err != nil {
			return err
		}
		titles[titleOf(m.Text)] = true
		raw, err := json.Marshal(erasedMessage(m))
		emptied[id] = string(raw)
		return err
	}, all); err != nil {
		return nil, err
	}
	for id, body := range emptied {
		if err := s.db.Exec(ctx, `UPDATE agent_messages SET body = $1 WHERE id = $2`, body, id); err != nil {
			return nil, err
		}
	}
	return titles, nil
}

// erasures counts the erasures so far by all programs on the database.
type erasures struct {
	people int64
	all    int64 // also removed conversations
}

// removedToken is the prefix of the token of a removed conversation; the tokens of erased people are UUIDs.
const removedToken = "removed"

// Erasures returns the number of people that all programs on the database have erased so far.
func (s *Store) Erasures(ctx context.Context) (int64, error) {
	n, err := s.erased(ctx)
	return n.people, err
}

// erased counts the erasures in a separate transaction.
func (s *Store) erased(ctx context.Context) (n erasures, err error) {
	err = s.db.View(ctx, func(ctx context.Context) (err error) {
		n, err = s.erasures(ctx)
		return err
	})
	return n, err
}

func (s *Store) erasures(ctx context.Context) (n erasures, err error) {
	err = s.db.Query(ctx, func(scan func(dest ...any) error) error { return scan(&n.people, &n.all) },
		`SELECT count(*) FILTER (WHERE token NOT LIKE $1), count(*) FROM agent_forgotten`, removedToken+"%")
	return n, err
}
