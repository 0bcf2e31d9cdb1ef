package model_test

import (
	"context"
	"fmt"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// echo is a model that repeats the sentence of the person.
type echo struct{}

func (echo) Profile() bus.ModelID { return bus.ModelID{Endpoint: "echo", Name: "echo"} }

func (echo) Stream(_ context.Context, req model.Request, onDelta func(model.Delta)) (model.Reply, error) {
	said := req.Messages[len(req.Messages)-1].Text
	onDelta(model.Delta{Text: said})
	return model.Reply{Text: said, Finish: model.FinishStop}, nil
}

// A model is two methods.
func Example() {
	var m model.Model = echo{}
	reply, err := m.Stream(context.Background(), model.Request{Messages: []model.Message{
		{Role: model.RoleUser, Text: "Good morning."}}}, func(d model.Delta) { fmt.Println(d.Text) })
	fmt.Println(reply.Finish, err)
	// Output:
	// Good morning.
	// stop <nil>
}
