package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Loaded is a set of packages that were type-checked from source. Function bodies are not
// checked, so loading is fast.
type Loaded struct {
	// Packages has the requested packages and all their imports, by path.
	Packages map[string]*types.Package
	// Errors has the errors of go list and of the type checker for each package.
	Errors map[string][]error
}

// listed is a package in the output of go list.
type listed struct {
	Dir, ImportPath string
	GoFiles         []string
	ImportMap       map[string]string
	Standard        bool
	Error           *struct{ Err string }
}

// Load type-checks packages in the module of dir, and their imports. It checks function
// bodies only in packages below the path bodies. If bodies is "", it checks no bodies.
func Load(dir, bodies string, patterns ...string) (*Loaded, error) {
	cmd := exec.Command("go", append([]string{"list", "-e", "-deps", "-json=Dir,ImportPath,GoFiles,ImportMap,Standard,Error", "--"}, patterns...)...)
	cmd.Dir = dir
	// Without cgo, go list leaves out files that need cgo. Other files declare the same
	// names.
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing %s: %w\n%s", strings.Join(patterns, " "), err, &stderr)
	}
	l := &Loaded{Packages: map[string]*types.Package{"unsafe": types.Unsafe}, Errors: map[string][]error{}}
	fset := token.NewFileSet()
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return l, nil
		} else if err != nil {
			return nil, fmt.Errorf("reading the output of go list: %w", err)
		}
		if p.ImportPath != "unsafe" {
			l.check(fset, p, bodies)
		}
	}
}

// Lookup returns a declaration, or nil.
func (l *Loaded) Lookup(pkg, name string) types.Object {
	if p := l.Packages[pkg]; p != nil {
		return p.Scope().Lookup(name)
	}
	return nil
}

// split splits PACKAGE.NAME at the last dot.
func split(id string) (pkg, name string) {
	dot := strings.LastIndexByte(id, '.')
	return id[:dot], id[dot+1:]
}

// check type-checks one package. Its imports must have been checked before.
func (l *Loaded) check(fset *token.FileSet, p listed, bodies string) {
	if p.Error != nil {
		l.Errors[p.ImportPath] = append(l.Errors[p.ImportPath], errors.New(p.Error.Err))
	}
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			l.Errors[p.ImportPath] = append(l.Errors[p.ImportPath], err)
		}
		if f != nil {
			files = append(files, f)
		}
	}
	conf := types.Config{
		Importer:         importer{l.Packages, p.ImportMap},
		IgnoreFuncBodies: bodies == "" || !strings.HasPrefix(p.ImportPath+"/", bodies+"/"),
		FakeImportC:      true,
		Error:            func(err error) { l.Errors[p.ImportPath] = append(l.Errors[p.ImportPath], err) },
	}
	l.Packages[p.ImportPath], _ = conf.Check(p.ImportPath, fset, files, nil)
}

type importer struct {
	packages map[string]*types.Package
	rename   map[string]string
}

func (i importer) Import(path string) (*types.Package, error) {
	if to, ok := i.rename[path]; ok {
		path = to
	}
	if p := i.packages[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("package %s is not loaded", path)
}
