// Package agent is the bridge between a language model and a capability bus.
//
// A client application cannot be called; a model can only answer. The bridge
// asks the model, and acts on the tool calls that come back in its reply:
//
//	sentence → model → tool calls → bus.Invoke → results → model → … → text
//
// The parts:
//
//   - [model.Model] answers: an OpenAI-compatible endpoint ([NewOpenAI])
//     or the built-in assistant (package agent/builtin), which needs no network.
//   - [Bridge] runs a turn: context and events in, calls out, results back.
//   - [Policy] is the bus.Approver: it says what an agent may do by itself, and
//     asks a person about the rest with a [Card].
//   - [Store] keeps rules, grants and conversations in the journal's file, whose
//     audit.Options.Modules have [Migrations]; [Capabilities] are how people
//     change them.
//
// Wiring them:
//
//	log, err := audit.Open(ctx, "app.db", audit.Options{Migrations: migrations,
//		Modules: map[string]fs.FS{agent.ModuleName: agent.Migrations()}})
//	store := agent.NewStore(log)
//	policy := agent.NewPolicy(agent.PolicyOptions{OnCard: show, Log: log})
//	b := bus.New(bus.Options{Journal: log, Approver: policy})
//	b.MustRegister(agent.Capabilities(agent.CapabilityOptions{Store: store, Lookup: b.Lookup})...)
//	bridge := agent.New(agent.Options{Bus: b, Policy: policy, Store: store, Model: func() model.Model { return builtin.New() }})
//	err = bridge.Send(ctx, agent.Turn{ConversationID: "chat_1", Text: "…", Principal: person}, print)
//
// print is given an [Update] for each piece of text, call and result. show is
// given a [CardEvent] when a card opens, changes or closes; the call waits, and
// whoever has read the card answers with [Policy.Decide], from any goroutine.
// docs/examples/notes is all of this as a program.
//
// Without a store there are no grants, and conversations end with the program.
//
// The model is assumed hostile. Only tool calls act, never text; a call runs
// only after the reply that holds it ended properly; the bus authorises each. A
// grant answers in a person's place within its bounds, and takes its use in the
// transaction of the effect; once the model has read text that an output schema
// marks with x-tainted, no grant counts in that conversation for what reaches
// outside or cannot be undone.
//
// Concurrency: Bridge and Policy are safe for concurrent use. One conversation
// has at most one turn at a time; the sink of a turn is never called by two
// goroutines at once. OnCard is called by the goroutine that waits for the answer.
package agent
