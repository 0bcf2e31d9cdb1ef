package text

// Forgiven returns the number of typing errors to accept in a word with a number of letters.
func Forgiven(letters int) int {
	switch {
	case letters < 4:
		return 0
	case letters < 8:
		return 1
	}
	return 2
}

// Errors returns the number of typing errors between typed and the beginning of a word. An error is an extra letter, a
// missing letter, a wrong letter or two exchanged letters.
func Errors(typed, word []rune) int {
	width := len(word) + 1
	rows := make([]int, 3*width)
	before, above, row := rows[:width], rows[width:2*width], rows[2*width:]
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(typed); i++ {
		row[0] = i
		for j := 1; j < width; j++ {
			changed := above[j-1]
			if typed[i-1] != word[j-1] {
				changed++
			}
			row[j] = min(changed, above[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && typed[i-1] == word[j-2] && typed[i-2] == word[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	least := len(typed)
	for _, n := range above {
		least = min(least, n)
	}
	return least
}
