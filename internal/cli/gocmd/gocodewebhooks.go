package gocmd

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// These limits bound the search for webhooks in Go files. Modules that people write by
// hand are far below them.
const (
	maxGoFile  = 1 << 20
	maxGoFiles = 20_000
)

// registrationPath is the import path of the package that defines webhook configurations.
const registrationPath = "k8s.io/api/admissionregistration/v1"

// codeWebhooks returns the webhooks that the Go code of a module defines with their side
// effects, as items for the option webhookOption. A program that creates its webhook
// configurations itself does not use manifests from controller-gen.
func codeWebhooks(root string, name func(string) string) (all []string) {
	files := 0
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d == nil {
			return nil // files that cannot be read are skipped
		}
		switch base := d.Name(); {
		case d.IsDir():
			if path != root && (base == "vendor" || base == "testdata" || base == "node_modules" ||
				strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || isModule(path)) {
				return filepath.SkipDir
			}
		case d.Type().IsRegular() && strings.HasSuffix(base, ".go") && !strings.HasSuffix(base, "_test.go"):
			if files++; files > maxGoFiles {
				return filepath.SkipAll
			}
			if info, err := d.Info(); err == nil && info.Size() <= maxGoFile {
				all = append(all, fileWebhooks(path, name(path))...)
			}
		}
		return nil
	})
	return all
}

func isModule(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil && info.Mode().IsRegular()
}

// fileWebhooks is like codeWebhooks, for one file.
func fileWebhooks(path, name string) (all []string) {
	data, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(data, []byte(strconv.Quote(registrationPath))) || !bytes.Contains(data, []byte("SideEffects:")) {
		return nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, data, parser.SkipObjectResolution)
	if err != nil || strings.ContainsAny(name, "|,") {
		return nil
	}
	imported := importName(file, registrationPath)
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		one, each := literalKind(lit.Type, imported)
		if one != "" {
			if at := sideEffectsOf(lit); at.IsValid() {
				all = append(all, fmt.Sprintf("%s||code||%s:%d", one, name, fset.Position(at).Line))
			}
		}
		if each != "" {
			for _, elt := range lit.Elts {
				hook, ok := elt.(*ast.CompositeLit)
				if !ok || hook.Type != nil {
					continue // an element with a type is visited separately
				}
				if at := sideEffectsOf(hook); at.IsValid() {
					all = append(all, fmt.Sprintf("%s||code||%s:%d", each, name, fset.Position(at).Line))
				}
			}
		}
		return true
	})
	return all
}

// importName returns the name that a file uses for a package, or "" if the file does not
// import it.
func importName(file *ast.File, path string) string {
	for _, spec := range file.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil && p == path {
			if spec.Name != nil {
				return spec.Name.Name
			}
			return "v1"
		}
	}
	return ""
}

// literalKind returns the kind of webhook, "validating" or "mutating", for the type of a
// composite literal. one is the kind of the literal. each is the kind of its elements, if
// the type is a slice. Both are "" for other types. imported is the name that the file
// uses for the package with the types of webhooks.
func literalKind(typ ast.Expr, imported string) (one, each string) {
	if slice, ok := typ.(*ast.ArrayType); ok {
		one, _ = literalKind(slice.Elt, imported)
		return "", one
	}
	sel, ok := typ.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	if x, ok := sel.X.(*ast.Ident); !ok || x.Name != imported {
		return "", ""
	}
	switch sel.Sel.Name {
	case "ValidatingWebhook":
		return "validating", ""
	case "MutatingWebhook":
		return "mutating", ""
	}
	return "", ""
}

// sideEffectsOf returns the position where a webhook's literal sets its side effects, or
// token.NoPos.
func sideEffectsOf(hook *ast.CompositeLit) token.Pos {
	for _, elt := range hook.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, ok := kv.Key.(*ast.Ident)
		if value, named := kv.Value.(*ast.Ident); ok && key.Name == "SideEffects" && (!named || value.Name != "nil") {
			return kv.Pos()
		}
	}
	return token.NoPos
}
