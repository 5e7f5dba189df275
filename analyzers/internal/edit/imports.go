package edit

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Imported returns the name by which code at pos can use a package that the file
// imports. The file may import the package from a vendor directory. Imported returns
// false if the file does not import the package, if it imports the package as _ or .,
// or if the name has another meaning at pos.
func Imported(pass *analysis.Pass, pos token.Pos, path string) (string, bool) {
	for _, f := range pass.Files {
		if f.FileStart > pos || pos > f.FileEnd {
			continue
		}
		for _, spec := range f.Imports {
			name := pass.TypesInfo.PkgNameOf(spec)
			if name == nil || Unvendored(name.Imported().Path()) != path || name.Name() == "." || name.Name() == "_" {
				continue
			}
			scope := pass.Pkg.Scope().Innermost(pos)
			if scope == nil {
				continue
			}
			if _, obj := scope.LookupParent(name.Name(), pos); obj == name {
				return name.Name(), true
			}
		}
	}
	return "", false
}

// Import returns the name by which code at pos can use a package. If the file does not
// import the package, Import also returns the edits that import it as want. It returns
// false if that name has another meaning at pos.
func (f *File) Import(pos token.Pos, path, want string) (string, []analysis.TextEdit, bool) {
	if name, ok := Imported(f.pass, pos, path); ok {
		return name, nil, true
	}
	scope := f.pass.Pkg.Scope().Innermost(pos)
	if scope == nil {
		return "", nil, false
	}
	if _, obj := scope.LookupParent(want, pos); obj != nil {
		return "", nil, false
	}
	text := strconv.Quote(path)
	if base := path[strings.LastIndexByte(path, '/')+1:]; base != want {
		text = want + " " + text
	}
	var last *ast.GenDecl
	for _, d := range f.ast.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			last = d
		}
	}
	at, text := f.ast.Name.End(), fmt.Sprintf("\n\nimport %s", text)
	if last != nil && last.Lparen.IsValid() && len(last.Specs) > 0 && standard(path) {
		// The standard library comes first. gofmt sorts this group.
		at, text = last.Lparen+1, "\n\t"+strings.TrimPrefix(text, "\n\nimport ")
		if first := last.Specs[0].(*ast.ImportSpec); !standard(strings.Trim(first.Path.Value, "\"`")) {
			text += "\n"
		}
	} else if last != nil && last.Lparen.IsValid() && len(last.Specs) > 0 {
		at, text = last.Specs[len(last.Specs)-1].End(), "\n\t"+strings.TrimPrefix(text, "\n\nimport ")
	} else if last != nil {
		at, text = last.End(), text[1:]
	}
	return want, []analysis.TextEdit{{Pos: at, End: at, NewText: []byte(text)}}, true
}

// standard reports whether a package is in the standard library.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// Unvendored returns an import path without the prefix up to a vendor directory.
func Unvendored(path string) string {
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		return path[i+len("/vendor/"):]
	}
	return strings.TrimPrefix(path, "vendor/")
}
