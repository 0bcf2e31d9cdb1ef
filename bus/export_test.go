package bus

// DecodeInvocation reads the wire form as InvokeJSON does.
var DecodeInvocation = decodeInvocation

// Search is the index behind capability.list by itself, for benchmarks: how many
// of the first n it finds.
func Search(b *Bus, query string, n int) int {
	return len(b.listed.Load().find().search(query, n, nil, func(int) bool { return true }))
}

// InferredSchemas returns the number of schemas that the process keeps.
func InferredSchemas() (n int) {
	allInferred.Range(func(any, any) bool { n++; return true })
	return n
}
