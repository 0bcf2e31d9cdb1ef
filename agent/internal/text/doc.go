// Package text formats values for people, parses words that people write, and normalises JSON. [Clean] makes text from
// outside safe to show.
package text
