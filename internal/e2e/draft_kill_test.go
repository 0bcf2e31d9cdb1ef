package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// TestA22AMergeThatIsKilledLeavesAllOrNothing kills the program that merges, at any moment: the shop has all of the
// draft and the draft is over, or none and it can be merged again.
//
// holds: A22
func TestA22AMergeThatIsKilledLeavesAllOrNothing(t *testing.T) {
	const notes, rounds = 12, 16
	folder := desktest.Copy(t)
	live, err := desk.Open(t.Context(), desk.Options{Folder: folder, Door: "cli"})
	if err != nil {
		t.Fatal(err)
	}
	var made struct{ DraftID string }
	desktest.Must(t, live, bus.CallerTest, "draft.open", `{}`, &made)
	draft, err := desk.Open(t.Context(), desk.Options{Folder: live.DraftFolder(made.DraftID), Door: "cli"})
	if err != nil {
		t.Fatal(err)
	}
	var found struct{ Orders []struct{ ID string } }
	desktest.Must(t, draft, bus.CallerTest, "order.search", `{"limit":1}`, &found)
	for n := range notes {
		desktest.Must(t, draft, bus.CallerTest, "order.addNote", fmt.Sprintf(`{"orderId":%q,"text":"Drafted %d"}`,
			found.Orders[0].ID, n), nil)
	}
	for _, d := range []*desk.Desk{draft, live} {
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	random := rand.New(rand.NewPCG(26, 22))
	whole, none := 0, 0
	for round := range rounds {
		at := filepath.Join(t.TempDir(), "shop")
		if err := os.CopyFS(at, os.DirFS(folder)); err != nil {
			t.Fatal(err)
		}
		merge := exec.Command("deskhand", "--data", at, "invoke", "draft.merge", fmt.Sprintf(`{"draftId":%q}`, made.DraftID),
			"--approve", "allow")
		if err := merge.Start(); err != nil {
			t.Fatal(err)
		}
		moment := time.AfterFunc(time.Duration(random.IntN(400))*time.Millisecond, func() {
			if round > 0 { // the first is let be
				_ = merge.Process.Kill()
			}
		})
		_ = merge.Wait() // killed, or done
		moment.Stop()
		d, err := desk.Open(t.Context(), desk.Options{Folder: at, Door: "cli"})
		if err != nil {
			t.Fatal(err)
		}
		raw, err := d.Invoke(t.Context(), "order.get", map[string]string{"orderId": found.Orders[0].ID}, "test")
		if err != nil {
			t.Fatal(err)
		}
		var open struct{ Drafts []any }
		desktest.Must(t, d, bus.CallerTest, "draft.list", `{}`, &open)
		switch n := strings.Count(string(raw.Data), "Drafted "); {
		case n == notes && len(open.Drafts) == 0:
			whole++
		case n == 0 && len(open.Drafts) == 1:
			none++
		default:
			t.Errorf("round %d: %d of %d notes, and %d drafts are open", round, n, notes, len(open.Drafts))
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if whole == 0 {
		t.Error("none was merged, not even the one that was let be")
	}
	t.Logf("%d rounds: %d merged, %d not", rounds, whole, none)
}
