package answer

import (
	"unicode"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver"
)

// The limits of the warning recorder, in code points.
const (
	maxTotal = 4096 // of all texts of an answer
	maxEach  = 256  // of each, once the total is passed
)

// Headers gives the warnings as the headers of one answer carry them. An empty
// text and one that was sent before are left out, and so is one that no header
// can hold. Where the texts are too long together, each is cut and, once the
// total is reached again, the rest is left out.
//
// It re-states the recorder of apiserver/pkg/endpoints/filters/warning.go,
// which is the same from 1.19 to 1.37. The argument is changed in place.
func Headers(warnings []apiserver.Warning) []apiserver.Warning {
	if len(warnings) == 0 {
		return warnings
	}
	kept := warnings[:0]
	var seen map[string]bool
	if len(warnings) > maxCompared {
		seen = make(map[string]bool, len(warnings))
	}
	total := 0 // of the headers that were sent so far
	for i := range warnings {
		w := warnings[i]
		if w.Text == "" || repeated(kept, seen, w.Text) {
			continue
		}
		if seen != nil {
			seen[w.Text] = true
		}
		// A text that no header can hold counts when all is sent again, where
		// it is dropped a second time; so it never counts.
		if !sendable(w.Text) {
			continue
		}
		kept = append(kept, w)
		total += utf8.RuneCountInString(w.Text)
	}
	if total <= maxTotal {
		return kept
	}
	return truncated(kept)
}

// maxCompared is how many warnings are compared one by one.
const maxCompared = 16

func repeated(kept []apiserver.Warning, seen map[string]bool, text string) bool {
	if seen != nil {
		return seen[text]
	}
	for i := range kept {
		if kept[i].Text == text {
			return true
		}
	}
	return false
}

// truncated cuts warnings that are too long together. The one that passes the
// total is sent with all before it, cut; further ones as long as these leave
// room.
func truncated(all []apiserver.Warning) []apiserver.Warning {
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
		all[i].Text = cut(all[i].Text)
		written += utf8.RuneCountInString(all[i].Text)
	}
	return all
}

// cut leaves the first code points of a text.
func cut(text string) string {
	n := 0
	for i := range text {
		if n == maxEach {
			return text[:i]
		}
		n++
	}
	return text
}

// sendable re-states the condition of NewWarningHeader,
// apimachinery/pkg/util/net/http.go.
func sendable(text string) bool {
	for _, r := range text {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return utf8.ValidString(text) && !hasControl(text)
		}
	}
	return true
}

func hasControl(text string) bool {
	for _, r := range text {
		if unicode.IsControl(r) {
			return true
		}
	}
	return false
}
