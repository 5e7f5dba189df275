package kubectldryrun

import (
	"go/ast"
	"strings"
)

// withLikelyProgram sets likely of an unknown program, if the name of the variable,
// field or function that contains the program shows it, as in kubectlPath.
func withLikelyProgram(program line, e ast.Expr) line {
	if len(program) != 1 || program[0].text != hole || program[0].param > 0 || program[0].repeated || program[0].likely != "" {
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
		known.likely = p
		return line{known}
	}
	return program
}

// programNamed returns the program that the name of a variable, field or function names:
// "kubectl" for kubectlPath and getKubectlBinary, "oc" for ocBin, and "" for others.
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
