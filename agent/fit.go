package agent

import (
	"context"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/internal/tokens"
	"github.com/deskhand/deskhand/bus"
)

// leftOutField is the field that lists the omitted fields of a result. leftOutCount is the suffix of the field that
// counts the omitted entries of a list.
const (
	leftOutField = "left_out"
	leftOutCount = "_left_out"
)

// fitted writes a result in about limit tokens. It omits the fields that the schema marks as detail first. It never
// cuts a list within a record: such a record may have twice the limit, and beyond that fitted omits the whole list. A
// page keeps the rows that fit and loses its cursor, which would skip the others; rows counts the kept ones, 0 if none
// was cut.
func fitted(result map[string]any, c *bus.Capability, limit int) (told string, rows int) {
	result["data"] = schema.WithoutDetail(c.OutputSchema, result["data"], 0, func(string) {})
	if result["data"] = leanValue(result["data"]); result["data"] == nil {
		delete(result, "data")
	}
	for rank := 1; rank <= schema.MaxDetail && written(result) > limit; rank++ {
		withoutDetail(result, c, rank)
	}
	p, paged := pageOf(c, result["data"])
	if paged && written(result) > limit {
		rows = p.cut(result, limit)
	}
	for written(result) > limit && shorten(result, c.OutputSchema == nil, p.cursor) {
	}
	within := any(result)
	if paged {
		within = p.data[p.rows]
	}
	for written(result) > 2*limit {
		if !leaveOut(within) {
			return text.Clean(text.PlainJSON(result), 2*limit*(tokens.Bytes-1)) + " (cut)", rows
		}
	}
	return text.PlainJSON(result), rows
}

// withoutDetail removes the detail of a rank from a result and lists the removed fields.
func withoutDetail(result map[string]any, c *bus.Capability, rank int) {
	names, _ := result[leftOutField].([]string)
	data := schema.WithoutDetail(c.OutputSchema, result["data"], rank, func(name string) { names = append(names, name) })
	if slices.Sort(names); len(names) > 0 {
		result["data"], result[leftOutField] = leanValue(data), slices.Compact(names)
	}
}

// page is one page of a list in a result.
type page struct {
	data   map[string]any
	rows   string // the name of the list
	cursor string // the name of the next page's cursor
}

// pageOf returns the page in a capability's result.
func pageOf(c *bus.Capability, data any) (p page, is bool) {
	in := schema.Fields(c.InputSchema)
	if p.data, is = data.(map[string]any); !is || schema.Named(in, "cursor").Kind == "" ||
		schema.Named(in, "limit").Kind == "" {
		return p, false
	}
	for _, f := range schema.Fields(c.OutputSchema) {
		if f.Name == "nextCursor" || f.Name == "next_cursor" {
			p.cursor = f.Name
		}
	}
	longest := 0
	for _, name := range slices.Sorted(maps.Keys(p.data)) {
		if rows, is := p.data[name].([]any); is && len(text.PlainJSON(rows)) > longest {
			p.rows, longest = name, len(text.PlainJSON(rows))
		}
	}
	return p, p.cursor != "" && p.rows != ""
}

// fit counts the rows of a page that fit into limit tokens with the rest of the result, at least one.
func (p page) fit(result map[string]any, limit int) int {
	rows, _ := p.data[p.rows].([]any)
	p.data[p.rows] = []any{}
	left := limit*(tokens.Bytes-1) - len(text.PlainJSON(result)) - pageNote
	p.data[p.rows] = rows
	for i, row := range rows {
		if left -= len(text.PlainJSON(row)) + 1; left < 0 {
			return max(i, 1)
		}
	}
	return len(rows)
}

// pageNote reserves bytes for a cursor and the note of a cut.
const pageNote = 200

// cut removes the rows of a page that do not fit, and the cursor. It returns the number of rows left, 0 if none was
// cut.
func (p page) cut(result map[string]any, limit int) int {
	rows, _ := p.data[p.rows].([]any)
	n := p.fit(result, limit)
	if n == len(rows) {
		return 0
	}
	keepFirst(p.data, p.rows, n)
	delete(p.data, p.cursor)
	result["rest"] = "ask the same again with limit " + strconv.Itoa(n) + ", then go on by its " +
		p.cursor
	return n
}

// invokeFitting invokes a call. If a page is too long for the model, it repeats the call with a limit that fits, so
// that the cursor leads to the next row.
func (t *turnRun) invokeFitting(ctx context.Context, j *job, inv bus.Invocation) bus.Result {
	res := t.invokeOrFill(ctx, j, inv)
	for most := math.MaxInt; res.OK() && j.pure() && !readsManifest(t.model); {
		j.result = res
		_, rows := t.leanResult(j.answer(), j.capability, t.budget.result)
		args, _ := text.ParseJSON(inv.Arguments) // the bus has read them
		given, is := args.(map[string]any)
		if rows == 0 || rows >= most || !is {
			break
		}
		most, given["limit"] = rows, rows
		inv.Arguments, inv.RequestID, inv.CostEstimate = json.RawMessage(text.PlainJSON(given)), t.b.o.NewID("req"), nil
		shorter := t.invokeOrFill(ctx, j, inv)
		if !shorter.OK() {
			break
		}
		res = shorter
	}
	return res
}

// shorten cuts the longest text of a result in half, or with lists the longest list or text. It reports whether there
// was one. It never cuts a cursor.
func shorten(result map[string]any, lists bool, cursor string) bool {
	size, cut := 0, func() {}
	consider := func(n int, how func()) {
		if n > size {
			size, cut = n, how
		}
	}
	eachField(result, func(in map[string]any, name string) {
		switch sub := in[name].(type) {
		case []any:
			if lists && len(sub) > 1 {
				consider(len(text.PlainJSON(sub)), func() { keepFirst(in, name, (len(sub)+1)/2) })
			}
		case string:
			if len(sub) > 200 && name != cursor {
				consider(len(sub), func() { in[name] = text.Clean(sub, len(sub)/2) })
			}
		}
	})
	cut()
	return size > 0
}

// leaveOut removes the longest list from a value completely. It reports whether there was one.
func leaveOut(v any) bool {
	size, cut := 0, func() {}
	eachField(v, func(in map[string]any, name string) {
		if sub, is := in[name].([]any); is && len(sub) > 0 && len(text.PlainJSON(sub)) > size {
			size, cut = len(text.PlainJSON(sub)), func() { keepFirst(in, name, 0) }
		}
	})
	cut()
	return size > 0
}

// keepFirst cuts a list and counts the omitted entries.
func keepFirst(in map[string]any, name string, n int) {
	list, _ := in[name].([]any)
	before, _ := in[name+leftOutCount].(int)
	in[name], in[name+leftOutCount] = slices.Clip(list[:n]), before+len(list)-n
}

// eachField visits the fields of all objects in a value.
func eachField(v any, visit func(in map[string]any, name string)) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			eachField(item, visit)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			visit(v, name)
			eachField(v[name], visit)
		}
	}
}
