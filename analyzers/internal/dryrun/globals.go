package dryrun

import (
	"cmp"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// globals adds the variables of the package to which a flag is bound and that code
// reads. Each variable concerns the code that runs with its flag: the whole program, or
// one command.
func (c *collector) globals(fn *ssa.Function) {
	for _, src := range c.s.programSources() {
		if !c.seen[src.Object] {
			c.seen[src.Object] = true
			c.got = append(c.got, src)
		}
	}
	for _, v := range c.s.globals {
		from := c.s.startsOf(v)
		if from == nil && len(c.s.roots) == 0 && c.s.pass.Pkg.Name() == "main" || from != nil && (from.all || c.s.reachableFrom(v)[fn]) {
			if src := c.add(Global, shapeOf(v.Type()), v, nil); src != nil {
				src.fieldPath = c.s.fieldPaths[v]
			}
		}
	}
}

func (s *state) findGlobals() {
	scope := s.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		v, ok := scope.Lookup(name).(*types.Var)
		if !ok || !s.reads[v] {
			continue
		}
		// The variable of an environment variable has its value from the program's start.
		if w := s.vars.describe(v); w.ok && !w.negative && (w.bound || s.startsOf(v).everywhere()) {
			s.globals = append(s.globals, v)
		}
	}
	var fields []*types.Var
	for v := range s.fieldPaths {
		if s.reads[v] && !s.vars.describe(v).negative {
			fields = append(fields, v)
		}
	}
	slices.SortFunc(fields, func(a, b *types.Var) int { return cmp.Compare(a.Pos(), b.Pos()) })
	s.globals = append(s.globals, fields...)
}
