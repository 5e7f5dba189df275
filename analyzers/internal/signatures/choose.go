package main

import (
	"fmt"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// stubber chooses the declarations of real packages for the stubs: the listed declarations,
// and the declarations that they mention.
type stubber struct {
	real  *Loaded
	list  *List
	older []*older
	table Differences
	moved map[string]string

	include map[string]map[string]bool // names to write, by package
	work    []types.Object
	denied  map[*types.TypeName]bool
	dropped map[string]int
}

// older is a release before the newest one.
type older struct {
	release string
	*Loaded
	members map[string]map[string]string // members of declarations, by PACKAGE.NAME
}

// before returns the releases before the newest one, in order.
func before(loaded map[string]*Loaded) []*older {
	var all []*older
	for _, release := range slices.Sorted(maps.Keys(loaded)) {
		if release != newest {
			all = append(all, &older{release: release, Loaded: loaded[release], members: map[string]map[string]string{}})
		}
	}
	return all
}

// lacks reports whether an older release does not have a declaration, or a member of it,
// and differences.txt does not list the difference.
func (s *stubber) lacks(pkg, name, member string) bool {
	for _, o := range s.older {
		id := pkg + "." + name
		there := id
		if old, ok := s.moved[id]; ok {
			there = old
		}
		members, ok := o.members[id]
		if !ok {
			if d := o.Lookup(split(there)); d != nil {
				members = canonical{}.members(d, name)
			}
			o.members[id] = members
		}
		if member != "" {
			id += "." + member
		}
		if _, ok := members[id[len(pkg)+1:]]; !ok && !s.table.Explain("since", o.release, id) {
			return true
		}
	}
	return false
}

// noise matches the names of methods that only encoders call.
var noise = regexp.MustCompile(`^(Marshal(To(SizedBuffer)?)?|Unmarshal|Size|Descriptor|ProtoMessage|Reset|SwaggerDoc|OpenAPI.*|XXX_.*|Marshal(JSON|CBOR|Text)|Unmarshal(JSON|CBOR|Text)|Fuzz|Swagger.*|JSONSchema.*|APILifecycle.*)$`)

// Stubs returns the Go file of each listed package, by import path.
//
// It leaves out declarations that mention a name that is not listed, and counts them in
// dropped by that name. It also leaves out declarations that an older release does not
// have, unless the table lists them.
func Stubs(real *Loaded, list *List, older []*older, table Differences) (files map[string][]byte, dropped map[string]int, err error) {
	s := &stubber{real: real, list: list, older: older, table: table, moved: table.Moved(), include: map[string]map[string]bool{}, denied: map[*types.TypeName]bool{}, dropped: map[string]int{}}
	var missing []string
	for _, p := range list.Packages {
		pkg := real.Packages[p.Path]
		if pkg == nil {
			return nil, nil, fmt.Errorf("no package %s", p.Path)
		}
		names := p.Names
		if slices.Contains(names, "*") {
			names = pkg.Scope().Names()
		}
		for _, name := range names {
			o := pkg.Scope().Lookup(name)
			if o == nil {
				return nil, nil, fmt.Errorf("%s has no %s", p.Path, name)
			}
			if all := slices.Contains(p.Names, "*"); !all || o.Exported() {
				if !all && s.lacks(p.Path, name, "") {
					missing = append(missing, p.Path+"."+name)
				}
				s.add(o)
				if !all && !s.include[p.Path][name] {
					missing = append(missing, p.Path+"."+name+" (for what it mentions: see -v)")
				}
			}
		}
	}
	if len(missing) > 0 {
		return nil, nil, fmt.Errorf("an older release does not have these: say so in differences.txt\n%s", strings.Join(missing, "\n"))
	}
	for len(s.work) > 0 {
		o := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		s.follow(o)
	}
	files = map[string][]byte{}
	for p, names := range s.include {
		src, err := s.file(real.Packages[p], slices.Sorted(maps.Keys(names)))
		if err != nil {
			return nil, nil, err
		}
		files[p] = src
	}
	return files, s.dropped, nil
}

func (s *stubber) add(o types.Object) {
	names := s.include[o.Pkg().Path()]
	if names == nil {
		names = map[string]bool{}
		s.include[o.Pkg().Path()] = names
	}
	if names[o.Name()] || !s.keepObject(o) {
		return
	}
	names[o.Name()] = true
	s.work = append(s.work, o)
}

// keepObject reports whether the stubs may contain a package-level declaration.
func (s *stubber) keepObject(o types.Object) bool {
	if s.list.Skipped(o.Pkg().Path(), o.Name()) || s.lacks(o.Pkg().Path(), o.Name(), "") {
		return false
	}
	if n, ok := o.(*types.TypeName); ok {
		return !s.deniedName(n)
	}
	return s.keep(o.Type())
}

// keep reports whether all names that a type mentions may be in the stubs. It counts the
// other names in dropped.
func (s *stubber) keep(t types.Type) bool {
	ok := true
	mentions(t, func(n *types.TypeName) {
		if s.deniedName(n) {
			ok = false
			if n.Pkg() != nil {
				s.dropped[n.Pkg().Path()+"."+n.Name()]++
			}
		}
	})
	return ok
}

func (s *stubber) deniedName(n *types.TypeName) bool {
	if n.Pkg() == nil {
		return false
	}
	if d, ok := s.denied[n]; ok {
		return d
	}
	s.denied[n] = false // during the computation, because a recursive type is allowed
	d := s.computeDenied(n)
	s.denied[n] = d
	return d
}

func (s *stubber) computeDenied(n *types.TypeName) bool {
	p := n.Pkg().Path()
	if !s.list.Stubbed(p) {
		return !s.list.Std[p]
	}
	if s.list.Skipped(p, n.Name()) || s.lacks(p, n.Name(), "") {
		return true
	}
	t := n.Type()
	if a, ok := t.(*types.Alias); ok {
		return !s.keep(a.Rhs())
	}
	switch u := t.Underlying().(type) {
	case *types.Struct, *types.Interface:
		return false // members can be left out
	default:
		return !s.keep(u)
	}
}

// mentions calls f for every named type that occurs in a type.
func mentions(t types.Type, f func(*types.TypeName)) {
	switch t := t.(type) {
	case *types.Alias:
		f(t.Obj())
		list(t.TypeArgs(), f)
	case *types.Named:
		f(t.Obj())
		list(t.TypeArgs(), f)
	case *types.Pointer:
		mentions(t.Elem(), f)
	case *types.Slice:
		mentions(t.Elem(), f)
	case *types.Array:
		mentions(t.Elem(), f)
	case *types.Chan:
		mentions(t.Elem(), f)
	case *types.Map:
		mentions(t.Key(), f)
		mentions(t.Elem(), f)
	case *types.Tuple:
		for v := range t.Variables() {
			mentions(v.Type(), f)
		}
	case *types.Signature:
		for p := range t.TypeParams().TypeParams() {
			mentions(p.Constraint(), f)
		}
		mentions(t.Params(), f)
		mentions(t.Results(), f)
	case *types.Struct:
		for v := range t.Fields() {
			mentions(v.Type(), f)
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			mentions(m.Type(), f)
		}
		for e := range t.EmbeddedTypes() {
			mentions(e, f)
		}
	case *types.Union:
		for e := range t.Terms() {
			mentions(e.Type(), f)
		}
	}
}

func list(args *types.TypeList, f func(*types.TypeName)) {
	for t := range args.Types() {
		mentions(t, f)
	}
}

// follow adds the declarations that a declaration needs.
func (s *stubber) follow(o types.Object) {
	need := func(t types.Type) {
		mentions(t, func(n *types.TypeName) {
			if n.Pkg() != nil && s.list.Stubbed(n.Pkg().Path()) {
				s.add(n)
			}
		})
	}
	n, ok := o.(*types.TypeName)
	if !ok {
		need(o.Type())
		return
	}
	if a, ok := n.Type().(*types.Alias); ok {
		need(a.Rhs())
		return
	}
	named := n.Type().(*types.Named)
	for p := range named.TypeParams().TypeParams() {
		need(p.Constraint())
	}
	switch u := named.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if s.keepField(n, f) {
				need(f.Type())
			}
		}
	case *types.Interface:
		for m := range u.ExplicitMethods() {
			if s.keepMethod(n, m) {
				need(m.Type())
			}
		}
		for e := range u.EmbeddedTypes() {
			if s.keep(e) {
				need(e)
			}
		}
	default:
		need(u)
	}
	for m := range named.Methods() {
		if s.keepMethod(n, m) {
			need(m.Type())
		}
	}
	for _, name := range o.Pkg().Scope().Names() {
		c, ok := o.Pkg().Scope().Lookup(name).(*types.Const)
		if ok && c.Exported() && types.Identical(c.Type(), named) {
			s.add(c)
		}
	}
}

func (s *stubber) keepField(of *types.TypeName, f *types.Var) bool {
	return (f.Exported() || f.Embedded()) && s.keep(f.Type()) && !s.lacks(of.Pkg().Path(), of.Name(), f.Name())
}

func (s *stubber) keepMethod(of *types.TypeName, m *types.Func) bool {
	return m.Exported() && !noise.MatchString(m.Name()) && s.keep(m.Type()) && !s.lacks(of.Pkg().Path(), of.Name(), m.Name())
}
