package agent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/internal/tokens"
	"github.com/deskhand/deskhand/bus"
)

// toolTokens estimates the tokens of a tool definition.
func toolTokens(tool bus.Tool) int {
	return (len(tool.Name)+len(tool.Description)+len(tool.Parameters))/tokens.Bytes + 12
}

// unread lists the fields of a result that no model needs.
var unread = strings.Fields("execution_time_ms timestamp cost_estimate retryable schema_side facts texts")

// leanResult formats a tool's result for a model: without the envelope, with money and times in readable form, and no
// longer than limit tokens; see [fitted]. It returns other answers unchanged.
func (t *turnRun) leanResult(answer, capability string, limit int) (told string, rows int) {
	var result map[string]any
	d := json.NewDecoder(strings.NewReader(answer))
	d.UseNumber()
	if d.Decode(&result) != nil || result["status"] == nil {
		return answer, 0
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
		delete(result, "request_id") // nothing to undo
	}
	delete(result, "events")
	if data, is := result["data"].(map[string]any); is && capability == nameDescribe {
		result["data"] = t.describedTool(data)
	}
	for _, words := range []string{"message", "recovery_hint"} {
		if said, is := result[words].(string); is {
			result[words] = t.b.toolNames(said)
		}
	}
	c, known := t.b.o.Bus.Lookup(capability)
	if !known {
		c = &bus.Capability{}
	}
	result["data"] = t.withTimes(c.OutputSchema, result["data"], writtenTime)
	return fitted(result, c, limit)
}

// timeLayout is the form of times that a model reads and writes, in the application's time zone.
const timeLayout = "2006-01-02 15:04"

// withTimes returns a value in which the function by has replaced each time that the schema marks with x-time.
func (t *turnRun) withTimes(of json.RawMessage, v any, by func(v any, zone *time.Location) any) any {
	var root map[string]any
	if json.Unmarshal(of, &root) != nil {
		return v
	}
	return schema.Replaced(root, root, v, "x-time", func(_ string, v any) any { return by(v, t.start.Location()) })
}

// writtenTime formats milliseconds since 1970 as a time; 0, which means none, stays.
func writtenTime(v any, zone *time.Location) any {
	n, is := v.(json.Number)
	ms, err := n.Int64()
	if !is || err != nil || ms == 0 {
		return v
	}
	return time.UnixMilli(ms).In(zone).Format(timeLayout)
}

// readTime parses a text as a time in milliseconds since 1970. Other text stays, and the bus refuses it.
func readTime(v any, zone *time.Location) any {
	said, is := v.(string)
	if !is {
		return v
	}
	for _, layout := range []string{timeLayout, time.DateOnly, time.DateTime, time.RFC3339, "2006-01-02T15:04:05",
		"2006-01-02T15:04"} {
		if at, err := time.ParseInLocation(layout, said, zone); err == nil {
			return json.Number(strconv.FormatInt(at.UnixMilli(), 10))
		}
	}
	return v
}

// describedTool returns the answer of capability.describe without the parts that the tool's definition repeats.
func (t *turnRun) describedTool(data map[string]any) map[string]any {
	name, _ := data["name"].(string)
	lean := map[string]any{"name": name, "title": data["title"], "description": data["description"],
		"note": t.describedNote(data)}
	if t.conv.toolset.isWhole(name) {
		return lean
	}
	m := bus.Manifest{Capabilities: []bus.ManifestEntry{t.titles[name]}}
	if tools, err := m.Tools(); err == nil && len(tools) == 1 {
		lean["parameters"] = tools[0].Parameters
	}
	return lean
}

// describedNote tells a model whether it can call the described capability.
func (t *turnRun) describedNote(data map[string]any) string {
	listed := func(tool bus.Tool) bool { return tool.Capability == data["name"] }
	switch {
	case data["grant_status"] == string(bus.RuleDeny):
		return "You may not call it, and it is not among your tools: a person can do it by hand."
	case slices.ContainsFunc(t.tools, listed):
		return "It is among your tools from now on."
	case t.callsByName():
		return "It is called by capability_call."
	}
	return "It is not among your tools now."
}

// summaries lists the summaries in the events of a call.
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

// leanValue returns a value without nulls and with money in words.
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

// written estimates the tokens of a result: ids and numbers need more tokens than words.
func written(v any) int { return len(text.PlainJSON(v)) / (tokens.Bytes - 1) }
