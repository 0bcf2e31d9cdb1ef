// Package builtin is an assistant without a language model. It needs no network and no weights, and gives the same
// answer to the same words. It matches sentences with the phrases of the capabilities, looks up names by calling pure
// capabilities, and asks a question when it is unsure.
//
//	assistant := builtin.New(nil, nil, nil)
//	bridge := agent.New(agent.Options{Bus: b, Policy: p, Model: func() model.Model { return assistant }})
package builtin
