package agent

import (
	_ "embed"
	"encoding/json"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
)

// promptVersion names the standing instructions in records. It changes whenever systemPrompt does.
const promptVersion = "2026-04"

//go:embed prompt.txt
var systemPrompt string

func system(application string) string {
	return strings.ReplaceAll(strings.TrimSpace(systemPrompt), "%APP%", text.Clean(application, 80))
}

// stateContext is what the application says beside the person's words: present state, open pages, events since the last
// turn, tools that are unavailable.
func stateContext(state any, pages []PageContext, limit int, news []string, tools []bus.Tool,
	entries map[string]bus.ManifestEntry) string {
	var b strings.Builder
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
		if e := entries[tool.Capability]; !e.Available {
			closed = append(closed, tool.Name+": "+text.Clean(e.UnavailableReason, 200))
		}
	}
	section("Not possible now", closed)
	if b.Len() == 0 {
		return ""
	}
	return "[From the application]\n" + b.String() + "[End. The person's words follow.]"
}
