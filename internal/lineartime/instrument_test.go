package lineartime

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
)

// edit replaces the text between two byte offsets of a file.
type edit struct {
	at, end int
	text    string
}

// instrumenter adds counters to Go files.
type instrumenter struct {
	// work is the import path of the package with the counters.
	work string
	// scanners has the functions that replace functions of the standard library.
	// StringsIndex, for example, replaces strings.Index and counts the bytes.
	scanners map[string]bool
	// places has the names of the counters, such as "a/b.go:12 parse", by the directory
	// of the package.
	places map[string][]string
}

// file returns the text of a Go file with a counter in each function and loop. Calls of
// standard library functions that pass over text or slices count the bytes or elements.
// Line numbers do not change. name is the name of the file in names of counters.
func (in *instrumenter) file(name string, text []byte) ([]byte, error) {
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	offset := func(p token.Pos) int { return files.Position(p).Offset }
	var all []edit
	insert := func(at token.Pos, text string) { all = append(all, edit{offset(at), offset(at), text}) }
	insert(tree.Name.End(), "; import kubevetwork "+strconv.Quote(in.work))
	folder := path.Dir(name)
	count := func(body *ast.BlockStmt, function string) {
		if body == nil {
			return
		}
		insert(body.Lbrace+1, fmt.Sprintf(" kubevetworkN[%d]++;", len(in.places[folder])))
		in.places[folder] = append(in.places[folder], fmt.Sprintf("%s:%d %s", name, files.Position(body.Lbrace).Line, function))
	}
	scanners := map[string]string{} // by the local name of the import
	for _, spec := range tree.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		if prefix := scannerPackages[imported]; prefix != "" {
			local := path.Base(imported)
			if spec.Name != nil {
				local = spec.Name.Name
			}
			scanners[local] = prefix
		}
	}
	function := ""
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			function = n.Name.Name
			count(n.Body, function)
		case *ast.FuncLit:
			count(n.Body, function+" func")
		case *ast.ForStmt:
			count(n.Body, function+" for")
		case *ast.RangeStmt:
			count(n.Body, function+" range")
		case *ast.CallExpr:
			switch f := n.Fun.(type) {
			case *ast.Ident:
				switch {
				case f.Name == "copy" && len(n.Args) == 2:
					insert(n.Pos(), "kubevetwork.Copied(")
					insert(n.End(), ")")
				case f.Name == "append" && n.Ellipsis.IsValid() && len(n.Args) == 2:
					insert(n.Args[1].Pos(), "kubevetwork.Appended(")
					insert(n.Args[1].End(), ")")
				}
			case *ast.SelectorExpr:
				local, ok := f.X.(*ast.Ident)
				if !ok || scanners[local.Name] == "" {
					break
				}
				if name := scanners[local.Name] + f.Sel.Name; in.scanners[name] {
					all = append(all, edit{offset(f.Pos()), offset(f.End()), "kubevetwork." + name})
				}
			}
		}
		return true
	})
	slices.SortStableFunc(all, func(a, b edit) int { return a.at - b.at })
	var out bytes.Buffer
	at := 0
	for _, i := range all {
		out.Write(text[at:i.at])
		out.WriteString(i.text)
		at = i.end
	}
	out.Write(text[at:])
	out.WriteString("\nvar _ = kubevetwork.Write\n") // uses the import even if the file has nothing to count
	for local := range scanners {                    // all uses of an import may have been replaced
		fmt.Fprintf(&out, "\nvar _ = %s.%s\n", local, stillUsed[scanners[local]])
	}
	return out.Bytes(), nil
}

// array returns a Go file that declares the counters of a package. Each package has its
// own counters, so that the go command compiles only changed packages again.
func (in *instrumenter) array(folder, name string) []byte {
	return fmt.Appendf(nil, "package %s\n\nimport kubevetwork %q\n\nvar kubevetworkN [%d]uint64\n\nfunc init() { kubevetwork.Register(%q, kubevetworkN[:]) }\n",
		name, in.work, len(in.places[folder])+1, folder)
}

// scannerPackages has the packages of the standard library whose functions are counted,
// with the prefix of the functions that replace them.
var scannerPackages = map[string]string{"bytes": "Bytes", "strings": "Strings", "slices": "Slices", "unicode/utf8": "UTF8"}

// stillUsed has a function of each of these packages. A reference to it keeps the import
// in use.
var stillUsed = map[string]string{"Bytes": "Equal", "Strings": "Compare", "Slices": "Max[[]int]", "UTF8": "RuneLen"}
