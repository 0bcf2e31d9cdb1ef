package archive

import (
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/deskhand/deskhand/audit"
)

// OpenLogs returns the number of open logs.
func OpenLogs(a *Archive) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.open)
}

// PublishLate reads the state of the stream now. The returned function publishes.
func PublishLate(t testing.TB, js jetstream.JetStream, source string, log *audit.Log) func() error {
	p, err := NewPublisher(source, Options{})
	if err != nil {
		t.Fatal(err)
	}
	at, err := p.resume(t.Context(), js, log)
	if err != nil {
		t.Fatal(err)
	}
	return func() error {
		_, err := at.publishSome(t.Context())
		return err
	}
}
