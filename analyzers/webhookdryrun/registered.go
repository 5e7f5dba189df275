package webhookdryrun

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/dryrun"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"github.com/kubevet/kubevet/analyzers/internal/sideeffect"
	"golang.org/x/tools/go/analysis"
)

// dispatching is the fact about a package and the packages that it imports, directly or not.
// It has the methods of interfaces that their handlers call on dry-run requests too.
type dispatching struct{ Methods []dispatched }

// AFact marks the type as a fact.
func (*dispatching) AFact() {}

// String returns a description for tests.
func (*dispatching) String() string { return "has handlers" }

// dispatched is a method of an interface that a handler calls.
type dispatched struct {
	// Method is as in example.org/shop/store.Store.Put.
	Method string
	// Handler is the handler's name with the name of its package, such as "Handle (in hooks)".
	Handler string
	// Types has the types that implement the interface and have a finding already.
	Types []string
}

// importDispatching returns the facts about the imported packages.
func importDispatching(pass *analysis.Pass) (list []dispatched) {
	for _, p := range pass.Pkg.Imports() {
		var fact dispatching
		if pass.ImportPackageFact(p, &fact) {
			list = append(list, fact.Methods...)
		}
	}
	return joined(list)
}

// joined returns each method once, with all its types.
func joined(list []dispatched) (all []dispatched) {
	slices.SortStableFunc(list, func(a, b dispatched) int {
		return cmp.Or(cmp.Compare(a.Method, b.Method), cmp.Compare(a.Handler, b.Handler))
	})
	for _, d := range list {
		if n := len(all); n > 0 && all[n-1].Method == d.Method {
			all[n-1].Types = slices.Compact(slices.Sorted(slices.Values(slices.Concat(all[n-1].Types, d.Types))))
			continue
		}
		all = append(all, d)
	}
	return all
}

// dispatch reports the types that the package registers for interfaces which handlers of
// this package or of imported packages call, and exports the fact.
func (c *checker) dispatch(imported, own []dispatched) {
	list := joined(slices.Concat(imported, own))
	for n := 0; n < len(list); n++ { // list grows
		for _, g := range c.effects.Registrations() {
			name, ok := strings.CutPrefix(list[n].Method, g.Interface+".")
			if !ok || slices.Contains(list[n].Types, g.Type) {
				continue
			}
			list[n].Types = append(list[n].Types, g.Type)
			if g.Does(name) != "" && !c.covered[g.Bodies[name]] {
				c.reportRegistered(g, name, list[n])
			}
			for _, method := range g.Leads(name) {
				if !slices.ContainsFunc(list, func(d dispatched) bool { return d.Method == method }) {
					list = append(list, dispatched{Method: method, Handler: list[n].Handler})
				}
			}
		}
	}
	if len(list) > 0 {
		c.pass.ExportPackageFact(&dispatching{joined(list)})
	}
}

// reportRegistered reports a method with side effects that a handler of another package
// calls. The position is the method. If the method belongs to another package, the position
// is the place where the type is converted to the interface.
func (c *checker) reportRegistered(g *sideeffect.Registration, name string, d dispatched) {
	if scope.Of(c.pass).Skipped(g.Pos) {
		return
	}
	const fix = ": pass the request's DryRun on, and skip the side effect when it is true" + declare
	short := g.Type[strings.LastIndexByte(g.Type, '/')+1:]
	body := g.Bodies[name]
	if body == nil || body.Object() == nil {
		scope.Report(c.pass, analysis.Diagnostic{
			Pos: g.Pos, End: g.Pos,
			Message: d.Handler + " calls " + name + " of " + short + " on dry-run requests too, which " + g.Does(name) + fix,
		})
		return
	}
	var related []analysis.RelatedInformation
	for _, e := range c.effects.From(body, sideeffect.Search{Skip: c.skip, Several: c.several}) {
		if !scope.Of(c.pass).Silent(c.pass.Analyzer.Name, e.Pos) {
			related = append(related, analysis.RelatedInformation{Pos: e.Pos, End: e.End, Message: e.Text})
		}
	}
	pos := body.Object().Pos()
	scope.Report(c.pass, analysis.Diagnostic{
		Pos: pos, End: pos + token.Pos(len(name)), Related: related,
		Message: name + " " + g.Does(name) + ", and " + d.Handler + " calls it on dry-run requests too" + fix,
	})
}

// makesHandler reports whether an effect is the call of a method that returns a handler.
// The handler has findings of its own, in the package of the method.
func makesHandler(e *sideeffect.Effect) bool {
	common := e.Instr.Common()
	if !common.IsInvoke() {
		return false
	}
	for v := range common.Method.Signature().Results().Variables() {
		if sig, ok := v.Type().Underlying().(*types.Signature); ok && (&handler{}).matches(sig, "") {
			return true
		}
	}
	return false
}

// dispatchedBy returns the methods of interfaces that a handler calls on dry-run requests
// too. The types of imported packages are left out, because check reports them.
func (c *checker) dispatchedBy(h *handler, leads []*sideeffect.Effect) (list []dispatched) {
	for _, e := range leads {
		list = append(list, dispatched{Method: e.Lead, Handler: h.name() + " (in " + c.pass.Pkg.Name() + ")", Types: c.effects.Implementers(e.Lead)})
	}
	return list
}

// runsOnDryRuns reports whether an effect of a handler happens on dry-run requests too.
func (c *checker) runsOnDryRuns(h *handler, e *sideeffect.Effect, consults bool) bool {
	switch {
	case c.connects(h, e):
		return false // The server never sends a connect request as a dry run.
	case c.asksOnTheWay(h, e):
		return false
	case consults && !c.dry.Regardless(e.Via, e.Instr, dryrun.Server) && !c.effects.Unasked(e, c.asksFaraway):
		// The code considers dry runs. It may detect them without a condition, for
		// example by an empty list.
		return false
	}
	return true
}
