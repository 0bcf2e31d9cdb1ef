package jsonpointer_test

import (
	"testing"

	"github.com/deskhand/deskhand/internal/jsonpointer"
)

func TestAtFollowsWhatJoinMakes(t *testing.T) {
	doc := map[string]any{"a/b": []any{"x", map[string]any{"~": 7}}, "": 1}
	if v, ok := jsonpointer.At(doc, jsonpointer.Join("a/b", "1", "~")); !ok || v != 7 {
		t.Error(v, ok)
	}
	if v, ok := jsonpointer.At(doc, "/"); !ok || v != 1 {
		t.Error(v, ok)
	}
	if v, ok := jsonpointer.At(7, ""); !ok || v != 7 {
		t.Error(v, ok)
	}
	for _, pointer := range []string{"a", "/c", "/a~1b/2", "/a~1b/-1", "/a~1b/01", "/a~1b/x", "/a~1b/0/y"} {
		if v, ok := jsonpointer.At(doc, pointer); ok {
			t.Errorf("%s leads to %v", pointer, v)
		}
	}
	if name := jsonpointer.Unescape(jsonpointer.Escape("~1/~")); name != "~1/~" {
		t.Error(name)
	}
}

func TestSetPutsAValueWhereAtFindsIt(t *testing.T) {
	doc := map[string]any{"a/b": []any{"x", map[string]any{"c": 7}}}
	for _, pointer := range []string{"/a~1b/0", "/a~1b/1/c", "/a~1b/1/new", "/new"} {
		if !jsonpointer.Set(doc, pointer, pointer) {
			t.Errorf("%s leads nowhere", pointer)
		} else if v, _ := jsonpointer.At(doc, pointer); v != pointer {
			t.Errorf("%s leads to %v", pointer, v)
		}
	}
	for _, pointer := range []string{"", "x", "/a~1b/2", "/a~1b/x", "/x/y", "/a~1b/0/y"} {
		if jsonpointer.Set(doc, pointer, 1) {
			t.Errorf("%q was set", pointer)
		}
	}
}
