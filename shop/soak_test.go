package shop_test

import "flag"

// soaking makes the tests that walk at random walk far: 1 is the whole of their
// long form, 0.1 a tenth of it.
var soaking = flag.Float64("soak", 0, "run this share of the long form of the tests that have one")

// soak returns the number of rounds: usual at least, and long in a complete soak.
func soak(usual, long int) int {
	return max(usual, int(*soaking*float64(long)))
}
