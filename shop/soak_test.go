package shop_test

import "flag"

// soaking makes the random walk walk far.
var soaking = flag.Bool("soak", false, "run the long form of the tests that have one")
