package cli_test

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/deskhand/deskhand/internal/cli"
)

var garbage []byte // what was allocated last

// TestCollectionBeginsLateAndGoesOnAsUsual, in a process of its own: what others allocated would count.
func TestCollectionBeginsLateAndGoesOnAsUsual(t *testing.T) {
	const alone = "DESKHAND_TEST_COLLECTION"
	if os.Getenv(alone) == "" {
		c := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
		c.Env = append(os.Environ(), alone+"=1", "GOGC=100", "GOMEMLIMIT=off")
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	settings := func() (percent, limit uint64) {
		s := []metrics.Sample{{Name: "/gc/gogc:percent"}, {Name: "/gc/gomemlimit:bytes"}}
		metrics.Read(s)
		return s[0].Value.Uint64(), s[1].Value.Uint64()
	}
	collections := func(megabytes int) uint32 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range megabytes {
			garbage = make([]byte, 1<<20)
		}
		runtime.ReadMemStats(&after)
		return after.NumGC - before.NumGC
	}
	wasPercent, wasLimit := settings()
	cli.CollectLater()
	if n := collections(30); n != 0 {
		t.Errorf("30 MB were collected %d times", n)
	}
	if n := collections(300); n == 0 {
		t.Error("300 MB were not collected")
	}
	for began := time.Now(); time.Since(began) < 10*time.Second; time.Sleep(time.Millisecond) {
		if percent, limit := settings(); percent == wasPercent && limit == wasLimit {
			return
		}
	}
	percent, limit := settings()
	t.Errorf("it goes on at %d %% and %d bytes, not at %d and %d", percent, limit, wasPercent, wasLimit)
}
