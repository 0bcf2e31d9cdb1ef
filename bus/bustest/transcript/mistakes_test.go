package transcript

import (
	"strings"
	"testing"

	"github.com/deskhand/deskhand/internal/faulttest"
)

// TestSeededMistakesAreFound makes each mistake of the list in a copy of package bus: transcripts fail with each.
func TestSeededMistakesAreFound(t *testing.T) {
	faulttest.FindsMistakes(t, "testdata/mistakes.json", "../..", "bus", "TestTheBusAnswersAsInTheTranscripts",
		func(output string) int { return strings.Count(output, ".jsonl:") })
}
