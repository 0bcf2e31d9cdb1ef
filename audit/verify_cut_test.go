package audit_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/google/go-cmp/cmp"
)

// cutoff is a context that ends at the nth call of Done or Err.
type cutoff struct {
	context.Context
	end  context.CancelFunc
	left atomic.Int64
}

func cutAt(n int64) *cutoff {
	c := &cutoff{}
	c.Context, c.end = context.WithCancel(context.Background())
	c.left.Store(n)
	return c
}

func (c *cutoff) look() {
	if c.left.Add(-1) <= 0 {
		c.end()
	}
}

func (c *cutoff) Done() <-chan struct{} { c.look(); return c.Context.Done() }
func (c *cutoff) Err() error            { c.look(); return c.Context.Err() }

// withHeads returns a log that uses every part of a verification, and its verdict.
func withHeads(t *testing.T) (*audit.Log, audit.Verdict) {
	t.Helper()
	d := &drawer{}
	l := open(t, filepath.Join(t.TempDir(), "log.db"), d.options())
	for i := range 5 {
		must(t, l.Record(t.Context(), entry(fmt.Sprint("r", i))))
		read := entry(fmt.Sprint("q", i))
		read.Read = true
		must(t, l.Record(t.Context(), read))
	}
	must(t, l.NoteHeads(t.Context()))
	v, err := l.Verify(t.Context(), nil)
	must(t, err)
	if !v.OK || v.Noted != 2 || v.Records != 5 || v.Reads != 5 || len(v.ReadsHead) != 64 {
		t.Fatalf("%+v", v)
	}
	return l, v
}

func TestU4AVerificationThatIsCutOffIsNoVerdict(t *testing.T) {
	l, whole := withHeads(t)
	for n := int64(1); ; n++ {
		if n > 2000 {
			t.Fatal("it never comes to its end")
		}
		c := cutAt(n)
		v, err := l.Verify(c, nil, whole.Head)
		cut := c.left.Load() <= 0
		c.end()
		if err != nil {
			continue
		}
		v.Noted = whole.Noted
		if diff := cmp.Diff(whole, v); diff != "" {
			t.Errorf("cut off at look %d, and a verdict that lacks something:\n%s", n, diff)
		}
		if !cut {
			return
		}
	}
}

func TestU4WhatIsNoHeadIsRefused(t *testing.T) {
	l, v := withHeads(t)
	for _, head := range []string{"abc", strings.Repeat("zz", 32), v.Head[:62], hex.EncodeToString([]byte("short"))} {
		if _, err := l.Verify(t.Context(), nil, head); err == nil {
			t.Errorf("%s is a head", head)
		}
	}
	for _, head := range []string{v.Head, v.ReadsHead} {
		if v, err := l.Verify(t.Context(), nil, head); err != nil || !v.OK || v.Noted != 3 {
			t.Errorf("%s: %+v %v", head, v, err)
		}
	}
	lost := strings.Repeat("00", 32)
	v, err := l.Verify(t.Context(), nil, lost)
	if err != nil || v.OK || v.FirstBad != 6 || strings.Contains(v.Problem, "segment") {
		t.Errorf("%+v %v", v, err)
	}
}

func TestU4TheProgressOfAVerificationIsOfBothStreams(t *testing.T) {
	l, _ := withHeads(t)
	var steps [][2]int64
	_, err := l.Verify(t.Context(), func(done, total int64) { steps = append(steps, [2]int64{done, total}) })
	must(t, err)
	if diff := cmp.Diff([][2]int64{{5, 10}, {10, 10}}, steps); diff != "" {
		t.Error(diff)
	}
}
