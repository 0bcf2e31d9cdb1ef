// Package bus is a capability bus: every action of an application goes through it,
// for every caller — a button, a shortcut, a script, or a language model's tool
// call. It validates, authorises, confirms, executes and records each in one way.
//
// A [Capability] is a named, described, validated and classified action. A [Bus] runs an [Invocation] of one in a fixed
// order of steps and answers with exactly one [Result]:
//
//	find → validate input → authorise → idempotency → preconditions → rate limit →
//	approve → execute → validate output → commit → emit
//
// Every invocation leaves exactly one record in the [Journal], also if it failed. Effect, record and idempotency result
// are committed together or not at all. A call that policy wants confirmed is first run and rolled back, so that the
// person sees what it would really do; the answer then holds for exactly that: if the execution differs, it is undone
// and the person is asked again.
//
// The bus knows nothing about storage, people, models or windows. It writes through [Journal] and asks through
// [Approver]: package audit is a journal in a SQLite file and package agent/policy an approver; package bustest has a
// journal in memory, for tests. Without an Approver, a call that must be confirmed is refused.
//
//	b := bus.New(bus.Options{Journal: journal})
//	b.MustRegister(bus.Define(bus.Capability{
//		Name: "note.add", Title: "Add a note", Description: "Add a note to the pad.",
//		SideEffect: bus.UIOnly, Resources: []string{"database:write"},
//	}, func(ctx context.Context, call *bus.Call, in noteIn) (struct{}, error) {
//		…
//	}))
//	out, err := bus.Invoke[struct{}](ctx, b, bus.Invocation{Capability: "note.add",
//		Caller: bus.Caller{Type: bus.CallerUI}, Principal: kim}, noteIn{Title: "Keys"})
//
// # Definitions
//
// SideEffect is what is at stake: [Pure] only looks, [UIOnly] is local and easily taken back, [Network] reaches
// outside, [Destructive] moves money or cannot be taken back. Permissions are scopes such as "note:write", of which the
// invocation's [Principal] needs all; the application fills it in and is trusted. Resources are what the handler may
// touch: without "database:write" its transaction only reads. Schemas are inferred from the types of [Define]'s
// function. A wrong definition is refused at registration, never at run time; [Bus.Check] finds hints that name no
// capability, when all are registered.
//
// A handler's error becomes one of seven codes: [Errorf] makes a coded one with a reason and, by WithHint, a way out;
// any other is [Internal], whose cause goes to the log and not to the caller.
//
// A kind of record that capabilities are about is declared once, at the capability that lists such records: see
// [Entity]. Fields that are ids of them say so by the keyword x-entity, and people read names.
//
// # Manifest and discovery
//
// [Bus.Manifest] lists what a viewer may see, each entry with whether it is possible now; its JSON Schema is published
// ([Manifest.JSONSchema]), and [Manifest.UnmarshalJSON] reads that of another application. [Manifest.Tools] makes a
// model's tool definitions of it, within a budget; [Capabilities] let the model reach the rest; [Bus.NextActions]
// ranks what comes next without a model.
//
// # Concurrency
//
// All methods of Bus may be called from any goroutine. Invoke runs on the caller's goroutine and the handler on one of
// its own, so that a deadline or a cancellation is answered even if the handler does not look. Handlers of one
// capability may overlap unless its Concurrency excludes it, and then not even with one whose caller was answered while
// it still ran; writing handlers run one at a time, in the journal's transaction. No lock and no transaction is held
// while a person or a network is waited for. A handler never calls the bus. Events are delivered in one order to all
// subscribers, after the commit, and publishing never waits for a subscriber.
//
// # Ids in comments
//
// An id such as B4, C9 or U10 names a row of the pages that begin with docs/specification.md: B1 to B11 are the
// steps of an invocation in their order, C what a capability carries, M the manifest, E events, A the assistant, U the
// audit log. A test that holds a promise says "holds: B4".
package bus
