package transcript

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// An op is one step of a handler, or a check. It has one verb, and runs only if When holds.
type op struct {
	When any `json:"when"`

	Set    string `json:"set"` // with to
	To     any    `json:"to"`
	Add    string `json:"add"` // with by, a whole number
	By     any    `json:"by"`
	Append string `json:"append"` // with value
	Fact   string `json:"fact"`   // with value
	Value  any    `json:"value"`

	Return    any       `json:"return"`
	Fail      *failure  `json:"fail"`
	Crash     string    `json:"crash"` // "panic" or "error"
	Change    *change   `json:"change"`
	Notify    *notice   `json:"notify"`
	Progress  *progress `json:"progress"`
	Summarize any       `json:"summarize"`
	Wait      string    `json:"wait"` // for a gate
}

type failure struct {
	Code    bus.Code   `json:"code"`
	Reason  bus.Reason `json:"reason"`
	Message string     `json:"message"`
	Hint    string     `json:"recovery_hint"`
	Field   string     `json:"field"` // with Options: a choice
	Options []bus.Option
}

type change struct {
	Domain  string `json:"domain"`
	Summary string `json:"summary"`
	IDs     []any  `json:"ids"`
}

type notice struct {
	Level   bus.Level `json:"level"`
	Message string    `json:"message"`
}

type progress struct {
	Percent int    `json:"percent"`
	Message string `json:"message"`
}

// world is the part of an application outside of its state: a rollback does not change it.
type world struct {
	mu    sync.Mutex // guards the rest
	times map[string]int64
	gates map[string]chan struct{}
}

// count returns how often it was asked for a name.
func (w *world) count(name string) int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.times[name]++
	return w.times[name]
}

func (w *world) gate(name string) chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.gates[name] == nil {
		w.gates[name] = make(chan struct{})
	}
	return w.gates[name]
}

func (w *world) open(name string) {
	gate := w.gate(name)
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-gate:
	default:
		close(gate)
	}
}

// scope is the environment of a capability's effects, or of a check.
type scope struct {
	ctx     context.Context
	call    *bus.Call
	world   *world
	arrived func(request string) // told that a call waits at a gate
}

const table = "state"

func (s *scope) state(name string) any { return bustest.Tables(s.ctx).Get(table, name)["value"] }

func (s *scope) set(name string, value any) error {
	return bustest.Tables(s.ctx).Set(table, name, map[string]any{"value": value})
}

// run does the steps and returns the output.
func (s *scope) run(ops []op) (out json.RawMessage, err error) {
	for i := range ops {
		o := &ops[i]
		if o.When != nil {
			if holds, err := s.holds(o.When); err != nil || !holds {
				if err != nil {
					return nil, err
				}
				continue
			}
		}
		switch {
		case o.Return != nil:
			var v any
			if v, err = s.value(o.Return); err == nil {
				out, err = json.Marshal(v)
			}
		case o.Wait != "":
			s.arrived(s.call.RequestID)
			select {
			case <-s.world.gate(o.Wait):
			case <-s.ctx.Done():
				err = s.ctx.Err()
			}
		default:
			err = s.do(o)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *scope) do(o *op) error {
	switch {
	case o.Set != "":
		v, err := s.value(o.To)
		if err != nil {
			return err
		}
		return s.set(o.Set, v)
	case o.Add != "":
		v, err := s.value(map[string]any{"$sum": []any{map[string]any{"$state": o.Add}, o.By}})
		if err != nil {
			return err
		}
		return s.set(o.Add, v)
	case o.Append != "":
		v, err := s.value(o.Value)
		if err != nil {
			return err
		}
		list, _ := s.state(o.Append).([]any)
		return s.set(o.Append, append(list[:len(list):len(list)], v))
	case o.Fact != "":
		v, err := s.value(o.Value)
		s.call.Fact(o.Fact, v)
		return err
	case o.Fail != nil:
		e := bus.Errorf(o.Fail.Code, o.Fail.Reason, "%s", o.Fail.Message)
		if o.Fail.Hint != "" {
			e = e.WithHint("%s", o.Fail.Hint)
		}
		return e.WithChoice(o.Fail.Field, o.Fail.Options...)
	case o.Crash == "panic":
		panic("the application crashes as its description says")
	case o.Crash != "":
		return errors.New("an error without a code, as the description says")
	}
	return s.tell(o)
}

// tell makes events and the sentence.
func (s *scope) tell(o *op) error {
	switch {
	case o.Change != nil:
		var ids []string
		for _, id := range o.Change.IDs {
			v, err := s.value(id)
			if err != nil {
				return err
			}
			ids = append(ids, fmt.Sprint(v))
		}
		s.call.Changed(o.Change.Domain, o.Change.Summary, ids...)
	case o.Notify != nil:
		s.call.Notify(o.Notify.Level, "%s", o.Notify.Message)
	case o.Progress != nil:
		s.call.Progress(o.Progress.Percent, o.Progress.Message)
	case o.Summarize != nil:
		v, err := s.value(o.Summarize)
		s.call.Summarize("%v", v)
		return err
	default:
		return errors.New("a step without a verb")
	}
	return nil
}

// value computes an expression: a literal, or an object with one key that begins with "$".
func (s *scope) value(x any) (any, error) {
	switch t := x.(type) {
	case []any:
		list := make([]any, len(t))
		for i, e := range t {
			var err error
			if list[i], err = s.value(e); err != nil {
				return nil, err
			}
		}
		return list, nil
	case map[string]any:
		for key, operand := range t {
			if len(t) == 1 && strings.HasPrefix(key, "$") {
				return s.operate(key, operand)
			}
		}
		object := map[string]any{}
		for name, e := range t {
			v, err := s.value(e)
			if err != nil {
				return nil, err
			}
			object[name] = v
		}
		return object, nil
	}
	return x, nil
}

func (s *scope) operate(key string, x any) (any, error) {
	text, _ := x.(string)
	switch key {
	case "$arg":
		args, err := decode(s.call.Arguments)
		v, _ := jsonpointer.At(args, text)
		return v, err
	case "$state":
		return s.state(text), nil
	case "$id":
		return s.call.NewID(text), nil
	case "$times":
		return s.world.count(text), nil
	case "$now":
		return s.call.Now.UnixMilli(), nil
	case "$person":
		return s.call.Person.ID, nil
	}
	v, err := s.value(x)
	if err != nil {
		return nil, err
	}
	list, _ := v.([]any)
	switch key {
	case "$length":
		return int64(len(list)), nil
	case "$text":
		var b strings.Builder
		for _, v := range list {
			fmt.Fprint(&b, v)
		}
		return b.String(), nil
	case "$sum", "$multiply":
		all := map[string]int64{"$multiply": 1}[key]
		for _, v := range list {
			n, _ := v.(int64) // nothing counts as 0
			if key == "$sum" {
				all += n
			} else {
				all *= n
			}
		}
		return all, nil
	}
	return nil, fmt.Errorf("%s is no expression", key)
}

// holds decides a condition.
func (s *scope) holds(x any) (bool, error) {
	object, _ := x.(map[string]any)
	if len(object) != 1 {
		return false, errors.New("a condition is an object with one key")
	}
	for key, operand := range object {
		if key == "not" {
			is, err := s.holds(operand)
			return !is, err
		}
		list, _ := operand.([]any)
		if key == "and" || key == "or" {
			for _, c := range list {
				is, err := s.holds(c)
				if err != nil || is == (key == "or") {
					return is, err
				}
			}
			return key == "and", nil
		}
		v, err := s.value(list)
		pair, _ := v.([]any)
		if err != nil || len(pair) != 2 {
			return false, errors.Join(err, errors.New("a comparison has two sides"))
		}
		switch key {
		case "is":
			return reflect.DeepEqual(pair[0], pair[1]), nil
		case "less":
			a, _ := pair[0].(int64)
			b, _ := pair[1].(int64)
			return a < b, nil
		}
	}
	return false, errors.New("no condition is called so")
}

// decode reads JSON with whole numbers as int64.
func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if len(raw) == 0 {
		return nil, nil
	}
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return plain(v), nil
}

func plain(v any) any {
	switch t := v.(type) {
	case json.Number:
		if n, err := t.Int64(); err == nil {
			return n
		}
		f, _ := t.Float64()
		return f
	case []any:
		for i := range t {
			t[i] = plain(t[i])
		}
	case map[string]any:
		for k := range t {
			t[k] = plain(t[k])
		}
	}
	return v
}

func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
