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

// edit replaces the text between two offsets of a file.
type edit struct {
	at, end int
	text    string
}

// instrumenter adds counters to Go files.
type instrumenter struct {
	// work is the import path of the package of the counters.
	work string
	// scanners are the functions of that package that count in the place of
	// functions of the standard library, such as StringsIndex.
	scanners map[string]bool
	// places are the names of the counters of each package, such as
	// "a/b.go:12 parse", by its directory.
	places map[string][]string
}

// file returns the text of a Go file with a counter in each function and in each
// loop. Calls of the standard library's functions that pass over text or slices
// count how far they pass. Lines keep their numbers. name is for the places.
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
	scanners := map[string]string{} // by the name that the file imports the package by
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
	out.WriteString("\nvar _ = kubevetwork.Write\n") // a file may have nothing to count
	for local := range scanners {                    // nor use them any more
		fmt.Fprintf(&out, "\nvar _ = %s.%s\n", local, stillUsed[scanners[local]])
	}
	return out.Bytes(), nil
}

// array returns a file that declares the counters of a package. Each package has
// its own, so that the go command compiles only what changed.
func (in *instrumenter) array(folder, name string) []byte {
	return fmt.Appendf(nil, "package %s\n\nimport kubevetwork %q\n\nvar kubevetworkN [%d]uint64\n\nfunc init() { kubevetwork.Register(%q, kubevetworkN[:]) }\n",
		name, in.work, len(in.places[folder])+1, folder)
}

// scannerPackages are the packages of the standard library whose functions are
// counted, and the prefix of the functions that count in their place.
var scannerPackages = map[string]string{"bytes": "Bytes", "strings": "Strings", "slices": "Slices", "unicode/utf8": "UTF8"}

// stillUsed are values of these packages: they keep an import in use.
var stillUsed = map[string]string{"Bytes": "Equal", "Strings": "Compare", "Slices": "Max[[]int]", "UTF8": "RuneLen"}
