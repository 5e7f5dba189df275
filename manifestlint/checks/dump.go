package checks

import (
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver"
)

// asStored turns a server's answer to the creation of an object into what is
// to be said of one that was read from a server. That one is what the cluster
// has: what is refused is what would be refused of an update that changes
// nothing, which is what sending it back comes to. So nothing is said against
// the fields that the server sets, such as a Job's selector, nor against what
// servers have let stand since it was made. Warnings are those of its creation,
// which the manifest that it came from gets; those about an object that a
// controller made after another one belong to that one.
func asStored(o *manifestlint.Object, r apiserver.Request, a apiserver.Answer, ask func(apiserver.Request) apiserver.Answer) apiserver.Answer {
	if r.Old != nil || !o.Dumped() {
		return a
	}
	if len(a.Causes) > 0 {
		r.Old = r.New
		a = ask(r)
	}
	if o.Controlled() {
		a.Warnings = nil
	}
	return a
}
