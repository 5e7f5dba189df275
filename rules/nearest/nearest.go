// Package nearest finds the word that was probably meant by a mistyped one.
package nearest

import "strings"

// maxLen is the maximum length of compared words. No candidate is longer, and the word
// may be hostile.
const maxLen = 64

// Of returns the candidate that is closest to word: by prefix first, then by the number
// of letters to insert, delete, replace or swap. It returns "" if more than a third of
// the word would have to change. Case is ignored. Of equally close candidates, the
// first one is returned.
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
	// The word may be a prefix: "depr" for "deprecatedapi".
	if len(word) >= 3 {
		for _, c := range candidates {
			if strings.HasPrefix(strings.ToLower(c), word) {
				return c
			}
		}
	}
	return ""
}

// Question returns " (did you mean X?)" for the candidate that Of finds, or "",
// for the end of a message.
func Question(word string, candidates []string) string {
	if c := Of(word, candidates); c != "" {
		return " (did you mean " + c + "?)"
	}
	return ""
}

// Distance returns the optimal string alignment distance of two words: Levenshtein's
// distance, where a swap of two neighbours counts as one change.
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
