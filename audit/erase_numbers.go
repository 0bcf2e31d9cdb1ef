package audit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// erasedNumbers holds the numbers of the records whose payloads one request erased, by the name of their stream. They
// are in the hashed part of the request's record. Otherwise any program that can write the file could erase a payload
// and attribute it to a request.
type erasedNumbers map[string][]int64

func (n erasedNumbers) add(s *stream, seq int64) { n[s.name] = append(n[s.name], seq) }

// ranges returns the numbers as "3-5,9" for each stream.
func (n erasedNumbers) ranges() map[string]string {
	out := make(map[string]string, len(n))
	for name, list := range n {
		slices.Sort(list)
		var b strings.Builder
		for i := 0; i < len(list); {
			from, to := list[i], list[i]
			for i++; i < len(list) && list[i] <= to+1; i++ {
				to = list[i]
			}
			if b.Len() > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.FormatInt(from, 10))
			if to > from {
				fmt.Fprintf(&b, "-%d", to)
			}
		}
		out[name] = b.String()
	}
	return out
}

// parseRanges reads the output of ranges; it skips a part that is no number.
func parseRanges(text string) (out []span) {
	for part := range strings.SplitSeq(text, ",") {
		low, high, is := strings.Cut(part, "-")
		if !is {
			high = low
		}
		from, err1 := strconv.ParseInt(low, 10, 64)
		to, err2 := strconv.ParseInt(high, 10, 64)
		if err1 == nil && err2 == nil {
			out = append(out, span{from, to + 1})
		}
	}
	return out
}
