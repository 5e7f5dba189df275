package dryrun

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Finding is a real write that happens in a dry run, although its function or a caller
// is informed about the dry run.
type Finding struct {
	// Write is the write.
	Write *Write
	// Informed is the informed function, and Source is the source in its scope.
	Source   *Source
	Informed *ssa.Function
	// Path holds the calls from Informed to the function with the write. It is empty if
	// Informed contains the write.
	Path []ssa.Instruction
	// AtWrite reports whether the fix belongs at the write, and not at the first call
	// of Path. It is true if every function of the package that leads to the write is
	// informed.
	AtWrite bool
	// Client and Server report in which kinds of dry run the write happens.
	Client, Server bool
	// Unconnected is true if Source is a field, and no code is known to pass a dry run
	// to the write by this field. There are two cases:
	//
	//   - Only other methods of the type read the field.
	//   - Other packages pass the client, and no code reads the field.
	Unconnected bool
}

// Findings returns the real writes of the package that happen in a dry run although a
// function is informed. They are in order of position. Each names the nearest informed
// function. Findings ignores dry runs in options of metav1 and in admission requests,
// because other rules check these.
func (r *Result) Findings() []*Finding {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.findings()
}

// findings returns the findings, and caches them.
func (s *state) findings() []*Finding {
	if s.analyzed != nil && !s.findingsKnown {
		s.findingsKnown = true
		s.findingList = s.computeFindings()
	}
	return s.findingList
}

func (s *state) computeFindings() []*Finding {
	if !s.hasSources || len(s.calls.Calls) == 0 && !s.names.writers && !s.names.indirect || !s.hasUsableSource() {
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
		for _, w := range s.serverOnly(fn) {
			s.collect(fn, Client, w, byPlace, &got)
		}
	}
	got = slices.DeleteFunc(got, func(f *Finding) bool {
		withheld := f.Unconnected && len(s.builders(f.Informed)) > 0
		if withheld {
			s.withheld = append(s.withheld, f)
		}
		return withheld
	})
	slices.SortStableFunc(got, func(a, b *Finding) int { return int(a.place().pos) - int(b.place().pos) })
	return got
}

// place identifies a finding: findings with the same place are reported once.
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
	if f := s.chosenByConstructor(fn, w, m); f != nil && len(c.informed) == 0 && byPlace[f.place()] == nil {
		byPlace[f.place()] = f
		*got = append(*got, f)
		return
	}
	for _, k := range c.informed {
		if s.isRefused(k.fn, k.path, w.instr, m) || s.onlyReportsStatus(k.fn, w) || k.assumed && !s.allIndependent(append([]ssa.Instruction{w.instr}, k.path...)) ||
			s.inSeparateMode(k.fn, k.first(w), m) {
			continue
		}
		fromCaller := s.clientFromCaller(w)
		if k.assumed && fromCaller && !s.respected[k.source.Object] {
			continue // the callers of the constructor may handle the dry run
		}
		if k.source.inKubewebhook() && w.IgnoredBy == "" {
			continue // webhookdryrun reports the writes of a handler
		}
		f := &Finding{Write: w, Source: k.source, Informed: k.fn, Path: k.path}
		at := w.Pos
		if len(k.path) > 0 {
			at = k.path[0].Pos()
		}
		f.Source = s.sourceInLastCondition(k.fn, k.source, at, m)
		f.AtWrite = len(k.path) == 0 || !c.uninformed
		v, _ := f.Source.Object.(*types.Var)
		f.Unconnected = s.unconnected(f.Source, fn) || fromCaller && f.Source.Kind == Field && v != nil && s.unread(v) && f.Source.Flag == ""
		if old, ok := byPlace[f.place()]; ok {
			f = old
		} else {
			byPlace[f.place()] = f
			*got = append(*got, f)
		}
		f.Client = f.Client || m == Client
		f.Server = f.Server || m == Server
		if f.AtWrite {
			break // one finding is enough
		}
	}
}

// onlyReportsStatus reports whether a write in a reconciler only writes the status of
// the reconciler's object. Such a write reports the work, or the dry run, of the
// reconciler.
func (s *state) onlyReportsStatus(fn *ssa.Function, w *Write) bool {
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

// hasUsableSource reports whether any function of the package has a source that
// Findings does not ignore.
func (s *state) hasUsableSource() bool {
	for _, fn := range s.funcs {
		for _, src := range s.sources(fn) {
			if src.Kind != Options && src.Kind != Request {
				return true
			}
		}
	}
	return false
}

// climber searches the callers of a function with a write for informed functions.
type climber struct {
	s        *state
	mode     Mode
	write    ssa.Instruction
	open     map[*ssa.Function]bool
	informed []informed
	// uninformed is true if a caller that is not informed also calls the function.
	uninformed bool
	// steps counts the functions on all paths.
	steps int
}

// maxSteps limits the steps from one write to its callers. A function counts once for
// each path on which it is reached, because each caller may have many callers.
const maxSteps = 2000

type informed struct {
	fn     *ssa.Function
	source *Source
	path   []ssa.Instruction
	// assumed is true if the only sign that fn runs in a dry run is that fn reads the
	// source.
	assumed bool
}

// first returns the instruction of fn that leads to the write.
func (k informed) first(w *Write) ssa.Instruction {
	if len(k.path) > 0 {
		return k.path[0]
	}
	return w.instr
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
		assumed := src.Kind == Field && outside && !c.s.mustRespectField(src, fn) && c.s.entryFrom(fn, c.mode, false, src.Object) != Reached
		if entry == Unclear && src.Kind == Parameter && !c.s.canRunWith(fn, src) {
			entry = Reached // its caller passes the dry run
		}
		if src.decoded {
			entry = Reached // the function handles requests
		}
		if entry == Unclear && (c.s.handlesDryRun(src, fn) || c.s.besideGuard(src, fn, false)) {
			entry, assumed = Reached, true
		}
		switch entry {
		case Reached:
			c.informed = append(c.informed, informed{fn, src, path, assumed})
			return
		case Guarded:
			return
		}
		if outside {
			return
		}
		// The source is a flag of the package, and callers outside of the
		// package are not known.
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
		// One of several types may be for dry runs, unless all of them get the dry run.
		if at.dynamic && !c.s.mayRunDynamically(at, fn, c.mode) {
			continue
		}
		if at.call != nil && (c.s.clientChosen(at.call, c.mode) || c.s.mayRespect(at.call, fn, c.mode)) {
			continue
		}
		c.climb(at.caller, append([]ssa.Instruction{at.instr}, path...))
	}
	// Unknown callers may be unable to read the dry run. Callers of an exported
	// function in other packages do not count, because they do not change where
	// the fix belongs.
	if sites == 0 || c.s.escaping[fn] {
		c.uninformed = true
	}
}

// handlesDryRun reports whether fn itself handles a dry run: it reads src, and skips
// some code in a dry run. It returns false if a caller in the package may guard its
// call of fn.
func (s *state) handlesDryRun(src *Source, fn *ssa.Function) bool {
	if slices.ContainsFunc(s.sites[fn], func(at site) bool { return !s.inTest(at.caller) && s.siteReach(at, Client) != Reached }) {
		return false
	}
	v, field := src.Object.(*types.Var)
	if !field && !src.called || field && !slices.Contains(s.readers[v], fn) {
		return false
	}
	f, normal := s.flow(fn, Client), s.flow(fn, off)
	if f == nil || normal == nil {
		return false
	}
	for i := range f.blocks {
		if normal.blocks[i] && !f.blocks[i] {
			return true
		}
	}
	return false
}

// canRunWith reports whether code of the package other than tests may run fn with src.
// It returns false only if src is a parameter of fn, and only tests call fn. A mention
// in code that does not compile counts as a call.
func (s *state) canRunWith(fn *ssa.Function, src *Source) bool {
	isParam := false
	for _, p := range fn.Params {
		isParam = isParam || p.Object() == src.Object
	}
	for _, at := range s.sites[fn] {
		if !s.inTest(at.caller) {
			return true
		}
	}
	return !isParam || s.code.Mentions(fn.Object())
}

// nearest returns the source to name in a message; nil if there is none. must
// reports whether fn itself must respect the source. If must is true, calls of
// fn from other packages also count. fn must respect these sources:
//
//   - a parameter;
//   - a field, if mustRespectField or handlesDryRun returns true;
//   - a flag that only this package reads, if fn reads it.
//
// fn need not respect other fields, because another package may create the
// options and check them before it calls fn. For such a field, the package
// exports a fact about fn.
//
// nearest ignores a source that is only looked up in a branch without at. at
// may be nil.
func (s *state) nearest(fn *ssa.Function, at ssa.Instruction) (src *Source, must bool) {
	for _, found := range s.sources(fn) {
		if at != nil && s.lookedUpElsewhere(found, fn, at) {
			continue
		}
		switch found.Kind {
		case Options, Request:
			continue
		case Global:
			must = s.onlyReader(found.Object, fn)
		case Field:
			must = s.mustRespectField(found, fn) || s.handlesDryRun(found, fn)
			if !must && !s.respected[found.Object] || !s.canHold(found.Object, fn) {
				continue
			}
		case Local:
			must = found.called || found.decoded || found.FlagPos.IsValid() || s.isFrameworkRequest(found.Object, fn) || s.respected[found.Object] && s.actsInDryRun(fn)
		default:
			must = true
		}
		if src == nil || must {
			src = found
		}
		if must {
			return src, true
		}
	}
	return src, false
}

// mustRespectField reports whether fn must respect the dry run in a field, for one of
// these reasons:
//
//   - A flag of the package sets the field.
//   - The field is one of the receiver, and guards other writes or is never read.
//   - The field is in a request that a framework passes to fn.
//   - fn passes the field to a library.
func (s *state) mustRespectField(src *Source, fn *ssa.Function) bool {
	v, _ := src.Object.(*types.Var)
	return src.FlagPos.IsValid() || (s.respected[src.Object] || v != nil && s.unread(v)) && isReceiver(src.Base, fn) ||
		s.passesToLibrary(src, fn) || s.isFrameworkRequest(src.Object, fn)
}

// isReceiver reports whether v is the receiver of fn, or of the method that contains
// the literal fn.
func isReceiver(v *types.Var, fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return v != nil && fn.Signature.Recv() == v
}

// Next returns the function that the first call of Path runs. It returns nil if Path is
// empty, or if its first element is not a static call.
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

// isFrameworkRequest reports whether a field is in a request or review that a framework
// passes to fn, or to the function that contains the literal fn. A library declares the
// type of the request.
func (s *state) isFrameworkRequest(field types.Object, fn *ssa.Function) bool {
	v, ok := field.(*types.Var)
	if !ok || !v.IsField() || s.vars.isLocal(v.Pkg()) {
		return false
	}
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool {
		n := namedOf(p.Type())
		return n != nil && (strings.HasSuffix(n.Obj().Name(), "Review") || strings.HasSuffix(n.Obj().Name(), "Request")) && s.vars.fieldOf(n) == v
	})
}
