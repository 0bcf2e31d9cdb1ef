package agent

import "encoding/json"

// owner passes over "Ana's" in front of a word of the phrase. Whether the thing is
// Ana's shows when it is looked up.
func (m *matcher) owner(part []element, i int, r reading, next func(int, reading)) {
	if len(r.words) == 0 || len(r.owner) > 0 || part[0].word == "'s" {
		return
	}
	from := m.skip(i)
	for to := from + 1; to <= from+3 && to+1 < len(m.list); to++ {
		if m.list[to].word != "'s" || !saysSame(m.list[to+1].word, part[0].word) || m.list[from].quoted || guards[m.list[from].word] {
			continue
		}
		r.owner = asSaid(m.list[from:to])
		r.score -= to - from
		m.part(part, to+1, r, next)
		return
	}
}

// belongs says that a result names somebody by these words.
func belongs(data json.RawMessage, owner []token) bool {
	var m map[string]any
	if len(owner) == 0 || json.Unmarshal(data, &m) != nil {
		return false
	}
	for _, v := range m {
		if somebody, is := v.(map[string]any); is && nameOf(somebody) != "" {
			if (item{primary: nameWords(nameOf(somebody))}).fit(plainWords(owner)) > 1 {
				return true
			}
		}
	}
	return false
}
