// Package mask replaces personal values in requests to a remote model with placeholders, and restores the values in its
// replies.
package mask
