package mcp

import (
	"context"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// jobs holds the five most common tasks that a person starts in a client. {about} stands for the person's details.
var jobs = []struct{ name, title, does, about, text string }{
	{"take_order", "Take an order", "Fills the cart, shows what it comes to, and submits it.",
		"What is wanted, and by whom.",
		"Take this order at the desk: {about}. Find the products and the customer, fill the cart, show me the cart and " +
			"what it comes to, and submit it when I agree."},
	{"find_order", "Find an order", "Tells its state, what is in it and what happened to it.",
		"A number, a name or a product.",
		"Find the order about {about}, and tell me its state, what is in it and what happened to it."},
	{"cancel_order", "Cancel an order", "Finds it, tells what is paid back, and cancels it.",
		"Which one, and why.",
		"Cancel this order: {about}. Find it first and tell me what is paid back."},
	{"todays_sales", "Sales of today", "Adds up the orders of a period.",
		"A period in place of today.",
		"Add up the sales of {about}: how many orders, what they come to, and what stands out."},
	{"open_orders", "What is to be done", "Lists the orders that are not done, the oldest first.",
		"Pick-up, delivery or a customer.",
		"List the orders that are not done yet ({about}), the oldest first, and say what each waits for."},
}

// addPrompts registers the jobs as prompts.
func (s *Server) addPrompts() {
	for _, job := range jobs {
		s.sdk.AddPrompt(&sdk.Prompt{Name: job.name, Title: job.title, Description: job.does,
			Arguments: []*sdk.PromptArgument{{Name: "about", Description: job.about}}},
			func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
				about := req.Params.Arguments["about"]
				if about == "" {
					about = map[string]string{"todays_sales": "today", "open_orders": "all of them"}[job.name]
				}
				return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user",
					Content: &sdk.TextContent{Text: strings.ReplaceAll(job.text, "{about}", about)}}}}, nil
			})
	}
}
