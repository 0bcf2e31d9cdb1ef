package agent

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/titles"
)

// promptVersion names the standing instructions in records. Change it whenever systemPrompt changes.
const promptVersion = "2026-12"

//go:embed prompt.txt
var systemPrompt string

func system(application string) string {
	return strings.ReplaceAll(strings.TrimSpace(systemPrompt), "%APP%", text.Clean(application, 80))
}

// stateContext returns the application's message before the person's words: the time, present state, open pages, events
// since the last turn and unavailable tools.
func stateContext(now string, state any, pages []PageContext, limit int, news []string, tools []bus.Tool,
	entries map[string]bus.ManifestEntry) string {
	var b strings.Builder
	if now != "" {
		b.WriteString("Now: " + now + "\n")
	}
	if state != nil {
		if raw, err := json.Marshal(state); err == nil && string(raw) != "null" {
			text := string(raw)
			if len(text) > limit {
				text = strings.ToValidUTF8(text[:limit], "") + " … (cut)"
			}
			b.WriteString("State: " + text + "\n")
		}
	}
	if raw, err := json.Marshal(pages); err == nil && len(pages) > 0 && len(raw) <= limit {
		b.WriteString("Open before the person: " + string(raw) + "\n")
	}
	section := func(title string, lines []string) {
		if len(lines) > 0 {
			b.WriteString(title + ":\n- " + strings.Join(lines, "\n- ") + "\n")
		}
	}
	section("Since the last turn", news)
	var closed []string
	for _, tool := range tools {
		if e := entries[tool.Capability]; !e.Available && tool.Capability != nameCall {
			closed = append(closed, tool.Name+": "+text.Clean(e.UnavailableReason, 200))
		}
	}
	section("Not possible now", closed)
	if b.Len() == 0 {
		return ""
	}
	return "[From the application]\n" + b.String() + "[End. The person's words follow.]"
}

// moreTools tells a model that does not get all tools the way to the others.
const moreTools = "There are %d more tools. What you have no tool for, find with capability_list and then describe " +
	"with capability_describe."

// hintedTool describes a tool for the sentence that the model does not get.
const hintedTool = "For these words there may be, by %s: %s: %s Its parameters: %s"

// now returns the day and the time in words, with the time zone.
func now(at time.Time) string {
	said := at.Format("Monday, 2006-01-02 15:04")
	if zone := at.Location().String(); zone != "Local" {
		said += ", " + zone
	}
	return said
}

// toolNames replaces names of capabilities with names of tools, because a model should see one form only. A capability
// that no agent may call gets its title and a remark.
func (b *Bridge) toolNames(said string) string {
	return titles.Replace(said, func(name string) (string, bool) {
		c, known := b.o.Bus.Lookup(name)
		switch {
		case !known:
			return "", false
		case c.Assistant.Hidden || c.Checks.Access.Agent == bus.RuleDeny:
			return "“" + c.Title + "”, which only a person can do", true
		}
		return strings.ReplaceAll(name, ".", "_"), true
	})
}

// Prompt returns the request of a model with a context of size tokens (0: unknown) before any sentence of a person: the
// standing instructions and the tools, without data of the application.
func (b *Bridge) Prompt(ctx context.Context, who bus.Principal, size int) (model.Request, error) {
	b.mu.Lock()
	t := &turnRun{b: b, who: who, model: promptOnly{size: size}, conv: b.newConversation(Turn{Principal: who})}
	b.mu.Unlock()
	if failure := t.refresh(ctx, true); failure != "" {
		return model.Request{}, errors.New(failure)
	}
	return model.Request{System: t.system, Tools: t.toolList()}, nil
}

// promptOnly is a model that gets no requests. It supplies only a context size.
type promptOnly struct {
	model.Model
	size int
}

// ContextSize returns the number of tokens in its context.
func (p promptOnly) ContextSize(context.Context) int { return p.size }
