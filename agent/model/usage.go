package model

// Usage is the cost of requests to a model: tokens, and money if the price is known. It is zero for a model without
// cost, such as the built-in assistant.
type Usage struct {
	Input     int    `json:"input,omitempty"`
	Output    int    `json:"output,omitempty"`
	Estimated bool   `json:"estimated,omitempty"`
	Costs     []Cost `json:"costs,omitempty"`
}

// TagFields describes the fields to callers of capabilities.
func (Usage) TagFields() map[string]string {
	return map[string]string{
		"estimated": `doc:"The endpoint did not count all of them; what it left out is estimated from the length."`,
		"costs":     `doc:"What they cost, one amount for each currency; absent where no price is set."`,
	}
}

// Cost is an amount of money that may be far below a minor unit.
type Cost struct {
	Amount   string `json:"amount" jsonschema_description:"A decimal number of the currency, for example 0.0034."`
	Currency string `json:"currency"`
	Text     string `json:"text"`
}
