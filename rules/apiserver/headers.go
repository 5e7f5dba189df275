package apiserver

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The limits of the server's warning recorder, in code points.
const (
	maxTotal = 4096 // all texts of an answer together
	maxEach  = 256  // each text, if all together exceed maxTotal
)

// Headers returns the warnings that the server sends with one answer. It drops
// empty and repeated texts, and texts that a header cannot contain. If the texts
// together exceed maxTotal, each is cut to maxEach, and the texts after the limit
// are dropped. Headers changes its argument.
//
// Source: the recorder in apiserver/pkg/endpoints/filters/warning.go, which is
// the same from 1.19 to 1.37.
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

// truncated cuts each text to maxEach. It keeps the warnings up to the one at
// which the full texts together exceed maxTotal. It keeps later warnings until
// the cut texts together reach maxTotal.
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

// sendable reports whether a warning header can contain the text. Source: the
// condition of NewWarningHeader in apimachinery/pkg/util/net/http.go.
func sendable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}
