package audit_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/deskhand/deskhand/audit"
)

// TestAPathMayBeRelativeAndHaveAnyCharacter: every operation works with a relative path and with characters that are
// special in a URL.
func TestAPathMayBeRelativeAndHaveAnyCharacter(t *testing.T) {
	for _, folder := range []string{"shop", "a b", "Müller & Söhne", "50%25", "what#now", "käse;=+'\"", "log?mode=ro"} {
		t.Run(folder, func(t *testing.T) {
			t.Chdir(t.TempDir())
			must(t, os.Mkdir(folder, 0o700))
			at := func(name string) string { return filepath.Join(folder, name) }
			l := open(t, at("log.db"), options())
			must(t, do(t, l, entry("r1"), `INSERT INTO counters VALUES (1, 1)`))
			copied, err := l.Backup(t.Context(), at("copy 1?.db"))
			must(t, err)
			if again, err := audit.CopyAt(t.Context(), at("copy 1?.db")); err != nil || again != copied {
				t.Errorf("%+v, %v, want %+v", again, err, copied)
			}
			if v, err := audit.Inspect(t.Context(), at("copy 1?.db"), options()); err != nil || !v.OK {
				t.Errorf("%+v, %v", v, err)
			}
			must(t, l.Fork(t.Context(), at("fork#.db")))
			forked := open(t, at("fork#.db"), options())
			if stateHash(t, forked) != stateHash(t, l) {
				t.Error("the fork has other rows")
			}
			held, ctx, let := false, context.Context(nil), func() {}
			ctx, let = context.WithCancel(t.Context())
			must(t, audit.Hold(ctx, at("log.db"), func() { held = true; let() }))
			if !held {
				t.Error("it was not held")
			}
			must(t, do(t, l, entry("r2"), `INSERT INTO counters VALUES (2, 2)`))
			if out, err := restore(l, "restore", at("copy 1?.db"), at("aside %.db")); err != nil || out.Copy != copied {
				t.Errorf("%+v, %v", out, err)
			}
			if list, err := os.ReadDir("."); err != nil || len(list) != 1 {
				t.Errorf("beside the folder: %v, %v", list, err)
			}
		})
	}
}
