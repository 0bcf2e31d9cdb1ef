package policy

import "encoding/json"

// Tighten returns constraints that fulfil both, see [Constraints].
func Tighten(a, b Constraints) (Constraints, error) { return tighten(a, b) }

// Fulfils reports whether arguments and facts fulfil constraints.
func Fulfils(cs Constraints, args json.RawMessage, facts map[string]any) (bool, error) {
	key, err := cs.unmet(args, facts)
	return err == nil && key == "", err
}

// Taints reports whether an output holds text that its schema marks as tainted.
func Taints(schema, data json.RawMessage) bool { return taints(schema, data) }
