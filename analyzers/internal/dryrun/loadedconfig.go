package dryrun

import (
	"go/types"
	"slices"
	"strings"
)

// loadsDryRun returns the name of the dry run in the program's settings, if fn is a
// function of another package that loads these settings. It returns "" for other
// functions, and outside package main.
func (s *state) loadsDryRun(fn *types.Func) string {
	if fn == nil || s.pass.Pkg.Name() != "main" || fn.Pkg() == s.pass.Pkg || !s.vars.isLocal(fn.Pkg()) || fn.Signature().Results().Len() == 0 {
		return ""
	}
	t := fn.Signature().Results().At(0).Type()
	n, f := namedOf(t), s.vars.fieldOf(t)
	if f == nil || s.code.Mentions(f) || s.vars.describe(f).negative || shapeOf(f.Type()) != Bool || fn.Signature().Recv() != nil ||
		!hasPart(n.Obj().Name(), "config", "setting", "option", "flag") || !hasPart(fn.Name(), "load", "parse", "read", "env", "config") {
		return ""
	}
	var fact flagBound
	if s.pass.ImportObjectFact(f, &fact) && fact.Flag != "" {
		return fact.Flag
	}
	return n.Obj().Name() + "." + f.Name()
}

// hasPart reports whether a name contains one of the words, in upper or lower case.
func hasPart(name string, words ...string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}
