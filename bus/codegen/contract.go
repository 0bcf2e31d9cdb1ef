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

// contract is the part of a capability that two programs depend on: its version and the enforced keywords of its
// schemas.
type contract struct {
	Name, Version, Takes, Gives string

	Print string // set instead if only the fingerprint is known
}

// fingerprint returns a digest of both schemas.
func (c contract) fingerprint() string {
	sum := sha256.Sum256([]byte(c.Takes + "\n" + c.Gives))
	return hex.EncodeToString(sum[:8])
}

// fingerprints returns comments for Go and TypeScript that [Compare] reads.
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

// annotations lists the keywords that do not affect validation.
var annotations = map[string]bool{"title": true, "description": true, "examples": true, "readOnly": true,
	"deprecated": true, "$comment": true, "$schema": true, "$id": true, "writeOnly": true}

// essential returns a schema document without annotations, or "true" for an absent one.
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

// enforced removes the annotations of a schema and its subschemas.
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

// encoded returns JSON. A string in it is also a valid literal of Python, Go and TypeScript.
func encoded(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), err
}
