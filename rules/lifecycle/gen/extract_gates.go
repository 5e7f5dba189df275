package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// gateFunctions matches the functions that add another package's gates to
// kube-apiserver's --feature-gates.
var gateFunctions = regexp.MustCompile(`^Add(Versioned)?Feature(s|Gates)(ToExistingFeatureGates)?$`)

// extractGates returns the gates that kube-apiserver knows, sorted by name,
// without gates that only other components know.
//
// It reads the features packages that are linked into kube-apiserver. It adds the
// gates that are registered in other ways (logging, client-go, zpages), and
// AllAlpha and AllBeta.
func extractGates(src sources, minor int) ([]gateFact, error) {
	e := gateExtractor{src: src, minor: minor, names: gateNames{src: src, packages: map[string]map[string]string{}}, gates: map[string]gateFact{}}
	owners := []string{
		modComponentBase + "/featuregate",
		modAPIServer + "/pkg/features",
		modAPIExtensions + "/pkg/features",
		modKubernetes + "/pkg/features",
	}
	queue := slices.Clone(owners)
	registrars := append(owners[1:], modKubernetes+"/cmd/kube-apiserver/app", modAPIServer+"/pkg/server")
	for _, path := range registrars {
		found, err := e.registered(path)
		if err != nil {
			return nil, err
		}
		queue = append(queue, found...)
	}
	seen := map[string]bool{}
	for _, path := range queue {
		if seen[path] {
			continue
		}
		seen[path] = true
		if err := e.packageGates(path); err != nil {
			return nil, err
		}
	}
	list := make([]gateFact, 0, len(e.gates))
	for _, g := range e.gates {
		list = append(list, g)
	}
	return sortedCompact(list, func(a, b gateFact) int { return cmp.Compare(a.Name, b.Name) }), nil
}

type gateExtractor struct {
	src   sources
	minor int
	names gateNames
	gates map[string]gateFact
}

// registered returns the packages whose gates the package at importPath
// registers.
func (e *gateExtractor) registered(importPath string) ([]string, error) {
	dir, _ := e.src.packageDir(importPath)
	p, err := parsePackage(dir)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, file := range p.files {
		known := imports(file)
		ast.Inspect(file, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if pkg, name, ok := selector(c.Fun); ok && gateFunctions.MatchString(name) && known[pkg] != "" {
				found = append(found, known[pkg])
			}
			return true
		})
	}
	return found, nil
}

// packageGates reads every table of gates in a package. A table is a composite
// literal of type map[Feature]FeatureSpec or map[Feature]VersionedSpecs.
func (e *gateExtractor) packageGates(importPath string) error {
	dir, ok := e.src.packageDir(importPath)
	if !ok {
		return fmt.Errorf("gates of an unknown package %q", importPath)
	}
	p, err := parsePackage(dir)
	if err != nil {
		return err
	}
	e.names.packages[importPath] = p.constants()
	for _, file := range p.files {
		known := imports(file)
		var failed error
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || failed != nil {
				return failed == nil
			}
			versioned, ok := gateTable(lit.Type)
			if !ok {
				return true
			}
			failed = e.table(importPath, known, lit, versioned)
			return false
		})
		if failed != nil {
			return fmt.Errorf("%s: %w", importPath, failed)
		}
	}
	return nil
}

// gateTable reports whether a type is a table of gates. versioned is set if each
// gate has one specification for each version.
func gateTable(t ast.Expr) (versioned, ok bool) {
	m, ok := t.(*ast.MapType)
	if !ok || typeName(m.Key) != "Feature" {
		return false, false
	}
	switch typeName(m.Value) {
	case "FeatureSpec":
		return false, true
	case "VersionedSpecs":
		return true, true
	}
	return false, false
}

// typeName returns the last part of a type name, which may be qualified. It
// returns "" for other types.
func typeName(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.SelectorExpr:
		return t.Sel.Name
	}
	return ""
}

// table reads the gates of one table. If versioned is set, each gate has a list
// of specifications.
func (e *gateExtractor) table(importPath string, known map[string]string, lit *ast.CompositeLit, versioned bool) error {
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			return fmt.Errorf("gate table without keys")
		}
		name, err := e.constant(importPath, known, kv.Key)
		if err != nil {
			return err
		}
		spec, ok := kv.Value.(*ast.CompositeLit)
		if !ok {
			return fmt.Errorf("gate %s: want a literal", name)
		}
		gate, ok, err := e.current(importPath, known, spec, versioned)
		if err != nil {
			return fmt.Errorf("gate %s: %w", name, err)
		}
		if !ok {
			continue // all specifications belong to later releases
		}
		gate.Name = name
		if old, ok := e.gates[name]; ok && old != gate {
			return fmt.Errorf("gate %s is registered twice, as %v and %v", name, old, gate)
		}
		e.gates[name] = gate
	}
	return nil
}

// current returns the specification that is valid at the release's minor: the
// last one whose version is not newer. ok is false if all are newer. Source:
// featureSpecAtEmulationVersion.
func (e *gateExtractor) current(importPath string, known map[string]string, lit *ast.CompositeLit, versioned bool) (gate gateFact, ok bool, err error) {
	specs := []ast.Expr{lit}
	if versioned {
		specs = lit.Elts
	}
	for _, s := range specs {
		spec, isLit := s.(*ast.CompositeLit)
		if !isLit {
			return gateFact{}, false, fmt.Errorf("want a literal")
		}
		g := gateFact{Stage: "GA"} // Kubernetes' value for the empty PreRelease
		since := 0
		for _, elt := range spec.Elts {
			kv, isKV := elt.(*ast.KeyValueExpr)
			if !isKV {
				return gateFact{}, false, fmt.Errorf("want named fields")
			}
			switch field := kv.Key.(*ast.Ident).Name; field {
			case "Default", "LockToDefault":
				v, err := e.constant(importPath, known, kv.Value)
				if err != nil {
					return gateFact{}, false, err
				}
				b, err := strconv.ParseBool(v)
				if err != nil {
					return gateFact{}, false, err
				}
				if field == "Default" {
					g.Default = b
				} else {
					g.Locked = b
				}
			case "PreRelease":
				g.Stage = typeName(kv.Value)
			case "Version":
				if since, err = specVersion(kv.Value); err != nil {
					return gateFact{}, false, err
				}
			case "MinCompatibilityVersion":
				// The minimum compatibility version is the release's own version,
				// unless a flag sets it.
			default:
				return gateFact{}, false, fmt.Errorf("unknown field %s", field)
			}
		}
		if since <= e.minor {
			gate, ok = g, true
		}
	}
	return gate, ok, nil
}

// specVersion returns the minor of an expression such as
// version.MustParse("1.31") or version.MajorMinor(1, 31). client-go and generic
// gates have the version 0.0 and the minor 0.
func specVersion(e ast.Expr) (int, error) {
	c, ok := e.(*ast.CallExpr)
	if !ok {
		return 0, fmt.Errorf("want a version")
	}
	lits := make([]string, 0, 2)
	for _, a := range c.Args {
		lit, ok := a.(*ast.BasicLit)
		if !ok {
			return 0, fmt.Errorf("want a literal version")
		}
		s := lit.Value
		if lit.Kind == token.STRING {
			s, _ = strconv.Unquote(s)
		}
		lits = append(lits, strings.Split(s, ".")...)
	}
	if len(lits) < 2 || lits[0] != "1" && lits[0] != "0" {
		return 0, fmt.Errorf("unexpected version %v", lits)
	}
	return strconv.Atoi(lits[1])
}

// constant returns the value of a constant of this package or of an imported
// package.
func (e *gateExtractor) constant(importPath string, known map[string]string, expr ast.Expr) (string, error) {
	switch x := expr.(type) {
	case *ast.BasicLit:
		return strconv.Unquote(x.Value)
	case *ast.Ident:
		if x.Name == "true" || x.Name == "false" {
			return x.Name, nil
		}
		return e.names.name(importPath, x.Name)
	case *ast.SelectorExpr:
		if pkg, name, ok := selector(x); ok {
			return e.names.name(known[pkg], name)
		}
	}
	return "", fmt.Errorf("want a constant")
}
