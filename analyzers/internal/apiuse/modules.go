package apiuse

import (
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/kubevet/kubevet/rules/lifecycle"
	"golang.org/x/tools/go/analysis"
)

// clientModules are the modules whose version shows for which minor a program was written.
var clientModules = []string{"k8s.io/client-go", "k8s.io/api", "k8s.io/apimachinery"}

// modules returns the Kubernetes modules with which a package is built. An
// analysis.Pass does not list them, so modules examines the names of their files. In
// the module cache and in builds with -trimpath, the name of a directory contains the
// version. For a vendor directory, modules reads the version from modules.txt.
func modules(pass *analysis.Pass) []lifecycle.Module {
	found := map[string]lifecycle.Module{}
	seen := map[*types.Package]bool{}
	var visit func(p *types.Package)
	visit = func(p *types.Package) {
		if seen[p] || found[clientModules[0]].Path != "" {
			return
		}
		seen[p] = true
		path := unvendored(p.Path())
		for _, module := range clientModules {
			if found[module].Path == "" && strings.HasPrefix(path, module+"/") {
				if m, ok := moduleAt(module, fileOf(pass.Fset, p)); ok {
					found[module] = m
				}
			}
		}
		for _, imported := range p.Imports() {
			visit(imported)
		}
	}
	visit(pass.Pkg)
	var all []lifecycle.Module
	for _, m := range found {
		all = append(all, m) // the order does not matter
	}
	return all
}

// fileOf returns the name of a file of a package, with slashes, or "".
func fileOf(fset *token.FileSet, p *types.Package) string {
	for _, name := range p.Scope().Names() {
		if pos := p.Scope().Lookup(name).Pos(); pos.IsValid() {
			return filepath.ToSlash(fset.PositionFor(pos, false).Filename)
		}
	}
	return ""
}

// moduleAt returns the version of a module, or of the module that replaces it. It uses
// the name of one of the module's files. It returns false if the name does not lead to
// a version.
func moduleAt(module, file string) (lifecycle.Module, bool) {
	if i := strings.LastIndex(file, "@v"); i >= 0 {
		path, version := file[:i], file[i+1:]
		version, _, _ = strings.Cut(version, "/")
		if path == module || strings.HasSuffix(path, "/"+module) {
			return lifecycle.Module{Path: module, Version: version}, true
		}
		return lifecycle.Module{Path: module, Replacement: path, ReplacementVersion: version}, true
	}
	root, _, ok := strings.Cut(file, "/vendor/"+module+"/")
	if !ok {
		return lifecycle.Module{}, false
	}
	list, err := os.Open(filepath.Join(filepath.FromSlash(root), "vendor", "modules.txt"))
	if err != nil {
		return lifecycle.Module{}, false
	}
	defer list.Close()
	text, err := io.ReadAll(io.LimitReader(list, maxVendorList))
	if err != nil {
		return lifecycle.Module{}, false
	}
	return vendoredModule(module, string(text))
}

// maxVendorList is the number of bytes of vendor/modules.txt that are read.
const maxVendorList = 4 << 20

// vendoredModule returns the version of a module in the text of vendor/modules.txt. The
// text has lines such as "# k8s.io/client-go v0.31.2" and "# k8s.io/client-go v0.31.2 =>
// example.com/client-go v0.31.3".
func vendoredModule(module, text string) (lifecycle.Module, bool) {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "#" || words[1] != module || words[2] == "=>" {
			continue
		}
		m := lifecycle.Module{Path: module, Version: words[2]}
		if len(words) > 4 && words[3] == "=>" {
			m.Replacement = words[4]
		}
		if len(words) > 5 {
			m.ReplacementVersion = words[5]
		}
		return m, true
	}
	return lifecycle.Module{}, false
}
