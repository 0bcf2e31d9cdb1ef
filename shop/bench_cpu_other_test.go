//go:build !unix

package shop_test

import "time"

// worked is the processor time of this program so far; here nobody says.
func worked() time.Duration { return 0 }
