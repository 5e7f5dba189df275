package webhookdryrun

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"github.com/kubevet/kubevet/analyzers/internal/sideeffect"
)

// finding is a handler that writes in a dry run.
type finding struct {
	handler *handler
	claim   claim
	effects []*sideeffect.Effect
	// like has the other handlers of the package with the same cause.
	like []*handler
}

// cause names what the handler does if other packages do it, such as a getter of settings
// that creates missing settings. Then one correction there usually repairs all handlers with
// this cause. cause is "" for other findings.
func (f *finding) cause() string {
	var texts []string
	for _, e := range f.effects {
		if e.Call != nil || e.Callee == nil {
			return ""
		}
		text, _, _ := strings.Cut(e.Text, " (in ")
		texts = append(texts, text)
	}
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), ", ")
}

// manyHandlers is the number of handlers with one cause from which on they share a finding.
const manyHandlers = 5

// byCause returns the findings in order of position. If a cause has many handlers, only the
// first of their findings is kept, and lists the others. A handler with a suppression
// comment keeps its own finding, so that the comment is used.
func (c *checker) byCause(all []*finding) (kept []*finding) {
	position := func(f *finding) token.Pos { pos, _ := f.handler.span(); return pos }
	slices.SortStableFunc(all, func(a, b *finding) int { return int(position(a) - position(b)) })
	groups := map[string][]*finding{}
	for _, f := range all {
		if cause := f.cause(); cause != "" && !scope.Of(c.pass).Silent(c.pass.Analyzer.Name, position(f)) {
			groups[cause] = append(groups[cause], f)
		}
	}
	return slices.DeleteFunc(all, func(f *finding) bool {
		group := groups[f.cause()]
		if len(group) < manyHandlers || !slices.Contains(group, f) {
			return false
		}
		if f == group[0] {
			for _, other := range group[1:] {
				f.like = append(f.like, other.handler)
			}
		}
		return f != group[0]
	})
}

// also returns words about the other handlers with the cause of a finding. It returns "" if
// there are none.
func (f *finding) also() string {
	if len(f.like) == 0 {
		return ""
	}
	return fmt.Sprintf(", as %d more handlers of this package do", len(f.like))
}
