package shop

import (
	"context"
	"strings"

	"github.com/deskhand/deskhand/shop/internal/core"
)

// MainDesk is the desk of the shop's own computer. Other desks have the names of their tills.
const MainDesk = core.MainDesk

// NameOf returns the display name of the record whose id a field or a fact of a capability contains, or "" if there is
// none or the value is no id. ctx is the context of a handler.
func NameOf(ctx context.Context, field, id string) (string, error) {
	query, known := map[string]string{
		"customerId": `SELECT name FROM customers WHERE id = ?`,
		"productId":  `SELECT name FROM products WHERE id = ?`,
		"variantId": `SELECT p.name || CASE WHEN v.option1 IN ('', 'Default Title') THEN '' ELSE ', ' || v.option1 END
			FROM variants v JOIN products p ON p.id = v.product_id WHERE v.id = ?`,
		"staffId": `SELECT name FROM staff WHERE id = ?`,
	}[field[strings.LastIndexByte(field, '/')+1:]]
	if !known {
		return "", nil
	}
	name, _, err := core.Find(ctx, core.ScanText, query, id)
	return name, err
}

// Currency returns the shop's currency, or "" without a shop. ctx is the context of a handler.
func Currency(ctx context.Context) (string, error) {
	code, _, err := core.Find(ctx, core.ScanText, `SELECT currency FROM shop`)
	return code, err
}
