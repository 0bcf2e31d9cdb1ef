package audit_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/deskhand/deskhand/audit"
)

// holds: U9
func TestU9FollowHandsOverWhatThisAndOtherProgramsRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	here, there := open(t, path, options()), open(t, path, options())
	for i := range 450 { // more than two steps
		must(t, here.Record(context.Background(), entry(fmt.Sprint("old", i))))
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	got, ended := make(chan audit.Record), make(chan error, 1)
	go func() {
		ended <- here.Follow(ctx, 3, func(records []audit.Record) error {
			for _, r := range records {
				got <- r
			}
			return nil
		})
	}()
	next := int64(4)
	expect := func(request string) {
		t.Helper()
		r := <-got
		if r.Seq != next || r.RequestID != request {
			t.Fatalf("record %d %s instead of %d %s", r.Seq, r.RequestID, next, request)
		}
		next++
	}
	for i := 3; i < 450; i++ {
		expect(fmt.Sprint("old", i))
	}
	for i := range 20 {
		l := here
		if i%3 > 0 {
			l = there
		}
		must(t, l.Record(context.Background(), entry(fmt.Sprint("new", i))))
		expect(fmt.Sprint("new", i))
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("end: %v", err)
	}
}

func TestFollowEndsWithItsReadersError(t *testing.T) {
	l := newLog(t)
	must(t, l.Record(context.Background(), entry("r")))
	enough := errors.New("enough")
	if err := l.Follow(context.Background(), 0, func([]audit.Record) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("end: %v", err)
	}
}

func TestAFileIsWatchedWhereNobodyTells(t *testing.T) {
	for range 2 {
		<-audit.Polled(t)
	}
}
