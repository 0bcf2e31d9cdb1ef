package cli

// demoCommand shows what the program does, on shops of its own.
type demoCommand struct {
	Benchmark demoBenchmark `cmd:"" help:"What a grant would have spared, told from a log of 41 cards."`
	Draft     demoDraft     `cmd:"" help:"Changes tried on a copy, merged, and what did not fit any more."`
	Same      demoSame      `cmd:"" help:"What was done with one order, done with others and taken back."`
}
