package filelock

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
)

// looking is a look of another program at a place, which has not ended.
func looking(t *testing.T, q Queue, n int) (end func()) {
	t.Helper()
	f, err := os.OpenFile(q.file(n), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := TryShared(f); !ok || err != nil {
		t.Fatalf("a look at place %d: %v, %v", n, ok, err)
	}
	return func() { _ = leave(f) }
}

// TestALookAtAQueueIsNoPlaceInIt: a program that only asks whether the queue is full refuses no other one.
func TestALookAtAQueueIsNoPlaceInIt(t *testing.T) {
	q := NewQueue(filepath.Join(t.TempDir(), "shop.db"), "group")
	end := looking(t, q, 0)
	if full, err := q.Full(0); full || err != nil {
		t.Errorf("a queue that another program looks at is full: %v, %v", full, err)
	}
	end()
	holder, err := q.Enter(t.Context(), 0)
	if holder == nil || err != nil {
		t.Fatalf("the first place of a free queue: %v", err)
	}
	end = looking(t, q, 1)
	if full, err := q.Full(1); full || err != nil {
		t.Errorf("with one place that another program looks at the queue is full: %v, %v", full, err)
	}
	synctest.Test(t, func(t *testing.T) {
		var give func()
		var err error
		entered := make(chan struct{})
		go func() {
			defer close(entered)
			give, err = q.Enter(t.Context(), 1)
		}()
		synctest.Wait() // it has met the place that is looked at
		end()
		holder()
		<-entered
		if give == nil || err != nil {
			t.Fatalf("it did not get a place that another program had looked at (%v)", err)
		}
		give()
	})
}

// TestAPlaceIsFreeAtOnceWhenItIsGivenBack, while a child process is started: it has a copy of all files until it runs
// its program.
func TestAPlaceIsFreeAtOnceWhenItIsGivenBack(t *testing.T) {
	q := NewQueue(filepath.Join(t.TempDir(), "shop.db"), "group")
	f, err := Claim(q.file(0))
	if f == nil || err != nil {
		t.Fatal(f, err)
	}
	inherit(t, f)
	if err := leave(f); err != nil {
		t.Fatal(err)
	}
	if full, err := q.Full(0); full || err != nil {
		t.Errorf("a place that was given back is held: %v, %v", full, err)
	}
}
