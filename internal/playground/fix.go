package playground

import (
	"context"
	"io"
	"strings"

	"github.com/kubevet/kubevet/internal/fixrun"
	"github.com/kubevet/kubevet/rules"
)

// Which selects the fixes to apply.
type Which struct {
	// Finding is the number of the finding to fix, counted from 1. 0 means all findings.
	Finding int `json:"finding"`
	// If All is true, fixes that need a review are applied, too.
	All bool `json:"all"`
}

// Fixed is the result of applying fixes to a text.
type Fixed struct {
	// Text is the text after the fixes.
	Text string `json:"text"`
	// Diff is the change as a unified diff. It is empty if nothing changed.
	Diff string `json:"diff"`
	// Fixed is the number of fixes that were applied.
	Fixed int `json:"fixed"`
}

// Fix applies fixes to a text, as `kubevet lint --fix` does.
func Fix(ctx context.Context, q Question, which Which) (*Fixed, error) {
	done := false // if only one finding is fixed: true after its round
	result, err := fixrun.Run(ctx, fixrun.Options{
		All:  which.All,
		Path: func(name string) string { return name },
		Stream: func(string) func() (io.ReadCloser, error) {
			return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(q.Text)), nil }
		},
		Find: func(ctx context.Context, overlay map[string][]byte) ([]rules.Finding, error) {
			if done {
				return nil, nil
			}
			done = which.Finding > 0
			next := q
			if text, ok := overlay[inputName]; ok {
				next.Text = string(text)
			}
			all, err := findings(ctx, next)
			if err == nil && which.Finding > 0 {
				all = all[min(which.Finding-1, len(all)):min(which.Finding, len(all))]
			}
			return all, err
		},
	})
	if err != nil {
		return nil, err
	}
	fixed := &Fixed{Text: q.Text, Fixed: result.Fixed}
	if text, ok := result.New[inputName]; ok {
		fixed.Text = string(text)
	}
	return fixed, result.Diff(func(_, diff string) error {
		fixed.Diff = diff
		return nil
	})
}

func findings(ctx context.Context, q Question) (all []rules.Finding, err error) {
	p, err := newPass(ctx, q)
	if err != nil {
		return nil, err
	}
	_, err = p.run(ctx, nil, true, func(f rules.Finding) error {
		all = append(all, f)
		return nil
	})
	return all, err
}
