// Package spelling finds the names that are similar to a misspelt one.
package spelling

import (
	"slices"
	"strings"
)

// Near returns up to three names of capabilities that are similar to a given one, nearest first.
func Near(name string, among []string) []string {
	distances := map[string]int{}
	var found []string
	for _, candidate := range among {
		d := Distance(strings.ToLower(name), strings.ToLower(candidate))
		if domain, _, ok := strings.Cut(name, "."); ok && strings.HasPrefix(candidate, domain+".") {
			d -= len(domain)
		}
		if d <= len(name)/2 {
			distances[candidate], found = d, append(found, candidate)
		}
	}
	slices.SortStableFunc(found, func(a, b string) int { return distances[a] - distances[b] })
	return found[:min(3, len(found))]
}

// Distance returns the number of single-character edits between a and b.
func Distance(a, b string) int {
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := prev[0]
		prev[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			diagonal, prev[j] = prev[j], min(prev[j]+1, prev[j-1]+1, diagonal+cost)
		}
	}
	return prev[len(b)]
}
