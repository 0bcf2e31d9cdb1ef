package e2e

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestC11EveryRowOfAListIsPrinted follows the pages of a list to their end.
//
// holds: C11
func TestC11EveryRowOfAListIsPrinted(t *testing.T) {
	shop := filepath.Join(t.TempDir(), "shop")
	command(t, "--data", shop, "init", "--sample")
	var page struct{ Products []struct{ ID string } }
	whole := command(t, "--data", shop, "invoke", "catalog.search", `{"limit":100}`)
	if err := json.Unmarshal(whole, &page); err != nil || len(page.Products) < 10 || len(page.Products) >= 100 {
		t.Fatalf("%d products, %v: the sample is too small or too large for this test", len(page.Products), err)
	}
	lines := strings.Split(strings.TrimSpace(string(
		command(t, "--data", shop, "invoke", "catalog.search", `{"limit":7}`, "--all"))), "\n")
	if len(lines) != len(page.Products) {
		t.Fatalf("%d lines for %d products", len(lines), len(page.Products))
	}
	for i, line := range lines {
		var row struct{ ID string }
		if err := json.Unmarshal([]byte(line), &row); err != nil || row.ID != page.Products[i].ID {
			t.Errorf("line %d is %s (%v), not %s", i+1, line, err, page.Products[i].ID)
		}
	}
	for arguments, want := range map[string]string{
		"cart.getSummary":             "cart.getSummary is not a list of pages: leave out --all",
		`catalog.search {"limit":-1}`: "limit",
		"catalog.serach":              "catalog.search",
	} {
		out, err := exec.Command("deskhand", append([]string{"--data", shop, "invoke", "--all"},
			strings.Fields(arguments)...)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v %s", arguments, err, out)
		}
	}
}
