package remote_test

import (
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/remote"
)

// BenchmarkInvoke is a reading call on a bus, and the same over a link.
func BenchmarkInvoke(b *testing.B) {
	far, _ := shelf(b, list())
	inv := bus.Invocation{Capability: "shelf.list", Caller: bus.Caller{Type: bus.CallerCLI}, Principal: kims.Principal}
	b.Run("here", func(b *testing.B) {
		for b.Loop() {
			far.Invoke(b.Context(), inv)
		}
	})
	b.Run("over a link", func(b *testing.B) {
		l := over(b, far, kims, remote.Options{})
		for b.Loop() {
			l.Invoke(b.Context(), inv, nil)
		}
	})
}
