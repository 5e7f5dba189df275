package intact

import (
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// unseen is the fact about a function that was skipped, or a variable whose initial value
// was skipped. DryRun is set if this code contains the words dry run.
type unseen struct{ DryRun bool }

// AFact marks unseen as a fact.
func (*unseen) AFact() {}

// String returns the text of the fact in tests.
func (u *unseen) String() string {
	if u.DryRun {
		return "skipped, with a dry run"
	}
	return "skipped"
}

// exportUnseen exports facts about the skipped functions and variables.
func (c *Code) exportUnseen(pass *analysis.Pass) {
	for o, fact := range c.unseen {
		if o.Pkg() == pass.Pkg {
			pass.ExportObjectFact(o, &fact)
		}
	}
}

// Unseen reports whether an object of this package, or of another package of the program,
// is a function that was skipped, or a variable whose initial value was skipped.
func (c *Code) Unseen(o types.Object) bool {
	_, ok := c.unseenFact(o)
	return ok
}

// UnseenDryRun reports whether the code of an Unseen object contains the words dry run.
func (c *Code) UnseenDryRun(o types.Object) bool {
	fact, ok := c.unseenFact(o)
	return ok && fact.DryRun
}

func (c *Code) unseenFact(o types.Object) (fact unseen, ok bool) {
	if o == nil || c.pass == nil {
		return unseen{}, false
	}
	o = origin(o)
	if fact, ok = c.unseen[o]; !ok && o.Pkg() != nil && o.Pkg() != c.pass.Pkg {
		ok = c.pass.ImportObjectFact(o, &fact)
	}
	return fact, ok
}
