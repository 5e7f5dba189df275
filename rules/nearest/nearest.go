// Package nearest finds the known word that the author of a misspelled word
// probably meant.
package nearest

import "strings"

// maxLen is the maximum number of bytes of a word that is compared. No candidate
// is longer.
const maxLen = 64

// Of returns the candidate that is most similar to word, or "". Of equally
// similar candidates, it returns the first. Letter case is ignored.
//
// Similar means that at most a third of the word's letters are inserted, deleted,
// replaced or swapped. If there is no such candidate, Of returns one that starts
// with word.
func Of(word string, candidates []string) string {
	if word == "" || len(word) > maxLen {
		return ""
	}
	word = strings.ToLower(word)
	best, limit := "", max(1, len(word)/3)+1
	for _, c := range candidates {
		if len(c) > maxLen {
			continue
		}
		lower := strings.ToLower(c)
		if d := Distance(word, lower); d < limit {
			best, limit = c, d
		}
	}
	if best != "" {
		return best
	}
	// The word may be an abbreviation, such as "depr" for "deprecatedapi".
	if len(word) >= 3 {
		for _, c := range candidates {
			if strings.HasPrefix(strings.ToLower(c), word) {
				return c
			}
		}
	}
	return ""
}

// Question returns " (did you mean X?)" for the end of a message, with X from Of.
// It returns "" if Of finds no candidate.
func Question(word string, candidates []string) string {
	if c := Of(word, candidates); c != "" {
		return " (did you mean " + c + "?)"
	}
	return ""
}

// Distance returns the optimal string alignment distance of two words:
// Levenshtein's distance, but a swap of two neighbouring letters counts as one
// change.
func Distance(first, second string) int {
	a, b := []rune(first), []rune(second)
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
