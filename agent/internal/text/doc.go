// Package text turns values into words for people, reads words people write, and
// normalises JSON. Foreign text passes Clean before it is shown.
package text
