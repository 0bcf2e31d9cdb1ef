// Package agent is the bridge between a language model and a capability bus.
//
// A client application cannot be called; a model can only answer. The bridge
// asks the model, and acts on the tool calls that come back in its reply:
//
//	sentence → model → tool calls → bus.Invoke → results → model → … → text
//
// The parts:
//
//   - [Bridge] runs a turn: context and events in, calls out, results back.
//   - A model.Model answers: an OpenAI-compatible endpoint (agent/openai) or the
//     built-in assistant (agent/builtin), which needs no network.
//   - A policy.Policy is the bus.Approver: it decides what an agent may do by
//     itself, and asks a person about the rest with a policy.Card.
//   - [Store] keeps conversations, [Modules] make the tables for them and for
//     rules and grants, and [Capabilities] are how people change these.
//
// Wiring them:
//
//	log, err := audit.Open(ctx, "app.db", audit.Options{Migrations: migrations,
//		Modules: agent.Modules()})
//	rules := policy.New(policy.Options{Ask: ask, Log: log})
//	b := bus.New(bus.Options{Journal: log, Approver: rules})
//	store := agent.NewStore(log)
//	b.MustRegister(agent.Capabilities(agent.CapabilityOptions{Store: store})...)
//	assistant := builtin.New(nil, nil, nil)
//	bridge := agent.New(agent.Options{Bus: b, Policy: rules, Store: store,
//		Model: func() model.Model { return assistant }})
//	err = bridge.Send(ctx, agent.Turn{ConversationID: "chat_1", Text: "…", Principal: person}, print)
//
// print is given an [Update] for each piece of text, call and result. ask is given a policy.Card and returns the answer
// of the person who has read it. A window, which answers later and from any goroutine, takes policy.Options.OnCard
// and Policy.Decide instead; package agent/page has them for a page. docs/examples/notes is all of this as a program.
//
// A policy without Log has no grants; a bridge without Store forgets conversations when the program ends.
//
// The model is assumed hostile. Only tool calls act, never text; a call runs only after the reply that holds it ended
// properly; the bus authorises each. A grant answers in a person's place within its bounds, and takes its use in the
// transaction of the effect; once the model has read text that an output schema marks with x-tainted, no grant counts
// in that conversation for what reaches outside or cannot be undone.
//
// Concurrency: Bridge and Policy are safe for concurrent use. One conversation has at most one turn at a time; the sink
// of a turn is never called by two goroutines at once. OnCard and Ask are called by the goroutine
// that waits for the answer.
package agent
