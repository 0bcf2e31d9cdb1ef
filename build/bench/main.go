// Bench puts one invocation through Deskhand's bus and through libraries that do part of the same, in turns, and prints
// a table of what each took beside the least that any of them has to do. Only the ratios of one run mean anything.
//
//	make bench        measures and prints
//	make performance  writes docs/performance.md
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"time"
)

// contender is one way from the arguments' JSON to the result's.
type contender struct {
	name string
	does string // what it does on the way, for the reader of the table
	call func() error
}

func main() {
	rounds := flag.Int("rounds", 31, "how many turns each contender has")
	length := flag.Duration("length", 40*time.Millisecond, "how long a turn is, about")
	flag.Parse()
	if err := run(*rounds, *length); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(rounds int, length time.Duration) error {
	all, err := contenders()
	if err != nil {
		return err
	}
	calls := make([]int, len(all)) // of a turn
	for i, c := range all {
		took, err := turn(c, 200) // which also warms it up
		if err != nil {
			return err
		}
		calls[i] = max(1, int(length/max(took/200, 1)))
	}
	times := make([][]float64, len(all))
	for range rounds {
		for i, c := range all {
			took, err := turn(c, calls[i])
			if err != nil {
				return err
			}
			times[i] = append(times[i], float64(took.Nanoseconds())/float64(calls[i]))
		}
	}
	fmt.Println("| one invocation, in process | what it does | ns | × floor |\n|---|---|---:|---:|")
	for i, c := range all {
		over := make([]float64, rounds)
		for r := range over {
			over[r] = times[i][r] / times[0][r]
		}
		fmt.Printf("| %s | %s | %.0f | %.1f |\n", c.name, c.does, median(times[i]), median(over))
	}
	return nil
}

// turn makes so many calls, one after the other.
func turn(c contender, calls int) (time.Duration, error) {
	began := time.Now()
	for range calls {
		if err := c.call(); err != nil {
			return 0, fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return time.Since(began), nil
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
