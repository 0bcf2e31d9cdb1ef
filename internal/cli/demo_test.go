package cli

import (
	"bytes"
	"strings"
	"testing"
)

// TestTheDemonstrationOfTheBenchmarkSaysWhatItShows: what docs/benchmark.md prints.
//
// holds: U12
func TestTheDemonstrationOfTheBenchmarkSaysWhatItShows(t *testing.T) {
	var out, problems bytes.Buffer
	if code := Run(t.Context(), Process{Args: []string{"demo", "benchmark"}, Out: &out, ErrOut: &problems}); code != 0 {
		t.Fatal(code, problems.String())
	}
	for _, line := range []string{"asked 41 times", "41 cards, 38 spared, none of the 3 denied",
		"41 cards, 38 spared, and 3 of the 3 denied let through", "the first 12 are done again: a card for 1 of them"} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("no %q in:\n%s", line, &out)
		}
	}
}
