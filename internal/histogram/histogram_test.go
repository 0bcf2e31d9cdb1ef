package histogram_test

import (
	"testing"

	"github.com/deskhand/deskhand/internal/histogram"
)

func TestABucketIsAtMostAThirdAbove(t *testing.T) {
	for _, ms := range []int64{0, 1, 6, 7, 9, 10, 61, 999, 1001, 123_456} {
		bound := histogram.Bucket(ms)
		if bound < ms || ms <= 6 && bound != ms || float64(bound) > 1.34*float64(ms) {
			t.Errorf("%d ms are counted as %d", ms, bound)
		}
	}
	if bound := histogram.Bucket(1 << 60); bound != 1_000_000_000 {
		t.Errorf("the last class is %d", bound)
	}
}

func TestQuantile(t *testing.T) {
	if got := (histogram.Counts{}).Quantile(0.5); got != 0 {
		t.Errorf("of nothing: %d", got)
	}
	counts := histogram.Counts{1: 50, 10: 45, 80: 5}
	for q, want := range map[float64]int64{0.5: 1, 0.51: 10, 0.95: 10, 0.96: 80, 1: 80} {
		if got := counts.Quantile(q); got != want {
			t.Errorf("%v: %d, want %d", q, got, want)
		}
	}
}
