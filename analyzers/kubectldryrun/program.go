package kubectldryrun

import (
	"go/ast"
	"strings"
)

// named takes the name of a variable for the program that it holds, if nothing else is
// known of it. Programs keep the path that they have looked up in a field kubectl or
// kubectlPath, or return it from such a function.
func named(program line, e ast.Expr) line {
	if len(program) != 1 || program[0].text != hole || program[0].param > 0 || program[0].many || program[0].usual != "" {
		return program
	}
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		e = call.Fun
	}
	name := ""
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		name = e.Name
	case *ast.SelectorExpr:
		name = e.Sel.Name
	}
	if p := programNamed(name); p != "" {
		known := program[0]
		known.usual = p
		return line{known}
	}
	return program
}

// programNamed is the program that a variable, field or function is named
// after: kubectl, kubectlPath, getKubectlBinary, ocBin.
func programNamed(name string) string {
	name = strings.ToLower(strings.ReplaceAll(name, "_", ""))
	for _, before := range []string{"get", "find", "pathto", "pathof"} {
		name = strings.TrimPrefix(name, before)
	}
	for _, after := range []string{"path", "location", "executable", "exe", "binary", "bin", "command", "cmd", "name"} {
		name = strings.TrimSuffix(name, after)
	}
	if name == "kubectl" || name == "oc" {
		return name
	}
	return ""
}
