// Package policy decides what an agent may do by itself and asks a person about the rest.
//
//	p := policy.New(policy.Options{Ask: ask, Log: log})
//	b := bus.New(bus.Options{Journal: log, Approver: p})
//	b.MustRegister(policy.Capabilities(policy.Options{Log: log})...)
//
// Rules come from the program, from the owner (stored in Log) and from the capabilities themselves; deny anywhere wins.
// What needs a person becomes a [Card], which [Policy.Decide] answers. A grant, created by a person and bounded by
// [GrantTerms], answers in the person's place. A [Provenance] says where the values on a card come from.
//
// A Policy is safe for concurrent use.
package policy
