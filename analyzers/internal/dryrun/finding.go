package dryrun

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Finding is a write that runs for real although some function knows that dry run is
// asked for.
type Finding struct {
	// Write is the write.
	Write *Write
	// Source holds the wish, in the scope of Knower.
	Source *Source
	Knower *ssa.Function
	// Path are the calls from Knower to the function that holds the write; empty if
	// that is Knower.
	Path []ssa.Instruction
	// AtWrite reports whether to fix the write: every function of the package
	// that leads to it knows of the wish. Otherwise the first call of Path is
	// the place to fix.
	AtWrite bool
	// Client and Server say for which kinds of dry run it runs for real.
	Client, Server bool
	// Untied is set if the wish is a field that other methods of the type look at, and
	// no code carries a dry run to this write.
	Untied bool
}

// Findings returns the package's writes that run for real, in order of position, each
// with the nearest function that knows of the dry run. It leaves out wishes in options
// of metav1 or in an admission request, as those have rules of their own.
func (r *Result) Findings() []*Finding {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.findings()
}

// findings starts at the writes and goes up to their callers.
func (s *state) findings() []*Finding {
	if s.own == nil || !s.wishful || len(s.calls.Calls) == 0 && !s.mention.writers && !s.mention.indirect || !s.hopeful() {
		return nil
	}
	var got []*Finding
	byPlace := map[place]*Finding{}
	for _, fn := range s.funcs {
		if s.inTest(fn) {
			continue
		}
		for _, m := range []Mode{Client, Server} {
			for _, w := range s.ownWrites(fn, m) {
				s.collect(fn, m, w, byPlace, &got)
			}
		}
	}
	slices.SortStableFunc(got, func(a, b *Finding) int { return int(a.place().pos) - int(b.place().pos) })
	return got
}

// place identifies a finding to the reader.
type place struct {
	pos  int
	text string
}

func (f *Finding) place() place {
	if f.AtWrite || len(f.Path) == 0 {
		return place{int(f.Write.Pos), ""}
	}
	return place{int(f.Path[0].Pos()), ""}
}

func (s *state) collect(fn *ssa.Function, m Mode, w *Write, byPlace map[place]*Finding, got *[]*Finding) {
	c := &climber{s: s, mode: m, write: w.instr, open: map[*ssa.Function]bool{}}
	c.climb(fn, nil)
	for _, k := range c.knowers {
		if s.excluded(k.fn, k.path, w.instr, m) || s.reportsBack(k.fn, w) || k.expected && !s.alwaysAll(append([]ssa.Instruction{w.instr}, k.path...)) {
			continue
		}
		f := &Finding{Write: w, Source: k.source, Knower: k.fn, Path: k.path}
		at := w.Pos
		if len(k.path) > 0 {
			at = k.path[0].Pos()
		}
		f.Source = s.tested(k.fn, k.source, at, m)
		f.AtWrite = len(k.path) == 0 || !c.strangers
		f.Untied = s.untied(f.Source, fn)
		if old, ok := byPlace[f.place()]; ok {
			f = old
		} else {
			byPlace[f.place()] = f
			*got = append(*got, f)
		}
		f.Client = f.Client || m == Client
		f.Server = f.Server || m == Server
		if f.AtWrite {
			break // one is enough
		}
	}
}

// reportsBack reports whether a write is a reconciler's report about its work, or its
// dry run: the status of its object.
func (s *state) reportsBack(fn *ssa.Function, w *Write) bool {
	if w.Call == nil || w.Call.Subresource != "status" {
		return false
	}
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	recv := fn.Signature.Recv()
	if recv == nil {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(recv.Type(), true, s.pass.Pkg, "Reconcile")
	_, ok := obj.(*types.Func)
	return ok
}

// hopeful reports whether anything in the package can hold a wish at all.
func (s *state) hopeful() bool {
	for _, fn := range s.funcs {
		for _, src := range s.sources(fn) {
			if src.Kind != Options && src.Kind != Request {
				return true
			}
		}
	}
	return false
}

// climber looks for functions that know of the wish among the callers of one.
type climber struct {
	s       *state
	mode    Mode
	write   ssa.Instruction
	open    map[*ssa.Function]bool
	knowers []knower
	// strangers is set if a caller that does not know of the wish calls it too.
	strangers bool
	// steps counts the functions on all paths.
	steps int
}

// maxSteps limits the functions on all paths to one write. A function may have many
// callers, and these as well.
const maxSteps = 2000

type knower struct {
	fn     *ssa.Function
	source *Source
	path   []ssa.Instruction
	// expected is set if only the look of fn at the wish shows that a dry run enters fn.
	expected bool
}

func (c *climber) climb(fn *ssa.Function, path []ssa.Instruction) {
	if c.steps++; c.steps > maxSteps || len(path) > maxChain || c.open[fn] || c.s.inTest(fn) {
		return
	}
	c.open[fn] = true
	defer delete(c.open, fn)
	at := c.write
	if len(path) > 0 {
		at = path[0]
	}
	if src, outside := c.s.nearest(fn, at); src != nil {
		entry := c.s.entryFrom(fn, c.mode, outside, src.Object)
		expected := src.Kind == Field && outside && !c.s.obliged(src, fn) && c.s.entryFrom(fn, c.mode, false, src.Object) != Reached
		if entry == Unclear && src.Kind == Parameter && !c.s.called(fn, src) {
			entry = Reached // its caller passes the wish
		}
		if entry == Unclear && c.s.expects(src, fn) {
			entry, expected = Reached, true
		}
		switch entry {
		case Reached:
			c.knowers = append(c.knowers, knower{fn, src, path, expected})
			return
		case Guarded:
			return
		}
		if outside {
			return
		}
		// It is a flag of the package, and the callers are not known: continue.
	}
	sites := 0
	for _, at := range c.s.sites[fn] {
		if c.s.inTest(at.caller) || at.caller == fn {
			continue
		}
		sites++
		if c.s.siteReach(at, c.mode) != Reached {
			continue
		}
		// One of several types may be for dry runs, unless all of them get the wish.
		if at.many && (at.call == nil || !c.s.passes(at.call, c.mode)) {
			continue
		}
		if at.call != nil && (c.s.conditional(at.call, c.mode) || c.s.heard(at.call, fn, c.mode)) {
			continue
		}
		c.climb(at.caller, append([]ssa.Instruction{at.instr}, path...))
	}
	// Other packages may call it too if it is exported. Nothing is known about them,
	// and the place to fix is the same.
	if sites == 0 || c.s.loose[fn] {
		c.strangers = true
	}
}

// expects reports whether fn is prepared for a dry run: fn looks at src itself, leaves
// something out in a dry run, and no caller in the package may guard it.
func (s *state) expects(src *Source, fn *ssa.Function) bool {
	if slices.ContainsFunc(s.sites[fn], func(at site) bool { return !s.inTest(at.caller) && s.siteReach(at, Client) != Reached }) {
		return false
	}
	v, field := src.Object.(*types.Var)
	if !field && !src.called || field && !slices.Contains(s.readers[v], fn) {
		return false
	}
	f, idle := s.flow(fn, Client), s.flow(fn, off)
	if f == nil || idle == nil {
		return false
	}
	for i := range f.blocks {
		if idle.blocks[i] && !f.blocks[i] {
			return true
		}
	}
	return false
}

// called reports whether fn is more than a function that gets src from its caller. It
// is a literal that shares src with the function around it, or a function that the
// package, tests aside, calls.
func (s *state) called(fn *ssa.Function, src *Source) bool {
	given := false
	for _, p := range fn.Params {
		given = given || p.Object() == src.Object
	}
	for _, at := range s.sites[fn] {
		if !s.inTest(at.caller) {
			return true
		}
	}
	return !given || s.code.Mentions(fn.Object())
}

// nearest returns the source to name, and whether the function itself must obey it, so
// that calls from other packages count. It must if the source is a parameter, a field
// of the receiver that guards other writes, or a flag that only this package sees and
// that the function looks at.
//
// A field of options that are made elsewhere may be looked at there, before the
// function is called; a fact reports it to importers instead. A wish that is looked up
// in a branch without at is left out. at may be nil.
func (s *state) nearest(fn *ssa.Function, at ssa.Instruction) (src *Source, own bool) {
	for _, found := range s.sources(fn) {
		if at != nil && s.elsewhere(found, fn, at) {
			continue
		}
		switch found.Kind {
		case Options, Request:
			continue
		case Global:
			own = s.private(found.Object, fn)
		case Field:
			own = s.obliged(found, fn) || s.expects(found, fn)
			if !own && !s.heeded[found.Object] || !s.lasting(found.Object, fn) {
				continue
			}
		case Local:
			own = found.called || found.FlagPos.IsValid() || s.asked(found.Object, fn) || s.heeded[found.Object] && s.acts(fn)
		default:
			own = true
		}
		if src == nil || own {
			src = found
		}
		if own {
			return src, true
		}
	}
	return src, false
}

// obliged reports whether fn must obey a field for one of these reasons. A flag of the
// package sets the field. The field is one of the receiver, and guards other writes or is
// never read. A framework asks fn with the field, or fn passes the field to a library.
func (s *state) obliged(src *Source, fn *ssa.Function) bool {
	v, _ := src.Object.(*types.Var)
	return src.FlagPos.IsValid() || (s.heeded[src.Object] || v != nil && s.unread(v)) && receives(src.Base, fn) ||
		s.answers(src, fn) || s.asked(src.Object, fn)
}

// receives reports whether v is the receiver of fn or of the function around
// it.
func receives(v *types.Var, fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return v != nil && fn.Signature.Recv() == v
}

// Next is the function that the first call of Path runs; nil if Path is empty or
// something else runs it.
func (f *Finding) Next() *ssa.Function {
	if len(f.Path) == 0 {
		return nil
	}
	call, ok := f.Path[0].(ssa.CallInstruction)
	if !ok {
		return nil
	}
	return call.Common().StaticCallee()
}

// asked reports whether a field belongs to a library's struct that fn, or the function
// around it, gets as an argument. A framework asks with it, such as for a review.
func (s *state) asked(field types.Object, fn *ssa.Function) bool {
	v, ok := field.(*types.Var)
	if !ok || !v.IsField() || s.wishes.ours(v.Pkg()) {
		return false
	}
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool {
		n := namedOf(p.Type())
		return n != nil && (strings.HasSuffix(n.Obj().Name(), "Review") || strings.HasSuffix(n.Obj().Name(), "Request")) && s.wishes.in(n) == v
	})
}
