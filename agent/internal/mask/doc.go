// Package mask replaces personal values by placeholders in what a remote model is
// told, and puts the values back in what it replies.
package mask
