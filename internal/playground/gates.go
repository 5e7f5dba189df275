package playground

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/lifecycle"
	"github.com/kubevet/kubevet/rules/nearest"
)

// GatesError is the error for wrong feature gates in a question.
type GatesError struct{ Text string }

func (e *GatesError) Error() string { return e.Text }

// maxGates is the maximal length of the text with feature gates, in bytes. The longest
// real text has about 150 gates of 40 bytes each.
const maxGates = 16 << 10

func (q *Question) target() (lifecycle.Target, error) {
	if _, err := lifecycle.NewTarget(q.Target, nil, nil); err != nil {
		return lifecycle.Target{}, err
	}
	if len(q.Gates) > maxGates {
		return lifecycle.Target{}, &GatesError{fmt.Sprintf("more than %d KiB of feature gates", maxGates>>10)}
	}
	var gates []string
	for _, entry := range strings.FieldsFunc(q.Gates, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' }) {
		if _, err := lifecycle.NewTarget(q.Target, []string{entry}, nil); err != nil {
			return lifecycle.Target{}, &GatesError{err.Error() + suggestGate(entry)}
		}
		gates = append(gates, entry)
	}
	return lifecycle.NewTarget(q.Target, gates, nil)
}

// suggestGate returns a question that suggests a known feature gate with a similar name,
// or "" if the name is known.
func suggestGate(entry string) string {
	name, _, _ := strings.Cut(entry, "=")
	known := slices.Collect(lifecycle.Gates())
	if slices.Contains(known, name) {
		return ""
	}
	return nearest.Question(name, known)
}
