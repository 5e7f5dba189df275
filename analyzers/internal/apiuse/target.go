package apiuse

import "github.com/kubevet/kubevet/rules/lifecycle"

// Target is the option target of both rules: a Kubernetes minor or a range of
// them, such as 1.31..1.37. The zero value is the newest known minor.
type Target struct {
	set    bool
	text   string
	target lifecycle.Target
}

// String gives the option as it was written.
func (t *Target) String() string {
	if t == nil {
		return ""
	}
	return t.text
}

// Set reads the option.
func (t *Target) Set(text string) error {
	target, err := lifecycle.NewTarget(text, nil, nil)
	if err != nil {
		return err
	}
	t.text, t.target, t.set = text, target, true
	return nil
}

// Value is the target that is meant.
func (t *Target) Value() lifecycle.Target {
	if t.set {
		return t.target
	}
	// The empty text is always one that can be read.
	target, _ := lifecycle.NewTarget("", nil, nil)
	return target
}

// TargetUsage is the help text of the option.
const TargetUsage = "the Kubernetes `versions` to judge against, such as 1.31..1.37; the newest known one if empty"
