// Package agent is the bridge between a language model and a capability bus.
//
// A client application cannot be called; a model can only answer. The bridge sends a request to the model and carries
// out the tool calls in its reply:
//
//	sentence → model → tool calls → bus.Invoke → results → model → … → text
//
// The parts:
//
//   - [Bridge] runs a turn: it sends context and events, runs calls, and returns results.
//   - A model.Model answers: an OpenAI-compatible endpoint (agent/openai) or the
//     built-in assistant (agent/builtin), which needs no network.
//   - A policy.Policy is the bus.Approver: it applies the rules to an agent's calls,
//     and asks a person with a policy.Card where the rules require it.
//   - [Store] keeps conversations, [Modules] creates the tables for them and for
//     rules and grants, and people change these by [Capabilities].
//
// A program connects them like this:
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
// The function print receives an [Update] for each piece of text, call and result. The function ask receives a
// policy.Card and returns the answer of the person who has read it. A window answers later and from any goroutine, so
// it uses policy.Options.OnCard and Policy.Decide instead; package agent/page has both for a page. The program in
// docs/examples/notes is a complete example.
//
// A policy without Log has no grants; a bridge without Store forgets conversations when the program ends.
//
// The bridge treats the model as hostile. Only tool calls act, never text. A call runs only after the reply that
// contains it has ended properly, and the bus authorises each call. A grant answers in a person's place within its
// bounds, and the transaction of the effect records its use. After the model has read text that an output schema marks
// with x-tainted, no grant of that conversation covers network calls or effects that cannot be undone.
//
// Concurrency: Bridge and Policy are safe for concurrent use. One conversation has at most one turn at a time. Two
// goroutines never call the sink of a turn at once. The goroutine that waits for an answer calls OnCard and Ask.
package agent
