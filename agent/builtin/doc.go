// Package builtin is an assistant without a language model: no network, no weights, the same answer to the same words.
// It understands sentences close to the phrases that capabilities bring along, looks names up by calling pure
// capabilities, asks when it is unsure, and says what it is.
//
//	assistant := builtin.New(nil, nil, nil)
//	bridge := agent.New(agent.Options{Bus: b, Policy: p, Model: func() model.Model { return assistant }})
package builtin
