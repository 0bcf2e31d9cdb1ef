package bustest_test

import (
	"context"
	"errors"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// numbers is a journal in memory with the numbers of the kit in its tables.
func numbers(j *bustest.Journal) bustest.JournalFixture {
	return bustest.JournalFixture{
		Journal: j,
		Write: func(ctx context.Context, name string, value int) error {
			if value < 0 {
				return errors.New("a constraint")
			}
			return bustest.Tables(ctx).Set("numbers", name, map[string]any{"value": value})
		},
		Read: func(ctx context.Context, name string) (int, error) {
			value, _ := bustest.Tables(ctx).Get("numbers", name)["value"].(int)
			return value, nil
		},
		Records: func(_ context.Context, requestID string) (list []bus.Result, _ error) {
			for _, e := range j.Entries() {
				if e.Invocation.RequestID == requestID {
					list = append(list, e.Result)
				}
			}
			return list, nil
		},
		Fault: func(n int) func() bool {
			if n == 1 {
				j.Fail(errors.New("made to fail"))
			}
			return func() bool { j.Fail(nil); return n == 1 }
		},
	}
}

func TestTheJournalInMemoryConforms(t *testing.T) {
	bustest.ConformJournal(t, func(testing.TB) bustest.JournalFixture { return numbers(&bustest.Journal{}) })
}
