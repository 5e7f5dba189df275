package checks

import (
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
)

// ruleDeprecatedField is the rule for a server's warnings about deprecated
// fields.
const ruleDeprecatedField = "deprecatedfield"

// fixReplacedField fixes a warning about a deprecated field. It moves the value
// to the field that replaces it.
func fixReplacedField(p *manifestlint.Pass, f *rules.Finding) (manifestlint.Change, bool) {
	if f.Path == "" || f.Rule != ruleDeprecatedField && f.Rule != ruleAPIWarning {
		return manifestlint.Change{}, false
	}
	plan, ok := p.FieldPlan(f.Path)
	return toChange(plan), ok
}
