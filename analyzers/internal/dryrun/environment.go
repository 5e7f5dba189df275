package dryrun

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// variable is an environment variable for a dry run, and the position where code reads it.
// negative is set if the code asks whether the variable does not want a dry run.
type variable struct {
	name     string
	pos      token.Pos
	negative bool
}

// findReaders finds the functions of the package that read an environment variable for a
// dry run and whose first result is a boolean.
func (b *binder) findReaders() {
	b.readers = map[*types.Func]variable{}
	for _, f := range b.pass.Files {
		for _, decl := range f.Decls {
			d, ok := decl.(*ast.FuncDecl)
			if !ok || d.Body == nil {
				continue
			}
			fn, ok := b.pass.TypesInfo.Defs[d.Name].(*types.Func)
			if !ok || fn.Signature().Results().Len() == 0 || !isBool(fn.Signature().Results().At(0).Type()) {
				continue
			}
			ast.Inspect(d.Body, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if v, ok := b.getenv(call); ok {
						b.readers[fn] = v
					}
				}
				return true
			})
		}
	}
}

// fromEnvironment returns the environment variable for a dry run that a boolean
// expression reads, as these do:
//
//	strconv.ParseBool(os.Getenv("DRY_RUN"))
//	os.Getenv("DRY_RUN") == "true"
//	boolFromEnvironment("DRY_RUN", false)
func (b *binder) fromEnvironment(e ast.Expr, depth int) (variable, bool) {
	if depth > 3 {
		return variable{}, false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if v, ok := b.getenv(e); ok {
			return v, true
		}
		fn := calledFunc(b.pass.TypesInfo, e)
		if v, ok := b.readers[fn]; ok {
			return v, true
		}
		looksUp := depth == 0 && fn != nil && hasPart(fn.Name(), "env", "bool", "get", "lookup", "config", "setting", "flag")
		for _, arg := range e.Args {
			if name, ok := b.text(arg); ok && looksUp && flagName(name) && name == strings.ToUpper(name) && squeeze(name) != short {
				return variable{name: name, pos: arg.Pos()}, true
			}
			if v, ok := b.fromEnvironment(arg, depth+1); ok {
				return v, true
			}
		}
	case *ast.BinaryExpr:
		for _, sides := range [][2]ast.Expr{{e.X, e.Y}, {e.Y, e.X}} {
			if text, ok := b.text(sides[1]); ok && (e.Op == token.EQL || e.Op == token.NEQ) {
				v, ok := b.fromEnvironment(sides[0], depth+1)
				v.negative = (e.Op == token.EQL) == meansNo(text)
				return v, ok
			}
		}
	}
	return variable{}, false
}

// meansNo reports whether the value of a variable turns something off.
func meansNo(text string) bool {
	switch strings.ToLower(text) {
	case "", "0", "f", "false", "n", "no", "off":
		return true
	}
	return false
}

// getenv returns the environment variable for a dry run that os.Getenv or os.LookupEnv
// reads.
func (b *binder) getenv(call *ast.CallExpr) (variable, bool) {
	fn := calledFunc(b.pass.TypesInfo, call)
	if fn == nil || len(call.Args) != 1 || fn.Pkg() == nil || fn.Pkg().Path() != "os" || fn.Name() != "Getenv" && fn.Name() != "LookupEnv" {
		return variable{}, false
	}
	name, ok := b.text(call.Args[0])
	return variable{name: name, pos: call.Args[0].Pos()}, ok && flagName(name)
}

// text returns the value of a constant string.
func (b *binder) text(e ast.Expr) (string, bool) {
	tv := b.pass.TypesInfo.Types[e]
	if tv.Value == nil || tv.Value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(tv.Value), true
}
