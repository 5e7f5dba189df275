package apicall

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

func run(pass *analysis.Pass) (any, error) {
	p := newProgram(pass)
	r := &Result{program: p}
	if dependency(pass) {
		p.exportLibraryFacts()
		return r, nil
	}
	if allGenerated(pass) && !callsClients(pass) {
		// No rule reports findings in this package. Other packages need only the signatures
		// of its functions.
		return r, nil
	}
	if p.reviews = namesReviews(pass); p.reviews {
		pass.ExportPackageFact(&reviewsFact{})
	}
	found := p.scan()
	p.findRunners(r)
	r.Relevant = found != (scanned{}) || len(r.Runners) > 0 || relevant(pass)
	if r.Relevant {
		pass.ExportPackageFact(&packageFact{Module: moduleOf(pass)})
	}
	if found == (scanned{}) {
		return r, nil
	}
	p.functions()
	if p.broken != nil {
		r.Unresolved = p.allWrites()
		return r, nil
	}
	p.resolve(r)
	return r, nil
}

// resolve fills the result with calls and constructions, and exports facts.
func (p *program) resolve(r *Result) {
	p.prepare()
	p.collect()
	instrs := p.instructions()
	for _, file := range p.pass.Files {
		// called holds the names in calls. The names of writes outside calls are values.
		called := map[*ast.Ident]bool{}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if name := CalledName(n); name != nil {
					called[name] = true
				}
				p.guard(r, calledPlace(n), func() { p.visit(r, n, instrs[n.Lparen]) })
			case *ast.Ident:
				if fn, ok := p.pass.TypesInfo.Uses[n].(*types.Func); ok && !called[n] && p.shapes.of(fn) != nil {
					r.addUnresolved(n.Pos(), fn)
				}
			}
			return true
		})
	}
	slices.SortStableFunc(r.Calls, func(a, b *Call) int { return comparePlaces(p.pass.Fset, a.Pos(), b.Pos()) })
	slices.SortStableFunc(r.Constructions, func(a, b *Construction) int { return comparePlaces(p.pass.Fset, a.Pos(), b.Pos()) })
	for _, c := range r.Calls {
		p.guard(r, calledPlace(c.Expr), func() { c.MaybeReview = p.mayBeReview(c) })
	}
	p.guard(r, p.wholePackage(), p.exportSummaries)
	slices.SortStableFunc(r.Unresolved, func(a, b Unresolved) int { return comparePlaces(p.pass.Fset, a.Pos, b.Pos) })
}

// instructions returns the calls in SSA form, by the position of their parenthesis.
func (p *program) instructions() map[token.Pos]ssa.CallInstruction {
	out := map[token.Pos]ssa.CallInstruction{}
	for _, fn := range p.all {
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				if c, ok := i.(ssa.CallInstruction); ok && c.Common().Pos().IsValid() {
					if _, twice := out[c.Common().Pos()]; !twice {
						out[c.Common().Pos()] = c
					}
				}
			}
		}
	}
	return out
}

// visit adds the Call or the Construction of a call expression to the result. It adds
// nothing for other calls.
func (p *program) visit(r *Result, e *ast.CallExpr, instr ssa.CallInstruction) {
	method, receiver := p.callee(e, instr)
	if method == nil {
		return
	}
	if c := p.constructors.of(method); c != nil {
		r.Constructions = append(r.Constructions, p.construction(e, method, c, instr))
	}
	sh := p.shapes.of(method)
	if sh == nil {
		p.visitLibrary(r, e, method, receiver, instr)
		return
	}
	c := &Call{Family: sh.family, Verb: sh.verb, Subresource: sh.subresource, Expr: e, Method: method, Receiver: receiver, Fake: sh.fake}
	if sh.family == REST {
		write, understood := p.request(c, instr)
		if !understood {
			r.addUnresolved(c.Pos(), method)
		}
		if !write {
			return
		}
	}
	if name := CalledName(e); name == nil || p.pass.TypesInfo.Uses[name] != types.Object(method) && p.aliasTarget(asVar(p.pass.TypesInfo.Uses[name])) != method {
		// The write was counted as unresolved where its method value was taken. This is the
		// call of that method value.
		r.dropValue(method)
	}
	p.describe(c, sh, instr)
	if instr != nil {
		p.byInstr[instr] = c
	}
	r.Calls = append(r.Calls, c)
}

// visitLibrary does the same as visit for a function of another module that writes.
func (p *program) visitLibrary(r *Result, e *ast.CallExpr, method *types.Func, receiver ast.Expr, instr ssa.CallInstruction) {
	fact := p.writerOf(method)
	if fact == nil {
		writer, certain := p.interfaceWriter(method)
		if writer == nil || !certain {
			if writer != nil || p.maybeWriter(method) {
				r.addUnresolved(calledPlace(e).Pos, method)
			}
			return
		}
		method, fact = writer, p.writerOf(writer)
	}
	c := &Call{Family: Wrapper, Expr: e, Method: method, Receiver: receiver}
	p.libraryCall(c, fact, instr)
	p.describeObject(c, &shape{verb: c.Verb})
	if c.GVK.Kind == "" {
		c.GVK.Kind = fact.Kind
	}
	if instr != nil {
		p.byInstr[instr] = c
	}
	r.Calls = append(r.Calls, c)
}

// guard calls do, which examines the code at a place. If do panics, guard recovers and adds
// the place to r.Unresolved. A panic is possible because package ssa may build forms of
// code that this package does not know, for newer versions of Go.
func (p *program) guard(r *Result, at Unresolved, do func()) {
	defer func() {
		if reason := recover(); reason != nil {
			r.Unresolved = append(r.Unresolved, at)
			p.broken = fmt.Errorf("resolving calls of %s: %v", p.pass.Pkg.Path(), reason)
		}
	}()
	do()
}

// describe sets the details of a call.
func (p *program) describe(c *Call, sh *shape, instr ssa.CallInstruction) {
	// In a method expression, the first argument is the receiver.
	written := c.Expr.Args
	if sel, ok := ast.Unparen(c.Expr.Fun).(*ast.SelectorExpr); ok {
		if s := p.pass.TypesInfo.Selections[sel]; s != nil && s.Kind() == types.MethodExpr && len(written) > 0 {
			written = written[1:]
		}
	}
	argument := func(i int) ast.Expr {
		if i < 0 || i >= len(written) {
			return nil
		}
		return written[i]
	}
	c.HasOptions = c.HasOptions || sh.options >= 0
	if sh.options >= 0 {
		c.Options = argument(sh.options)
	}
	if c.Object == nil && sh.object >= 0 && sh.verb != VerbDelete || sh.family == Runtime || sh.family == CreateOr {
		c.Object = argument(sh.object)
	}
	if e := argument(sh.subresources); e != nil && c.Subresource == "" {
		c.Subresource = p.text(e)
	}
	if e := argument(sh.patchType); e != nil {
		c.Patch = p.text(e)
	}
	if instr != nil {
		c.Instr, c.Func = instr, instr.Parent()
		p.follow(c, sh)
	} else {
		p.patchVerb(c)
	}
	p.describeObject(c, sh)
	if c.Verb == VerbCreate {
		// The verb depends on the subresource, not on the method.
		switch c.Subresource {
		case "eviction":
			c.Verb = VerbEvict
		case "binding":
			c.Verb = VerbBind
		case "token":
			c.Verb = VerbToken
		}
	}
}

// text returns the value of a constant string expression, or "".
func (p *program) text(e ast.Expr) string {
	return constantString(p.pass.TypesInfo.Types[e].Value)
}

// patchVerb changes the verb of an apply patch to VerbApply.
func (p *program) patchVerb(c *Call) {
	switch c.Patch {
	case "application/apply-patch+yaml", "application/apply-patch+cbor":
		c.Verb, c.Patch = VerbApply, ""
	}
}

// comparePlaces compares positions by file name, then by offset. Drivers may parse the
// files of a package in any order, so a comparison of positions alone would not always
// give the same order.
func comparePlaces(fset *token.FileSet, a, b token.Pos) int {
	if f, g := fset.File(a), fset.File(b); f != g && f != nil && g != nil {
		return strings.Compare(f.Name(), g.Name())
	}
	return cmp.Compare(a, b)
}
