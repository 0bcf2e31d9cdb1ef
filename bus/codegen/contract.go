package codegen

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/deskhand/deskhand/bus"
)

// contract is what two programs rely on in a capability: its version and the enforced keywords of its schemas.
type contract struct {
	Name, Version, Takes, Gives string

	Print string // the fingerprint alone is known
}

// fingerprint sums up both schemas.
func (c contract) fingerprint() string {
	sum := sha256.Sum256([]byte(c.Takes + "\n" + c.Gives))
	return hex.EncodeToString(sum[:8])
}

// fingerprints are comments of Go and TypeScript that [Compare] reads.
func fingerprints(m bus.Manifest) (string, error) {
	var b strings.Builder
	b.WriteString("\n// What this was generated from, for deskhand gen --check.\n")
	for _, e := range m.Capabilities {
		c, err := contractOf(e)
		if err != nil {
			return "", fmt.Errorf("%s: %w", e.Name, err)
		}
		fmt.Fprintf(&b, "// contract %q %q %s\n", c.Name, c.Version, c.fingerprint())
	}
	return b.String(), nil
}

func contractOf(e bus.ManifestEntry) (c contract, err error) {
	c.Name, c.Version = e.Name, e.Version
	if c.Takes, err = essential(e.InputSchema); err == nil {
		c.Gives, err = essential(e.OutputSchema)
	}
	return c, err
}

// annotations are keywords without an effect on what fits.
var annotations = map[string]bool{"title": true, "description": true, "examples": true, "readOnly": true,
	"deprecated": true, "$comment": true, "$schema": true, "$id": true, "writeOnly": true}

// essential is a schema document without annotations; "true" is one that is absent.
func essential(raw json.RawMessage) (string, error) {
	if raw == nil {
		return "true", nil
	}
	var doc any
	if err := json.Unmarshal(raw, &doc); err != nil {
		return "", err
	}
	return encoded(enforced(doc))
}

// enforced removes the annotations of a schema and of those in it.
func enforced(node any) any {
	switch node := node.(type) {
	case []any:
		for i := range node {
			node[i] = enforced(node[i])
		}
	case map[string]any:
		for key, value := range node {
			switch key {
			case "properties", "$defs", "definitions", "patternProperties":
				parts, _ := value.(map[string]any)
				for name := range parts {
					parts[name] = enforced(parts[name])
				}
			case "items", "prefixItems", "additionalProperties", "allOf", "anyOf", "oneOf", "not":
				node[key] = enforced(value)
			default:
				if annotations[key] || len(key) > 2 && key[:2] == "x-" {
					delete(node, key)
				}
			}
		}
	}
	return node
}

// encoded is JSON that reads the same as a literal of Python, Go and TypeScript where it is a string.
func encoded(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), err
}
