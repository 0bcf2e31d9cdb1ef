package agent

import (
	_ "embed"
	"encoding/json"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
)

// promptVersion names the standing instructions in records. It changes whenever
// systemPrompt does.
const promptVersion = "2026-03"

//go:embed prompt.txt
var systemPrompt string

func system(application string) string {
	return strings.ReplaceAll(strings.TrimSpace(systemPrompt), "%APP%", text.Clean(application, 80))
}

// stateNote is the application's note beside the person's words: present state, events
// since the last turn, tools that are unavailable.
func stateNote(state any, limit int, news []string, tools []bus.Tool, entries map[string]bus.ManifestEntry) string {
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
	if len(news) > 0 {
		b.WriteString("Since the last turn:\n")
		for _, line := range news {
			b.WriteString("- " + line + "\n")
		}
	}
	first := true
	for _, tool := range tools {
		e := entries[tool.Capability]
		if e.Available {
			continue
		}
		if first {
			b.WriteString("Not possible now:\n")
			first = false
		}
		b.WriteString("- " + tool.Name + ": " + text.Clean(e.UnavailableReason, 200) + "\n")
	}
	if b.Len() == 0 {
		return ""
	}
	return "[From the application]\n" + b.String() + "[End. The person's words follow.]"
}
