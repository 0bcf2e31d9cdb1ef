package day

import (
	"context"
	"fmt"

	"github.com/deskhand/deskhand/shop/internal/core"
)

// taken selects the receipts r of each closing c.
const taken = `closing_receipts c JOIN receipts r ON r.desk = c.desk AND r.series_year = c.series_year
	AND r.count BETWEEN c.first AND c.last`

// checks are queries that find errors, each with its message.
var checks = []struct{ says, query string }{
	{"closings: the sums of closing %s are not those of its receipts.", `SELECT number || ' of ' || desk FROM closings d
		WHERE (sales, returns, rounding) <> (SELECT COALESCE(SUM(r.sales), 0), COALESCE(SUM(r.returns), 0),
			COALESCE(SUM(r.rounding), 0) FROM ` + taken + ` WHERE c.desk = d.desk AND c.closing = d.number)`},
	{"closings: the receipts of closing %s are not all there, or too many.", differ(`desk, closing, series_year, first,
		last, receipts`, `closing_receipts`, `SELECT c.desk, closing, c.series_year, MIN(count), MAX(count), COUNT(*)
		FROM `+taken+` GROUP BY 1, 2, 3`)},
	{"closings: the takings of closing %s are not those of its receipts.", differ(`desk, closing, kind, paid, refunded`,
		`closing_methods`, `SELECT c.desk, closing, kind, SUM(max(amount, 0)), SUM(max(-amount, 0))
		FROM `+taken+` JOIN receipt_payments USING (number) GROUP BY 1, 2, 3`)},
	{"closings: the taxes of closing %s are not those of its receipts.", differ(`desk, closing, rate_ppm, net, tax`,
		`closing_rates`, `SELECT c.desk, closing, rate_ppm, SUM(net), SUM(tax) FROM `+taken+`
		JOIN receipt_rates USING (number) GROUP BY 1, 2, 3 HAVING SUM(net) <> 0 OR SUM(tax) <> 0`)},
	{"closings: the cash of closing %s is not that of its takings and moves.", `SELECT number || ' of ' || desk
		FROM closings d WHERE (cash_in, cash_out) <> (SELECT COALESCE(SUM(paid), 0), COALESCE(SUM(refunded), 0)
			FROM closing_methods c WHERE c.desk = d.desk AND c.closing = d.number AND kind = 'cash')
		OR moved <> (SELECT COALESCE(SUM(amount), 0) FROM cash_moves c WHERE c.desk = d.desk AND c.closing = d.number)`},
	{"closings: closing %s does not go on from the one before.", `SELECT number || ' of ' || desk FROM (SELECT *,
		LAG(counted, 1, 0) OVER w AS cash, LAG(lifetime_sales, 1, 0) OVER w AS sold,
		LAG(lifetime_returns, 1, 0) OVER w AS back FROM closings WINDOW w AS (PARTITION BY desk ORDER BY number))
		WHERE (cash_before, lifetime_sales, lifetime_returns) <> (cash, sold + sales, back + returns)`},
	{"closings: the log has not counted as far as closing %s.", `SELECT n || ' of ' || desk FROM
		(SELECT desk, MAX(number) AS n FROM closings GROUP BY desk) WHERE NOT EXISTS (SELECT 1 FROM audit_series
			WHERE series = 'closings ' || desk AND last >= n OR series = '')`},
	{"closings: receipt %s belongs to none although a later one is closed, or to several.", `SELECT number
		FROM receipts r WHERE count <= (SELECT MAX(last) FROM closing_receipts c WHERE c.desk = r.desk
			AND c.series_year = r.series_year)
		AND (SELECT COUNT(*) FROM closing_receipts c WHERE c.desk = r.desk AND c.series_year = r.series_year
			AND r.count BETWEEN c.first AND c.last) <> 1`},
	{"closings: a part of closing %s is of none.", `SELECT closing || ' of ' || desk FROM (
		SELECT desk, closing FROM closing_methods UNION SELECT desk, closing FROM closing_rates
		UNION SELECT desk, closing FROM closing_receipts UNION SELECT desk, closing FROM cash_moves WHERE closing > 0)
		WHERE (desk, closing) NOT IN (SELECT desk, number FROM closings)`},
}

// differ selects the closings whose rows in a table differ from the wanted ones.
func differ(columns, table, wanted string) string {
	have := `SELECT ` + columns + ` FROM ` + table
	return `WITH want (` + columns + `) AS (` + wanted + `) SELECT DISTINCT closing || ' of ' || desk FROM (
		SELECT * FROM (` + have + ` EXCEPT SELECT * FROM want) UNION ALL SELECT * FROM (SELECT * FROM want EXCEPT ` + have +
		`))`
}

// Check calls found with a message for each closing that disagrees with its receipts, its cash or the previous closing.
func Check(ctx context.Context, found func(sentence string)) error {
	for _, c := range checks {
		names, err := core.List(ctx, core.ScanText, c.query+` ORDER BY 1`)
		if err != nil {
			return fmt.Errorf("%s: %w", c.says, err)
		}
		for _, name := range names {
			found(fmt.Sprintf(c.says, name))
		}
	}
	return nil
}
