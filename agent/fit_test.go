package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// shelf is a capability that lists rows page by page, as many as the limit says.
func shelf(rows []thing) bus.Capability {
	c := capability("shelf.list", "List the shelf", bus.Pure,
		object("", `"cursor":{"type":"string"},"limit":{"type":"integer","minimum":1,"default":50}`), nil)
	c.OutputSchema = raw(`{"type":"object","properties":{"nextCursor":{"type":"string"},"rows":{"type":"array","items":
		{"type":"object","properties":{"id":{"type":"string"},"text":{"type":"string","x-detail":2},
		"extra":{"type":"array","x-detail":1},"parts":{"type":"array"}}}}}}`)
	c.Handler = func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
		var in struct {
			Cursor string
			Limit  int
		}
		if err := call.Decode(&in); err != nil {
			return nil, err
		}
		from, _ := strconv.Atoi(strings.TrimLeft(in.Cursor, "c")) // none is the beginning
		to := min(from+in.Limit, len(rows))
		out := thing{"rows": rows[from:to]}
		if to < len(rows) {
			out["nextCursor"] = strings.Repeat("c", 300) + strconv.Itoa(to)
		}
		return json.Marshal(out)
	}
	return c
}

// reader is a model that follows the cursors of a list to its end, and keeps the rows.
type reader struct {
	rows     []thing
	problems []string
	limits   func() int
}

func (r *reader) step(req model.Request) (model.Reply, error) {
	args := thing{"limit": r.limits()}
	if last := req.Messages[len(req.Messages)-1]; last.Role == model.RoleTool {
		var told struct {
			Data struct {
				Rows       []thing
				NextCursor string
			}
		}
		if err := json.Unmarshal([]byte(last.Text), &told); err != nil {
			r.problems = append(r.problems, err.Error())
		}
		r.rows = append(r.rows, told.Data.Rows...)
		if told.Data.NextCursor == "" {
			return model.Reply{Text: "That is all."}, nil
		}
		args["cursor"] = told.Data.NextCursor
	}
	given, _ := json.Marshal(args)
	return model.Reply{Calls: []model.Call{{Tool: "shelf_list", Arguments: given}}}, nil
}

// TestA13EveryRowOfEveryPageIsReached: at each size of context the cursors lead a model to each row once, with all lists
// of the row.
//
// holds: A13
func TestA13EveryRowOfEveryPageIsReached(t *testing.T) {
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 7))
		var rows []thing
		for i := range random.IntN(70) {
			row := thing{"id": fmt.Sprint("row_", i), "text": strings.Repeat("long words ", random.IntN(60)),
				"extra": slices.Repeat([]string{"one more"}, random.IntN(30)), "parts": []thing{}}
			for k := range random.IntN(6) {
				row["parts"] = append(row["parts"].([]thing), thing{"of": k})
			}
			rows = append(rows, row)
		}
		reads := &reader{limits: func() int { return 1 + random.IntN(80) }}
		size := []int{0, 3000, 4000, 8192, 3000 + random.IntN(30_000)}[random.IntN(5)]
		r := newRoom(t, small{&script{Steps: []step{reads.step}}, size}, func(o *agent.Options, _ *policy.Options) {
			o.MaxSteps, o.MaxCalls, o.MaxResult = 200, 200, 300+random.IntN(6000)
		})
		r.Bus.MustRegister(shelf(rows))
		if end := r.Say("read the shelf").Ended(); end.Status != agent.StatusDone {
			t.Fatalf("seed %d: %+v", seed, end)
		}
		for i, row := range reads.rows {
			parts, _ := row["parts"].([]any)
			if i >= len(rows) || row["id"] != rows[i]["id"] || len(parts) != len(rows[i]["parts"].([]thing)) {
				t.Fatalf("seed %d, context %d: row %d is %v", seed, size, i, row)
			}
		}
		if len(reads.rows) != len(rows) || reads.problems != nil {
			t.Fatalf("seed %d, context %d: %d of %d rows: %v", seed, size, len(reads.rows), len(rows), reads.problems)
		}
	}
}

// bill is a capability whose result is one record with lists.
func bill(lines, history int) bus.Capability {
	c := capability("bill.get", "Get a bill", bus.Pure, object("", ""), nil)
	c.OutputSchema = raw(`{"type":"object","properties":{"id":{"type":"string"},"lines":{"type":"array","items":{"type":
		"object","properties":{"name":{"type":"string"},"shelf":{"type":"string","x-detail":2}}}},
		"history":{"type":"array","x-detail":1}}}`)
	c.Handler = func(context.Context, *bus.Call) (json.RawMessage, error) {
		line := thing{"name": "A line of a bill", "shelf": strings.Repeat("far ", 10)}
		return json.Marshal(thing{"id": "bill_1", "lines": slices.Repeat([]thing{line}, lines),
			"history": slices.Repeat([]string{"it was looked at"}, history)})
	}
	return c
}

// TestA13ARecordKeepsItsLists: fields marked as detail go first, by rank. A list is sent whole, or left out as a whole
// with its length.
func TestA13ARecordKeepsItsLists(t *testing.T) {
	for _, tt := range []struct {
		lines, history, result int
		left                   string // fields of detail
		whole                  bool   // the result has the lines
	}{
		{8, 5, 2000, "[]", true},
		{8, 100, 400, "[history]", true},
		{8, 100, 130, "[history shelf]", true},
		{12, 100, 100, "[history shelf]", true},
		{400, 1, 300, "[history shelf]", false},
	} {
		m := &script{Steps: []step{reply("", use("a", "bill_get", `{}`)), reply("ok")}}
		r := newRoom(t, small{m, 20_000}, func(o *agent.Options, _ *policy.Options) { o.MaxResult = tt.result })
		r.Bus.MustRegister(bill(tt.lines, tt.history))
		r.Say("get the bill")
		told := m.Results(t)[0]
		data, _ := told["data"].(map[string]any)
		lines, _ := data["lines"].([]any)
		left := told["left_out"]
		if left == nil {
			left = []any{}
		}
		if fmt.Sprint(left) != tt.left {
			t.Errorf("%+v: left out %v", tt, left)
		}
		if tt.whole && len(lines) != tt.lines || !tt.whole && (len(lines) != 0 || data["lines_left_out"] != float64(tt.lines)) {
			t.Errorf("%+v: %d lines, %v left out", tt, len(lines), data["lines_left_out"])
		}
	}
}
