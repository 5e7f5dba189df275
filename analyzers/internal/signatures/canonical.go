package main

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"
)

// canonical writes a type as text, so that equal types of two releases have equal texts.
// Aliases are replaced by their targets, packages are written as paths, and parameters have
// no names.
type canonical struct {
	// moved has the former names of types that have moved, by their new names. A former
	// name may be an instance of a generic type.
	moved map[string]string
	// params has the names of the type parameters in scope.
	params map[*types.TypeParam]string
}

func (c canonical) typ(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		name := t.Obj().Name()
		if p := t.Obj().Pkg(); p != nil {
			name = p.Path() + "." + name
		}
		if old, ok := c.moved[name]; ok {
			name = old
		}
		if t.TypeArgs().Len() > 0 {
			var args []string
			for a := range t.TypeArgs().Types() {
				args = append(args, c.typ(a))
			}
			name += "[" + strings.Join(args, ",") + "]"
			if old, ok := c.moved[name]; ok {
				name = old
			}
		}
		return name
	case *types.Pointer:
		return "*" + c.typ(t.Elem())
	case *types.Slice:
		return "[]" + c.typ(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), c.typ(t.Elem()))
	case *types.Chan:
		return fmt.Sprintf("chan(%d) %s", t.Dir(), c.typ(t.Elem()))
	case *types.Map:
		return "map[" + c.typ(t.Key()) + "]" + c.typ(t.Elem())
	case *types.Signature:
		return "func" + c.signature(t)
	case *types.TypeParam:
		if name, ok := c.params[t]; ok {
			return name
		}
		return t.Obj().Name()
	case *types.Struct:
		var parts []string
		for f := range t.Fields() {
			parts = append(parts, f.Name()+" "+c.typ(f.Type()))
		}
		return "struct{" + strings.Join(parts, "; ") + "}"
	case *types.Interface:
		var parts []string
		for m := range t.Methods() {
			parts = append(parts, m.Name()+c.signature(m.Signature()))
		}
		for e := range t.EmbeddedTypes() {
			if _, union := e.(*types.Union); union {
				parts = append(parts, c.typ(e))
			}
		}
		slices.Sort(parts)
		return "interface{" + strings.Join(parts, "; ") + "}"
	case *types.Union:
		var parts []string
		for term := range t.Terms() {
			tilde := ""
			if term.Tilde() {
				tilde = "~"
			}
			parts = append(parts, tilde+c.typ(term.Type()))
		}
		return strings.Join(parts, " | ")
	default:
		return t.String()
	}
}

// scope returns a copy of c with more type parameters in scope. Their names are P0, P1, and
// so on.
func (c canonical) scope(lists ...*types.TypeParamList) canonical {
	params := map[*types.TypeParam]string{}
	for p, name := range c.params {
		params[p] = name
	}
	for _, list := range lists {
		for p := range list.TypeParams() {
			params[p] = fmt.Sprintf("P%d", len(params))
		}
	}
	c.params = params
	return c
}

func (c canonical) constraints(list *types.TypeParamList) string {
	if list.Len() == 0 {
		return ""
	}
	var parts []string
	for p := range list.TypeParams() {
		parts = append(parts, c.typ(p)+" "+c.typ(p.Constraint()))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (c canonical) signature(s *types.Signature) string {
	c = c.scope(s.RecvTypeParams(), s.TypeParams())
	var params, results []string
	for i := range s.Params().Len() {
		t := s.Params().At(i).Type()
		if slice, ok := types.Unalias(t).(*types.Slice); ok && s.Variadic() && i == s.Params().Len()-1 {
			params = append(params, "..."+c.typ(slice.Elem()))
		} else {
			params = append(params, c.typ(t))
		}
	}
	for v := range s.Results().Variables() {
		results = append(results, c.typ(v.Type()))
	}
	return c.constraints(s.TypeParams()) + "(" + strings.Join(params, ", ") + ") (" + strings.Join(results, ", ") + ")"
}

// members returns the declarations of a package-level name and of its members, by name
// without the package. name is the key of the package-level declaration.
func (c canonical) members(o types.Object, name string) map[string]string {
	switch o := o.(type) {
	case *types.Const:
		return map[string]string{name: "const " + c.typ(o.Type()) + " = " + o.Val().ExactString()}
	case *types.Var:
		return map[string]string{name: "var " + c.typ(o.Type())}
	case *types.Func:
		return map[string]string{name: "func " + c.signature(o.Signature())}
	}
	// An alias has the members of its target, because a type that moves to another
	// package often leaves an alias.
	named, ok := types.Unalias(o.Type()).(*types.Named)
	if !ok {
		return map[string]string{name: "type " + c.typ(o.Type())}
	}
	all := map[string]string{name: "type"}
	if named.TypeArgs() == nil { // not an alias of an instance
		c = c.scope(named.TypeParams())
		all[name] += c.constraints(named.TypeParams())
	}
	switch u := named.Underlying().(type) {
	case *types.Struct:
		all[name] += " struct"
		for i := range u.NumFields() {
			f, kind := u.Field(i), "field "
			if f.Embedded() {
				kind = "embedded "
			}
			all[name+"."+f.Name()] = kind + c.typ(f.Type())
			if json, ok := reflect.StructTag(u.Tag(i)).Lookup("json"); ok {
				// Encoders ignore "inline", which Kubernetes uses in its tags.
				all[name+"."+f.Name()] += " json:" + strings.TrimSuffix(json, ",inline")
			}
		}
	case *types.Interface:
		all[name] += " interface"
	default:
		all[name] += " " + c.typ(u)
	}
	// Promoted methods are members, too, because a method may move to an embedded type.
	set := types.NewMethodSet(named)
	for sel := range types.NewMethodSet(types.NewPointer(named)).Methods() {
		c.method(all, name, sel, set.Lookup(sel.Obj().Pkg(), sel.Obj().Name()) == nil)
	}
	for sel := range set.Methods() {
		c.method(all, name, sel, false)
	}
	return all
}

func (c canonical) method(all map[string]string, of string, sel *types.Selection, pointer bool) {
	m := sel.Obj().(*types.Func)
	kind := "method "
	if pointer {
		kind = "method of the pointer "
	}
	// The type of the selection contains the type arguments of the receiver.
	all[of+"."+m.Name()] = kind + c.signature(sel.Type().(*types.Signature))
}
