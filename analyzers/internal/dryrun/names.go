package dryrun

import (
	"go/types"
	"strings"
)

// squeeze converts dryRun, DRY_RUN and dry-run to one form. It returns "" for names that
// are too long or contain other characters.
func squeeze(name string) string {
	if len(name) > 48 {
		return ""
	}
	out := make([]byte, 0, len(name))
	for i := range len(name) {
		switch c := name[i]; {
		case c == '-' || c == '_' || c == '.':
		case c >= 'A' && c <= 'Z':
			out = append(out, c+'a'-'A')
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			out = append(out, c)
		default:
			return "" // a sentence
		}
	}
	return string(out)
}

// These are words before and after "dryrun" in the name of a variable. The
// variable holds a dry run only if one of allowedSuffixes follows and no part of
// excludedPrefixes precedes. For example, supportsDryRun and validateDryRun mean something else.
var (
	allowedSuffixes   = []string{"", "enabled", "flag", "mode", "only", "strategy", "option", "opt", "value", "val", "arg", "param", "requested", "ptr", "type", "p", "s", "b"}
	excludedPrefixes  = []string{"support", "valid", "verif", "check", "test", "run", "print", "set", "with", "add", "register", "new", "expect", "want", "after", "need", "post", "pre", "first", "last", "force", "has", "can", "did", "was", "were", "force", "old", "default"}
	negations         = []string{"no", "not", "non", "isnot", "skip", "disable", "without", "ignore", "bypass"}
	predicatePrefixes = []string{"is", "get", "in", "use", "should", "server", "client", "serverside", "clientside", "enable", "isserver", "isclient", "global"}
)

// dryRunName reports whether a variable, a field or a flag with this name holds a dry run.
// negative is true if it holds the opposite.
//
// "dry" alone is the name of a flag, or of a boolean for it.
func dryRunName(name string) (ok, negative bool) {
	s := squeeze(name)
	if s == short {
		return true, false
	}
	i := strings.Index(s, "dryrun")
	if i < 0 {
		return false, false
	}
	before, after := s[:i], s[i+len("dryrun"):]
	if !oneOf(after, allowedSuffixes) {
		return false, false
	}
	if oneOf(before, negations) {
		return true, true
	}
	for _, n := range excludedPrefixes {
		if strings.HasPrefix(before, n) {
			return false, false
		}
	}
	return true, false
}

// short is a short name for a dry run.
const short = "dry"

// predicateName reports whether a function with this name reports a dry run. It accepts
// fewer names than dryRunName, because a function such as applyDryRun does something else.
func predicateName(name string) (ok, negative bool) {
	s := squeeze(name)
	i := strings.Index(s, "dryrun")
	if i < 0 || !oneOf(s[i+len("dryrun"):], allowedSuffixes) {
		return false, false
	}
	before := s[:i]
	if oneOf(before, negations) {
		return true, true
	}
	return before == "" || oneOf(before, predicatePrefixes), false
}

func oneOf(s string, list []string) bool {
	for _, l := range list {
		if s == l {
			return true
		}
	}
	return false
}

// shapeOf returns the shape in which a value of type t can hold a dry run; 0 if
// it cannot.
func shapeOf(t types.Type) Shape {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		if isStrategy(n) {
			return Strategy
		}
		if n.Obj().Pkg() != nil && n.Obj().Name() == "Bool" && n.Obj().Pkg().Path() == "sync/atomic" {
			return Bool
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return Bool
		case u.Info()&types.IsString != 0:
			return Text
		}
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			return List
		}
	}
	return 0
}

// isStrategy reports whether a type is like kubectl's DryRunStrategy: an integer or a
// string with one constant for the client and one for the server. For a type whose name
// ends with "mode", one constant for a dry run is enough.
func isStrategy(n *types.Named) bool {
	return strategyConst(n, Client) != nil && strategyConst(n, Server) != nil
}

// strategyConst returns the constant of a strategy's type for a mode.
func strategyConst(n *types.Named, m Mode) *types.Const {
	if n.Obj().Pkg() == nil {
		return nil
	}
	if _, ok := n.Underlying().(*types.Basic); !ok {
		return nil
	}
	name := squeeze(n.Obj().Name())
	word := map[Mode]string{Client: "client", Server: "server", off: "none"}[m]
	if strings.Contains(name, "dryrun") {
		return constNamed(n, word)
	}
	if c := constNamed(n, "dryrun"+word); c != nil {
		return c
	}
	return modeConst(n, name, m)
}

// constNamed returns a constant of a type whose name contains a word; nil if there is none.
func constNamed(n *types.Named, word string) *types.Const {
	scope := n.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if ok && types.Identical(c.Type(), n) && strings.Contains(squeeze(name), word) {
			return c
		}
	}
	return nil
}

// modeConst returns the constant for a dry run of a type whose name ends with "mode".
// The constant is the same in the modes Client and Server. In mode off, modeConst
// returns nil, because several constants can mean that there is no dry run.
func modeConst(n *types.Named, name string, m Mode) *types.Const {
	if m == off || !strings.HasSuffix(name, "mode") {
		return nil
	}
	scope := n.Obj().Pkg().Scope()
	for _, constant := range scope.Names() {
		c, ok := scope.Lookup(constant).(*types.Const)
		if ok && types.Identical(c.Type(), n) && strings.TrimSuffix(strings.TrimPrefix(squeeze(constant), name), "mode") == "dryrun" {
			return c
		}
	}
	return nil
}
