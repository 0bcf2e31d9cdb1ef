package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// matchesAny reports whether a capability has one of the names, or one of them
// before a dot.
func matchesAny(names []string, capability string) bool {
	return capability != "" && slices.ContainsFunc(names, func(name string) bool {
		return capability == name || strings.HasPrefix(capability, name+".")
	})
}

// excludeConditions are the conditions that leave out the records of some capabilities.
func (l *Log) excludeConditions(ctx context.Context, names []string) ([]condition, error) {
	list, err := json.Marshal(names)
	if err != nil {
		return nil, fmt.Errorf("audit: search: %w", err)
	}
	rows, err := l.readers.db.QueryContext(ctx, `SELECT c.id FROM json_each(?) n JOIN audit_capabilities c
		ON c.name = n.value OR c.name > n.value || '.' AND c.name < n.value || '/'`, string(list)) // / follows on .
	if err != nil {
		return nil, fmt.Errorf("audit: search: %w", err)
	}
	var numbers []string
	err = each(rows, func() error {
		var number int64
		err := rows.Scan(&number)
		numbers = append(numbers, fmt.Sprint(number))
		return err
	})
	if err != nil || len(numbers) == 0 {
		return nil, err
	}
	not := "NOT IN (" + strings.Join(numbers, ", ") + ")"
	return []condition{{sql: "coalesce(r.capability, 0) " + not, rollup: "k.capability " + not}}, nil
}
