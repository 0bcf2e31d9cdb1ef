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

// TestTheDemonstrationOfTheSameSaysWhatItShows: one card, what does not fit, one undo.
//
// holds: A21
func TestTheDemonstrationOfTheSameSaysWhatItShows(t *testing.T) {
	var out, problems bytes.Buffer
	if code := Run(t.Context(), Process{Args: []string{"demo", "same"}, Out: &out, ErrOut: &problems}); code != 0 {
		t.Fatal(code, problems.String())
	}
	for _, line := range []string{"Do the same with 3:", "   6. Add a note to order", "left out: ", "is packed; only",
		"6 steps in one transaction. One Undo: 6 rows are as before."} {
		if strings.Count(out.String(), line) != 1 {
			t.Errorf("not once %q in:\n%s", line, &out)
		}
	}
}

// TestTheDemonstrationOfADraftSaysWhatItShows: what was tried, what does not fit any more, one card, one undo.
//
// holds: A22
func TestTheDemonstrationOfADraftSaysWhatItShows(t *testing.T) {
	var out, problems bytes.Buffer
	if code := Run(t.Context(), Process{Args: []string{"demo", "draft"}, Out: &out, ErrOut: &problems}); code != 0 {
		t.Fatal(code, problems.String())
	}
	for _, line := range []string{"nothing leaves it", "One card: Merge 3 of 4 changes", "is cancelled; only",
		"3 steps in one transaction. One Undo: 3 rows are as before."} {
		if strings.Count(out.String(), line) != 1 {
			t.Errorf("not once %q in:\n%s", line, &out)
		}
	}
}
