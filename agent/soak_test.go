package agent_test

import "flag"

var soaking = flag.Bool("soak", false, "run the long form of the tests that have one")
