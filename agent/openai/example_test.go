package openai_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/openai"
)

// An endpoint streams its reply piece by piece.
func Example() {
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, `data: {"choices":[{"delta":{"content":"Good "}}]}`, "\n\n",
			`data: {"choices":[{"delta":{"content":"morning."},"finish_reason":"stop"}]}`, "\n\n",
			"data: [DONE]\n\n")
	}))
	defer endpoint.Close()
	m, err := openai.New(openai.Options{BaseURL: endpoint.URL + "/v1", Model: "small"})
	if err != nil {
		fmt.Println(err)
		return
	}
	reply, err := m.Stream(context.Background(), model.Request{Messages: []model.Message{
		{Role: model.RoleUser, Text: "Hello."}}}, func(d model.Delta) { fmt.Printf("%q\n", d.Text) })
	fmt.Println(reply.Text, err)
	// Output:
	// "Good "
	// "morning."
	// Good morning. <nil>
}
