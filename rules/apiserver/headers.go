package apiserver

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The limits of the warning recorder, in code points.
const (
	maxTotal = 4096 // of all texts of an answer
	maxEach  = 256  // of each text, if the total is exceeded
)

// Headers returns the warnings as the headers of one answer carry them. It drops
// empty texts, repeated texts, and texts that no header can hold. If the texts
// together are too long, it truncates each and drops the rest when the total is
// reached again.
//
// It re-states the recorder of apiserver/pkg/endpoints/filters/warning.go,
// which is the same from 1.19 to 1.37. The argument is changed in place.
func Headers(warnings []Warning) []Warning {
	kept := warnings[:0]
	seen := map[string]bool{}
	total := 0
	for _, w := range warnings {
		if w.Text == "" || seen[w.Text] || !sendable(w.Text) {
			continue
		}
		seen[w.Text] = true
		kept = append(kept, w)
		total += utf8.RuneCountInString(w.Text)
	}
	if total <= maxTotal {
		return kept
	}
	return truncated(kept)
}

// truncated shortens warnings that are too long together. It sends everything
// up to the one that exceeds the total, shortened, and further ones as long as
// these leave space.
func truncated(all []Warning) []Warning {
	total, passed := 0, 0
	for passed = range all {
		if total += utf8.RuneCountInString(all[passed].Text); total > maxTotal {
			break
		}
	}
	written := 0
	for i := range all {
		if i > passed && written >= maxTotal {
			return all[:i]
		}
		if runes := []rune(all[i].Text); len(runes) > maxEach {
			all[i].Text = string(runes[:maxEach])
		}
		written += utf8.RuneCountInString(all[i].Text)
	}
	return all
}

// sendable re-states the condition of NewWarningHeader,
// apimachinery/pkg/util/net/http.go.
func sendable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}
