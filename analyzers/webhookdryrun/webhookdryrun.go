// Package webhookdryrun reports admission handlers that write to the API server during a
// dry run, or have other side effects. It also reports markers of webhooks without side
// effects.
package webhookdryrun

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/dryrun"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"github.com/kubevet/kubevet/analyzers/internal/sideeffect"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Analyzer implements the rule webhookdryrun.
var Analyzer = newAnalyzer()

func newAnalyzer() *analysis.Analyzer {
	a := &analysis.Analyzer{
		Name:             "webhookdryrun",
		Doc:              scope.Doc("webhookdryrun"),
		URL:              scope.URL("webhookdryrun"),
		Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer, apicall.Analyzer, dryrun.Analyzer, sideeffect.Analyzer},
		RunDespiteErrors: true,
		FactTypes:        []analysis.Fact{(*asksDryRun)(nil), (*dispatching)(nil)},
	}
	a.Flags.Var(sideeffect.Extra(), "effects", "further functions and methods with side effects, example.com/bus.Client.Publish*,…; for storagedryrun too")
	manifests := &configurations{}
	a.Flags.Var(manifests, "configurations", "webhooks of manifests, validating|/path|None|create+update|file.yaml:12,…; kubevet go finds them itself")
	a.Run = intact.Run(func(pass *analysis.Pass) (any, error) { return run(pass, manifests) })
	return a
}

func run(pass *analysis.Pass, manifests *configurations) (any, error) {
	exportAsking(pass)
	markers := readMarkers(pass)
	reportSilent(pass, markers, manifests)
	calls := pass.ResultOf[apicall.Analyzer].(*apicall.Result)
	imported := importDispatching(pass)
	handles := couldHandle(pass)
	if !calls.Relevant || !handles && len(imported) == 0 {
		return nil, nil // this avoids the construction of the SSA form
	}
	c := &checker{
		pass: pass, calls: calls, dry: pass.ResultOf[dryrun.Analyzer].(*dryrun.Result),
		effects: pass.ResultOf[sideeffect.Analyzer].(*sideeffect.Result),
		markers: markers, configurations: manifests,
		callers: map[*ssa.Function][]*ssa.Function{},
		asking:  map[*ssa.Function]bool{},
		covered: map[*ssa.Function]bool{},
	}
	if !handles {
		c.dispatch(imported, nil)
		return nil, nil
	}
	c.dry.Need()
	c.index()
	var own []dispatched
	var found []*finding
	for _, fn := range calls.SSA() {
		if h := c.handlers[fn]; h != nil && !scope.Of(pass).Skipped(fn.Pos()) && c.root(h) {
			f, methods := c.check(h)
			if f != nil {
				found = append(found, f)
			}
			own = append(own, methods...)
		}
	}
	for _, f := range c.byCause(found) {
		c.report(f)
	}
	c.dispatch(imported, own)
	return nil, nil
}

type checker struct {
	pass  *analysis.Pass
	calls *apicall.Result
	dry   *dryrun.Result

	effects        *sideeffect.Result
	markers        []*marker
	configurations *configurations

	handlers map[*ssa.Function]*handler
	callers  map[*ssa.Function][]*ssa.Function // static callers in the package
	dynamic  []ssa.CallInstruction             // calls of interface methods and function values
	asking   map[*ssa.Function]bool            // cache of asks
	covered  map[*ssa.Function]bool            // functions whose effects have a finding at a handler
}

// index finds the package's handlers and the callers of each function.
func (c *checker) index() {
	c.handlers = map[*ssa.Function]*handler{}
	for _, fn := range c.calls.SSA() {
		if h := handlerOf(fn); h != nil {
			c.handlers[fn] = h
		}
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				call, ok := i.(ssa.CallInstruction)
				if !ok {
					continue
				}
				if callee := sideeffect.Callee(call, fn); callee != nil {
					c.callers[callee] = append(c.callers[callee], fn)
				} else if call.Common().StaticCallee() == nil {
					c.dynamic = append(c.dynamic, call)
				}
			}
		}
	}
}

// root reports whether a handler gets requests directly. If another handler calls it, it is
// analyzed as a part of that handler.
func (c *checker) root(h *handler) bool {
	if h.entry {
		return true
	}
	callers := c.callers[h.fn]
	for _, caller := range callers {
		if caller != h.fn && c.handlers[outermost(caller)] != nil {
			return false
		}
	}
	entry := c.dry.Entry(h.fn, dryrun.Server)
	if entry == dryrun.Guarded || intact.Of(c.pass).Mentions(h.fn.Object()) || len(callers) > 0 && entry != dryrun.Reached {
		return false
	}
	return !c.dispatched(h)
}

// dispatched reports whether the package calls functions with the handler's signature where
// no dry run is possible. The call is of an interface's method or of a function value.
func (c *checker) dispatched(h *handler) bool {
	for _, call := range c.dynamic {
		common := call.Common()
		sig := common.Signature()
		if common.IsInvoke() && (h.fn.Object() == nil || common.Method.Name() != h.fn.Object().Name()) {
			continue
		}
		if types.Identical(sig.Params(), h.fn.Signature.Params()) && types.Identical(sig.Results(), h.fn.Signature.Results()) &&
			c.dry.Reach(call, dryrun.Server) == dryrun.Guarded {
			return true
		}
	}
	return false
}

func outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// check returns the finding about a handler that writes in a dry run, or nil. There is one
// finding, because one check of the request fixes all writes of the handler. It also returns
// the methods of interfaces that the handler calls in a dry run.
func (c *checker) check(h *handler) (*finding, []dispatched) {
	claim := c.claimOf(h)
	if claim.refuses() {
		return nil, nil
	}
	consults := c.dry.Checks(h.fn)
	found, leads := c.effects.Follow(h.fn, sideeffect.Search{Skip: c.skip, Several: c.several})
	var effects []*sideeffect.Effect
	// A call may have several effects. Writes to the API come first.
	for _, e := range append(sideeffect.Elsewhere(c.dry, h.fn), found...) {
		switch {
		case !c.runsOnDryRuns(h, e, consults):
		case scope.Of(c.pass).Silent(c.pass.Analyzer.Name, e.Pos):
		case slices.ContainsFunc(effects, func(other *sideeffect.Effect) bool { return other.Pos == e.Pos }):
			// This is another path to the same position.
		default:
			effects = append(effects, e)
		}
	}
	var f *finding
	if len(effects) > 0 {
		slices.SortStableFunc(effects, func(a, b *sideeffect.Effect) int { return cmp.Compare(a.Pos, b.Pos) })
		f = &finding{handler: h, claim: claim, effects: effects}
		c.cover(effects)
	}
	leads = slices.DeleteFunc(leads, func(e *sideeffect.Effect) bool { return makesHandler(e) || !c.runsOnDryRuns(h, e, consults) })
	return f, c.dispatchedBy(h, leads)
}

// cover records the functions that lead to effects.
func (c *checker) cover(effects []*sideeffect.Effect) {
	for _, e := range effects {
		c.covered[outermost(e.Func)] = true
		for _, via := range e.Via {
			c.covered[outermost(via.Parent())] = true
		}
	}
}

// connects reports whether an effect only happens for requests to connect.
func (c *checker) connects(h *handler, e *sideeffect.Effect) bool {
	if h.requests != "requests" {
		return h.requests == "connects"
	}
	if outermost(e.Outer().Parent()) != outermost(h.fn) {
		return false
	}
	ops := operationsAt(e.Outer().Block())
	return len(ops) == 1 && ops[0] == "CONNECT"
}

// skip reports whether to ignore an effect because it may not run in a dry run.
func (c *checker) skip(i ssa.Instruction) bool {
	return c.dry.Reach(i, dryrun.Server) != dryrun.Reached
}

// several reports whether to follow a call into one of several implementations. Handlers get
// their own findings. A dry run may decide which implementation is called.
func (c *checker) several(call ssa.CallInstruction, implementation *ssa.Function) bool {
	return c.handlers[implementation] == nil && !c.dry.ValueChosen(call.Common().Value, dryrun.Server)
}

// report reports a finding at the name of its handler.
func (c *checker) report(f *finding) {
	h, claim, effects := f.handler, f.claim, f.effects
	first := effects[0]
	if i := slices.IndexFunc(effects, func(e *sideeffect.Effect) bool { return len(e.Via) == 0 && e.Callee == nil }); i > 0 {
		first = effects[i]
	}
	text := h.name() + " " + first.Text
	if len(first.Via) > 0 && first.Call != nil {
		text += " (in " + nameOf(outermost(first.Func)) + ")"
	}
	switch n := len(effects) - 1; n {
	case 0:
	case 1:
		text += ", and makes one more " + things(effects, "write", "change") + ","
	default:
		text += fmt.Sprintf(", and makes %d more %s,", n, things(effects, "writes", "changes"))
	}
	d := analysis.Diagnostic{Message: text + " on dry-run " + c.requests(h, effects) + " too" + f.also() + claim.objection() + "; " + claim.fixText(h.fixText)}
	d.Pos, d.End = h.span()
	if claim.marker != nil {
		d.Related = append(d.Related, claim.marker.related())
	}
	for _, e := range effects {
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: e.Pos, End: e.End, Message: e.Text})
	}
	for _, other := range f.like {
		pos, end := other.span()
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: pos, End: end, Message: "this handler does it too"})
	}
	scope.Report(c.pass, d)
}

// things returns the common name of several effects. It is the first word if all of them
// are writes to an API.
func things(effects []*sideeffect.Effect, writes, others string) string {
	for _, e := range effects {
		if e.Call == nil && e.Callee == nil {
			return others
		}
	}
	return writes
}

// requests names the requests for which the effects happen.
func (c *checker) requests(h *handler, effects []*sideeffect.Effect) string {
	if h.requests != "requests" {
		return h.requests
	}
	var all []string
	for _, e := range effects {
		if outermost(e.Outer().Parent()) != outermost(h.fn) {
			return h.requests
		}
		ops := operationsAt(e.Outer().Block())
		if ops == nil {
			return h.requests
		}
		all = append(all, ops...)
	}
	return asNouns(all)
}
