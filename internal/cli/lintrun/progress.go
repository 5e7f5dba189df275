package lintrun

import (
	"iter"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/manifestlint"
)

// progress returns the inputs as a sequence. Until done is called, a status line shows
// how many inputs were taken from the sequence.
func (r *Run) progress(step string, in *Inputs) (inputs iter.Seq[manifestlint.Input], done func()) {
	total := len(in.List)
	if in.rendered != nil {
		total += len(in.rendered.Units)
	}
	if in.Live != nil {
		total += len(in.Live.Inputs)
	}
	shown := app.NewStep(r.Line, step, total)
	return func(yield func(manifestlint.Input) bool) {
		for input := range in.Seq() {
			if !yield(input) {
				return
			}
			shown.Add()
		}
	}, shown.Done
}
