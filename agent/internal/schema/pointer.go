package schema

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Escape writes a name as a step of a JSON Pointer.
func Escape(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
}

// At follows a JSON Pointer.
func At(v any, pointer string) (any, bool) {
	if pointer == "" {
		return v, true
	}
	if !strings.HasPrefix(pointer, "/") {
		return nil, false
	}
	for _, step := range strings.Split(pointer[1:], "/") {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch t := v.(type) {
		case map[string]any:
			sub, ok := t[step]
			if !ok {
				return nil, false
			}
			v = sub
		case []any:
			n, err := json.Number(step).Int64()
			if err != nil || n < 0 || n >= int64(len(t)) || fmt.Sprint(n) != step {
				return nil, false
			}
			v = t[n]
		default:
			return nil, false
		}
	}
	return v, true
}
