package bus_test

import (
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// TestAHintNamesWhatItsReaderKnows: a title in the place of the name of what there
// is, and nothing else changed.
func TestAHintNamesWhatItsReaderKnows(t *testing.T) {
	b, _ := withApprover(t, nil, add(), read())
	e := bus.Errorf(bus.Forbidden, bus.ReasonLimit, "See till.read, till.none and v1.2 of it.").
		WithHint("Look with till.read, then till.add.")
	told := b.ForPeople(e)
	if told.Message != "See “Read the till”, till.none and v1.2 of it." ||
		told.Hint != "Look with “Read the till”, then “Add coins”." || told.Reason != e.Reason {
		t.Errorf("told %+v", told)
	}
	if e.Hint != "Look with till.read, then till.add." {
		t.Errorf("the error itself became %q", e.Hint)
	}
}
