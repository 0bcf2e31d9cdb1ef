package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/internal/tokens"
	"github.com/deskhand/deskhand/bus"
)

// toolTokens is about what a definition costs.
func toolTokens(tool bus.Tool) int {
	return (len(tool.Name)+len(tool.Description)+len(tool.Parameters))/tokens.Bytes + 12
}

// unread are the fields of a result that no model needs.
var unread = strings.Fields("execution_time_ms timestamp cost_estimate retryable schema_side facts")

// leanResult is a tool's result as a model is told it: without the envelope, money as a person writes it, and of lists
// what fits into limit tokens; how much is left out stands beside. What is no result stays as it is. Listed tells which
// capabilities are tools.
func (b *Bridge) leanResult(answer, tool string, limit int, listed func(capability any) bool) string {
	var result map[string]any
	d := json.NewDecoder(strings.NewReader(answer))
	d.UseNumber()
	if d.Decode(&result) != nil || result["status"] == nil {
		return answer
	}
	for _, field := range unread {
		delete(result, field)
	}
	if again, _ := result["replayed"].(bool); !again {
		delete(result, "replayed")
	}
	if did := summaries(result["events"]); len(did) > 0 {
		result["did"] = did
	} else {
		delete(result, "request_id") // nothing to take back
	}
	delete(result, "events")
	if data, is := result["data"].(map[string]any); is && tool == "capability_describe" && data["name"] != nil {
		result["data"] = map[string]any{"name": data["name"], "title": data["title"], "description": data["description"],
			"note": describedNote(data, listed)}
	}
	for _, words := range []string{"message", "recovery_hint"} {
		if said, is := result[words].(string); is {
			result[words] = b.toolNames(said)
		}
	}
	result["data"] = leanValue(result["data"])
	if result["data"] == nil {
		delete(result, "data")
	}
	for written(result) > limit {
		if !shorten(result) {
			return clipped(result, limit)
		}
	}
	return encoded(result)
}

// describedNote tells a model whether it can call what capability.describe found.
func describedNote(data map[string]any, listed func(capability any) bool) string {
	switch {
	case data["grant_status"] == string(bus.RuleDeny):
		return "You may not call it, and it is not among your tools: a person can do it by hand."
	case listed(data["name"]):
		return "It is among your tools from now on."
	}
	return "It is not among your tools now."
}

// summaries are the sentences in which a call says what it did.
func summaries(events any) (did []string) {
	list, _ := events.([]any)
	for _, e := range list {
		event, _ := e.(map[string]any)
		if said, _ := event["summary"].(string); said != "" {
			did = append(did, said)
		} else if said, _ := event["message"].(string); said != "" {
			did = append(did, said)
		}
	}
	return did
}

// leanValue is a value without nulls, with money in words.
func leanValue(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = leanValue(v[i])
		}
	case map[string]any:
		if said, is := v["text"].(string); is && len(v) == 3 && v["amount"] != nil && v["currency"] != nil {
			return fmt.Sprintf("%s (%v)", said, v["amount"])
		}
		for k, sub := range v {
			if v[k] = leanValue(sub); v[k] == nil {
				delete(v, k)
			}
		}
	}
	return v
}

func encoded(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // it was read from JSON
	return strings.TrimSpace(b.String())
}

// written is about how many tokens a result costs: ids and numbers cost more than words.
func written(v any) int { return len(encoded(v)) / (tokens.Bytes - 1) }

const leftOutField = "left_out"

// shorten takes the second half of the longest list or text of a result out. It reports whether there was one.
func shorten(result map[string]any) bool {
	size, cut := 0, func() {}
	consider := func(n int, how func()) {
		if n > size {
			size, cut = n, how
		}
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				switch sub := v[k].(type) {
				case []any:
					if len(sub) > 1 {
						consider(len(encoded(sub)), func() { halve(v, k, sub) })
					}
				case string:
					if len(sub) > 200 {
						consider(len(sub), func() { v[k] = text.Clean(sub, len(sub)/2) })
					}
				}
				walk(v[k])
			}
		}
	}
	walk(result)
	cut()
	return size > 0
}

func halve(in map[string]any, key string, list []any) {
	kept := (len(list) + 1) / 2
	before, _ := in[key+"_"+leftOutField].(int)
	in[key], in[key+"_"+leftOutField] = slices.Clip(list[:kept]), before+len(list)-kept
}

func clipped(result map[string]any, limit int) string {
	return text.Clean(encoded(result), limit*(tokens.Bytes-1)) + " (cut)"
}
