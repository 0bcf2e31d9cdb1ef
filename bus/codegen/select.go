package codegen

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/internal/spelling"
)

// Select returns the manifest with the capabilities in only, or all if it is empty, without those in exclude. A name
// may be a pattern, such as "till.*". A name without a match is an error that suggests similar ones.
func Select(m bus.Manifest, only, exclude []string) (bus.Manifest, error) {
	var names []string
	for _, e := range m.Capabilities {
		names = append(names, e.Name)
	}
	matched := map[string]bool{}
	for i, pattern := range slices.Concat(only, exclude) {
		found := false
		for _, name := range names {
			fits, err := path.Match(pattern, name)
			if err != nil {
				return m, fmt.Errorf("%q is no pattern of names: write till.* or *.list", pattern)
			}
			if fits {
				found, matched[name] = true, i < len(only)
			}
		}
		if !found {
			near := ""
			if list := spelling.Near(pattern, names); len(list) > 0 {
				near = ": did you mean " + strings.Join(list, ", ") + "?"
			}
			return m, fmt.Errorf("there is no capability %q%s", pattern, near)
		}
	}
	m.Capabilities = slices.DeleteFunc(slices.Clone(m.Capabilities), func(e bus.ManifestEntry) bool {
		kept, named := matched[e.Name]
		return named && !kept || !named && len(only) > 0
	})
	if len(m.Capabilities) == 0 && len(names) > 0 {
		return m, fmt.Errorf("no capability is left")
	}
	return m, nil
}
