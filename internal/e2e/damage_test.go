package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// damagedPages is how many copies of a shop have one page zeroed.
const damagedPages = 24

// TestU10ADamagedPageIsFoundAndTheWayBackIsNamed zeroes one page after another of a shop that has a copy: the doctor
// and audit verify find each, and what they say to do brings the shop back.
// holds: U10
func TestU10ADamagedPageIsFoundAndTheWayBackIsNamed(t *testing.T) {
	folder := desktest.Copy(t)
	command(t, "--data", folder, "invoke", "shop.backup")
	copies, _ := filepath.Glob(filepath.Join(folder, "backups", "shop-*.db"))
	if len(copies) != 1 {
		t.Fatal(copies)
	}
	whole, err := os.ReadFile(copies[0]) // has no free pages, whose content does not matter
	if err != nil {
		t.Fatal(err)
	}
	pageSize := int(whole[16])<<8 | int(whole[17])
	pages := len(whole) / pageSize
	for i := range damagedPages {
		page := i * (pages - 1) / (damagedPages - 1)
		t.Run(fmt.Sprint(page), func(t *testing.T) {
			bad := filepath.Join(t.TempDir(), "shop")
			if err := os.Mkdir(bad, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.CopyFS(filepath.Join(bad, "backups"), os.DirFS(filepath.Join(folder, "backups"))); err != nil {
				t.Fatal(err)
			}
			damaged := append([]byte(nil), whole...)
			clear(damaged[page*pageSize : (page+1)*pageSize])
			if err := os.WriteFile(filepath.Join(bad, "shop.db"), damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			good := filepath.Join(bad, "backups", filepath.Base(copies[0]))
			var said string
			for _, asked := range [][]string{{"doctor", "--offline"}, {"audit", "verify"}} {
				out, err := exec.Command("deskhand", append([]string{"--data", bad}, asked...)...).CombinedOutput()
				if said = string(out); err == nil || !strings.Contains(said, "shop.db is damaged") ||
					!strings.Contains(said, good) {
					t.Errorf("%s: %v\n%s", asked, err, said)
				}
			}
			if i%8 != 0 {
				return
			}
			// A copy is made anew from the tables: where only an index is damaged it is whole.
			if out, err := exec.Command("deskhand", "--data", bad, "invoke", "shop.backup").CombinedOutput(); err != nil &&
				(!strings.Contains(string(out), "shop.db is damaged") || !strings.Contains(string(out), good)) {
				t.Errorf("%v\n%s", err, out)
			}
			fresh := filepath.Join(t.TempDir(), "fresh")
			for _, back := range regexp.MustCompile(`\((deskhand [^()]*)\)`).FindAllStringSubmatch(said, -1) {
				// Nobody is there to allow it.
				line := strings.Replace(back[1], " invoke ", " invoke --approve allow ", 1)
				run := exec.Command("sh", "-c", strings.ReplaceAll(line, "DIR", fresh))
				if out, err := run.CombinedOutput(); err != nil {
					t.Errorf("%s: %v\n%s", back[1], err, out)
				}
			}
			if out := string(command(t, "--data", fresh, "audit", "verify")); !strings.Contains(out, "is whole") {
				t.Error(out)
			}
		})
	}
}
