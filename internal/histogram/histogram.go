// Package histogram counts durations in classes with fixed bounds, so that counts of different periods can be added.
package histogram

import "sort"

// bounds holds the upper bounds of the classes in ms: exact up to 6 ms, then at most a third apart. Stored counts
// depend on them.
var bounds = func() []int64 {
	out := []int64{0, 1, 2, 3, 4, 5, 6, 8}
	for power := int64(1); power <= 10_000_000; power *= 10 {
		for _, n := range []int64{10, 12, 15, 20, 25, 30, 40, 50, 60, 80} {
			out = append(out, n*power)
		}
	}
	return append(out, 1_000_000_000)
}()

// Bucket returns the upper bound of the class of a duration in ms.
func Bucket(ms int64) int64 {
	i := sort.Search(len(bounds)-1, func(i int) bool { return bounds[i] >= ms })
	return bounds[i]
}

// Counts holds the number of durations by the upper bound of their class.
type Counts map[int64]int64

// Quantile returns the bound that the fraction q of all durations does not exceed, or 0 without durations.
func (h Counts) Quantile(q float64) int64 {
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
