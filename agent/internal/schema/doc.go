// Package schema reads the JSON Schemas of capabilities as far as the bridge, the policy and the built-in assistant
// need them: fields with labels, personal and tainted parts of a value, and violations in words.
package schema
