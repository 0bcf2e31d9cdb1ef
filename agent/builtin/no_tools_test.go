package builtin_test

import (
	"testing"

	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/agent/model"
)

func TestWithoutToolsItSaysWhatItIs(t *testing.T) {
	for _, said := range []string{"add two of them", "hello", "help", "yes", "undo that", "what can you do", "what about june"} {
		m := builtin.New(nil, nil, nil)
		messages := []model.Message{{Role: model.RoleUser, Text: said}}
		for range 2 {
			reply, err := m.Stream(t.Context(), model.Request{Messages: messages}, func(model.Delta) {})
			if err != nil || reply.Text == "" || len(reply.Calls) > 0 {
				t.Errorf("%s: %+v %v", said, reply, err)
			}
		}
	}
}
