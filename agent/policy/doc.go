// Package policy applies the rules for an agent's calls and asks a person to confirm a call where no rule allows it.
//
//	p := policy.New(policy.Options{Ask: ask, Log: log})
//	b := bus.New(bus.Options{Journal: log, Approver: p})
//	b.MustRegister(policy.Capabilities(policy.Options{Log: log})...)
//
// Rules come from the program, from the owner (stored in Log) and from the capabilities themselves. A rule that forbids
// a call wins over every other one. A call that a person must confirm becomes a [Card], and [Policy.Decide] takes the
// answer. A grant is created by a person and bounded by [GrantTerms]; within these bounds it answers in the person's
// place. A [Provenance] records the origin of the values on a card.
//
// A Policy is safe for concurrent use.
package policy
