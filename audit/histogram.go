package audit

import "sort"

// bounds are the upper bounds in ms of the classes that durations are counted
// in: exact to 6 ms, then never more than a third apart. The second migration
// has the same ones.
var bounds = func() []int64 {
	out := []int64{0, 1, 2, 3, 4, 5, 6, 8}
	for power := int64(1); power <= 10_000_000; power *= 10 {
		for _, n := range []int64{10, 12, 15, 20, 25, 30, 40, 50, 60, 80} {
			out = append(out, n*power)
		}
	}
	return append(out, 1_000_000_000)
}()

// bucketOf is the bound of the class that a duration in ms belongs to.
func bucketOf(ms int64) int64 {
	i := sort.Search(len(bounds)-1, func(i int) bool { return bounds[i] >= ms })
	return bounds[i]
}

// histogram counts durations by the bound of their class.
type histogram map[int64]int64

// quantile is the bound that the part q of all durations does not exceed; 0
// when there are none.
func (h histogram) quantile(q float64) int64 {
	var total, seen int64
	for _, n := range h {
		total += n
	}
	for _, bound := range bounds {
		if seen += h[bound]; seen > 0 && float64(seen) >= q*float64(total) {
			return bound
		}
	}
	return 0
}
