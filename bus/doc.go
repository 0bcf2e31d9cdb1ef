// Package bus is a capability bus: every action of an application goes through it, for every caller — a button, a
// shortcut, a script, or a language model's tool call. It validates, authorises, confirms, executes and records each
// action in the same way.
//
// A [Capability] is a named, described, validated and classified action. A [Bus] runs an [Invocation] of one in a fixed
// sequence of steps and returns exactly one [Result]:
//
//	find → validate input → authorise → idempotency → preconditions → rate limit →
//	approve → execute → validate output → commit → emit
//
// Every invocation leaves exactly one record in the [Journal], also if it failed. Effect, record and idempotency result
// are committed together or not at all. A call that policy wants confirmed is first run and rolled back, so that the
// person sees its real effect. The approval holds for exactly that effect: if the execution differs, it is undone and
// the person is asked again.
//
// The bus is independent of storage, people, models and windows. It writes through [Journal] and asks through
// [Approver]: package audit is a journal in a SQLite file and package agent/policy an approver; package bustest has a
// journal in memory, for tests. Without an Approver, a call that needs confirmation is refused.
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
//	# Definitions
//
// SideEffect classifies the risk: [Pure] only reads, [UIOnly] is local and easily undone, [Network] reaches outside,
// [Destructive] moves money or cannot be undone. Permissions are scopes such as "note:write"; the invocation's
// [Principal] needs all of them. The application fills in the Principal and is trusted. Resources limit the handler:
// without "database:write" its transaction only reads. Schemas are inferred from the types of [Define]'s function. A
// wrong definition is refused at registration, never at run time. After all registrations, [Bus.Check] finds hints that
// name an unknown capability.
//
// A handler's error becomes one of seven codes. [Errorf] makes a coded error with a reason and, with WithHint, a hint
// for recovery. Any other error is [Internal]; its cause goes to the log and not to the caller.
//
// A kind of record is declared once, at the capability that lists such records: see [Entity]. The keyword x-entity
// marks the fields that contain their ids, and people read names in place of these ids.
//
//	# Manifest and discovery
//
// [Bus.Manifest] lists the capabilities that a viewer may see, each with its availability. Its JSON Schema is published
// ([Manifest.JSONSchema]), and [Manifest.UnmarshalJSON] reads the manifest of another application. [Manifest.Tools]
// makes a model's tool definitions from it, within a budget; [Capabilities] give the model access to the rest;
// [Bus.NextActions] ranks the likely next actions without a model.
//
//	# Concurrency
//
// All methods of Bus may be called from any goroutine. Invoke runs on the caller's goroutine and the handler on a
// separate one, so that a deadline or a cancellation gets an answer even if the handler ignores it. Handlers of one
// capability may overlap unless its Concurrency excludes it; then even a handler whose caller already has an answer
// excludes others. Writing handlers run one at a time, in the journal's transaction. The bus holds no lock and no
// transaction while it waits for a person or a network. A handler never calls the bus. Events are delivered in one
// order to all subscribers, after the commit, and publishing never waits for a subscriber.
//
//	# Ids in comments
//
// An id such as B4, C9 or U10 names a row of the pages that begin with docs/specification.md: B1 to B11 are the steps
// of an invocation in their order, C the properties of a capability, M the manifest, E events, A the assistant, U the
// audit log. A test that verifies a promise says "holds: B4".
package bus
