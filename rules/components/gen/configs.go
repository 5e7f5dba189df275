package main

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"os"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// configRoots are directories with one subdirectory for each version of a
// configuration file. component reads the file.
var configRoots = []struct{ root, component string }{
	{"k8s.io/apiserver/pkg/admission/plugin/webhook/config/apis/webhookadmission", "kube-apiserver"},
	{"k8s.io/apiserver/pkg/apis/apiserver", "kube-apiserver"},
	{"k8s.io/apiserver/pkg/apis/audit", "kube-apiserver"},
	{"k8s.io/apiserver/pkg/apis/config", "kube-apiserver"},
	{"k8s.io/controller-manager/config", "kube-controller-manager"},
	{"k8s.io/kube-proxy/config", "kube-proxy"},
	{"k8s.io/kube-scheduler/config", "kube-scheduler"},
	{"k8s.io/kubelet/config", "kubelet"},
	{modKubeadm + "/apis/kubeadm", "kubeadm"},
}

const modKubeadm = modKubernetes + "/cmd/kubeadm/app"

// configFact is a kind of configuration file in one release.
type configFact struct {
	Component, APIVersion, Kind string
	// Fields are the paths of the kind's fields, without list indices.
	Fields []string
	// File is the file that defines the kind, as a path in the repository of
	// Kubernetes.
	File string
}

var versionDir = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

func (l *loader) configs() ([]configFact, error) {
	var list []configFact
	for _, c := range configRoots {
		dir, ok := l.src.dir(c.root)
		if !ok {
			continue // only other releases have the directory
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if !e.IsDir() || !versionDir.MatchString(e.Name()) {
				continue
			}
			p, err := l.Import(c.root + "/" + e.Name())
			if err != nil {
				return nil, err
			}
			list = append(list, l.kinds(p, c.component)...)
		}
	}
	slices.SortFunc(list, func(a, b configFact) int {
		return cmp.Or(cmp.Compare(a.APIVersion, b.APIVersion), cmp.Compare(a.Kind, b.Kind))
	})
	return list, nil
}

// kinds returns the kinds in a package, which are its structs with a TypeMeta.
func (l *loader) kinds(p *types.Package, component string) (list []configFact) {
	group, ok := p.Scope().Lookup("GroupName").(*types.Const)
	if !ok {
		return nil
	}
	for _, name := range p.Scope().Names() {
		obj, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok || !obj.Exported() || strings.HasSuffix(name, "List") {
			continue
		}
		s, ok := obj.Type().Underlying().(*types.Struct)
		if !ok || !hasTypeMeta(s) {
			continue
		}
		f := configFact{
			Component: component, APIVersion: constant.StringVal(group.Val()) + "/" + path.Base(p.Path()), Kind: name,
			File: l.src.repositoryPath(l.fset.Position(obj.Pos()).Filename),
		}
		structFields(s, "", map[types.Type]bool{}, &f.Fields)
		slices.Sort(f.Fields)
		f.Fields = slices.Compact(f.Fields)
		list = append(list, f)
	}
	return list
}

func hasTypeMeta(s *types.Struct) bool {
	for f := range s.Fields() {
		if f.Embedded() && f.Name() == "TypeMeta" {
			return true
		}
	}
	return false
}

// structFields appends the paths of a struct's fields to *to. Types that do not
// belong to the configuration, such as metav1.Duration and v1.Taint, count as
// fields without subfields.
func structFields(s *types.Struct, prefix string, parents map[types.Type]bool, to *[]string) {
	if parents[s] {
		return
	}
	parents[s] = true
	defer delete(parents, s)
	for i := range s.NumFields() {
		f := s.Field(i)
		name, options, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("json"), ",")
		if name == "-" || f.Name() == "TypeMeta" {
			continue
		}
		inner, ok := configStruct(f.Type())
		if name == "" && (f.Embedded() || strings.Contains(options, "inline")) {
			if ok {
				structFields(inner, prefix, parents, to)
			}
			continue
		}
		if name == "" {
			name = f.Name()
		}
		*to = append(*to, prefix+name)
		if ok {
			structFields(inner, prefix+name+".", parents, to)
		}
	}
}

// configStruct returns the struct type of a field, or of the items of a list. ok
// is false for other types.
func configStruct(t types.Type) (_ *types.Struct, ok bool) {
	for {
		switch u := types.Unalias(t).(type) {
		case *types.Pointer:
			t = u.Elem()
		case *types.Slice:
			t = u.Elem()
		case *types.Named:
			if u.Obj().Pkg() == nil || strings.HasPrefix(u.Obj().Pkg().Path(), "k8s.io/apimachinery/") {
				return nil, false
			}
			t = u.Underlying()
		case *types.Struct:
			return u, true
		default:
			return nil, false
		}
	}
}

// kubeadmDeprecated returns the versions of kubeadm's configuration that kubeadm
// deprecates.
func (l *loader) kubeadmDeprecated() (list []string) {
	l.eachFile(modKubeadm+"/util/config", func(file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			a, ok := n.(*ast.AssignStmt)
			if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
				return true
			}
			if id, ok := a.Lhs[0].(*ast.Ident); ok && id.Name == "deprecatedAPIVersions" {
				list = append(list, stringKeys(a.Rhs[0])...)
			}
			return true
		})
	})
	return list
}

func (l *loader) kubeadmGates() (list []string) {
	texts := map[string]string{}
	l.eachFile(modKubeadm+"/features", func(file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			v, ok := n.(*ast.ValueSpec)
			if !ok || len(v.Names) != 1 || len(v.Values) != 1 {
				return true
			}
			switch x := v.Values[0].(type) {
			case *ast.BasicLit:
				if x.Kind == token.STRING {
					texts[v.Names[0].Name] = constant.StringVal(constant.MakeFromLiteral(x.Value, x.Kind, 0))
				}
			case *ast.CompositeLit:
				if v.Names[0].Name != "InitFeatureGates" {
					break
				}
				for _, e := range x.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						if id, ok := kv.Key.(*ast.Ident); ok {
							list = append(list, id.Name)
						}
					}
				}
			}
			return true
		})
	})
	for i, name := range list {
		if text := texts[name]; text != "" {
			list[i] = text
		}
	}
	slices.Sort(list)
	return list
}

func (l *loader) admissionPlugins() (list []string, err error) {
	p, err := l.Import(modKubernetes + "/pkg/kubeapiserver/options")
	if err != nil {
		return nil, err
	}
	lit := l.lists[p.Scope().Lookup("AllOrderedPlugins")]
	if lit == nil {
		return nil, errors.New("no list AllOrderedPlugins of admission plugins")
	}
	for _, e := range lit.Elts {
		v := l.info.Types[e].Value
		if v == nil {
			return nil, fmt.Errorf("an admission plugin whose name is no constant: %s", types.ExprString(e))
		}
		list = append(list, constant.StringVal(v))
	}
	slices.Sort(list)
	return list, nil
}

// eachFile calls do for each file of a package. The files are parsed but not
// type-checked.
func (l *loader) eachFile(importPath string, do func(*ast.File)) {
	dir, ok := l.src.dir(importPath)
	if !ok {
		return
	}
	files, _, err := l.parse(dir)
	if err != nil {
		return
	}
	for _, file := range files {
		do(file)
	}
}

func stringKeys(e ast.Expr) (keys []string) {
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	for _, elt := range lit.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.BasicLit); ok && key.Kind == token.STRING {
				keys = append(keys, constant.StringVal(constant.MakeFromLiteral(key.Value, key.Kind, 0)))
			}
		}
	}
	return keys
}
