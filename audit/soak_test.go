package audit_test

import "flag"

// soaking makes the tests that walk at random walk far.
var soaking = flag.Bool("soak", false, "run the long form of the tests that have one")

// soak chooses how far: the first number always, the second in a soak.
func soak(usual, long int) int {
	if *soaking {
		return long
	}
	return usual
}
