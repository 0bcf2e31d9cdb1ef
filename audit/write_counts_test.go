package audit_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/deskhand/deskhand/audit"
)

// TestNothingIsCountedTwiceOrNever alternates two programs that open and close the log, with commits of one record and
// of many.
func TestNothingIsCountedTwiceOrNever(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	programs := []*audit.Log{open(t, path, options()), open(t, path, options())}
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		at := r.IntN(len(programs))
		l := programs[at]
		switch r.IntN(6) {
		case 0:
			must(t, l.Close())
			programs[at] = open(t, path, options())
			l = programs[at]
		case 1:
			many := 10 + r.IntN(60)
			crowd(t, l, many, func(i int) {
				must(t, do(t, l, entry(fmt.Sprint("m", n, i)),
					`INSERT INTO counters VALUES (1, 1) ON CONFLICT DO UPDATE SET n = n + 1`))
			})
		default:
			must(t, l.Record(context.Background(), entry(fmt.Sprint("r", n))))
		}
		if r.IntN(3) > 0 {
			continue
		}
		facets, err := programs[r.IntN(len(programs))].Facets(context.Background(), audit.Query{})
		must(t, err)
		if written := count(t, l, `SELECT count(*) FROM audit_records`); facets.Records != int64(written) {
			t.Fatalf("after %d: counted %d of %d", n, facets.Records, written)
		}
	}
}
