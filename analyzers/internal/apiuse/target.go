package apiuse

import (
	"github.com/kubevet/kubevet/rules/lifecycle"
	"golang.org/x/tools/go/analysis"
)

// Target is the option target of the rules deprecatedapi and removedapi. It is a Kubernetes
// minor, or a range of minors such as 1.31..1.37. The zero value is the minor of the code's
// client-go.
type Target struct {
	set    bool
	text   string
	target lifecycle.Target
	later  func() string
}

// String returns the text of the option.
func (t *Target) String() string {
	if t == nil {
		return ""
	}
	return t.text
}

// Set parses the option. An empty text resets it to the zero value.
func (t *Target) Set(text string) error {
	if text == "" {
		*t = Target{}
		return nil
	}
	target, err := lifecycle.NewTarget(text, nil, nil)
	if err != nil {
		return err
	}
	*t = Target{text: text, target: target, set: true}
	return nil
}

// SetLater sets a function that returns the target. Drivers that know the modules of
// the program use it. If the function returns an empty text, the target is the newest
// known minor.
func (t *Target) SetLater(later func() string) { t.later = later }

// Value returns the target for a package. inferred is true if the option does not set the
// target.
func (t *Target) Value(pass *analysis.Pass) (target lifecycle.Target, inferred bool) {
	switch {
	case t.set:
		return t.target, false
	case t.later != nil:
		// The driver's text is valid. For an invalid text, the target is the newest minor.
		target, err := lifecycle.NewTarget(t.later(), nil, nil)
		if err != nil {
			target, _ = lifecycle.NewTarget("", nil, nil)
		}
		return target, true
	}
	target, _ = lifecycle.ClientTarget(modules(pass))
	return target, true
}

// TargetUsage is the help text of the option.
const TargetUsage = "the Kubernetes `versions` to check against, such as 1.31..1.37; the minor of the module's k8s.io/client-go if empty"
