// Package mixedmanager reports packages that write one kind of object in two ways: with
// server-side apply under one field manager, and with updates or patches under another
// manager or without one.
package mixedmanager

import (
	"cmp"
	"fmt"
	"go/constant"
	"go/types"
	"slices"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
)

const id = "mixedmanager"

// Analyzer implements the rule mixedmanager.
var Analyzer = &analysis.Analyzer{
	Name:             id,
	Doc:              scope.Doc(id),
	URL:              scope.URL(id),
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer, apicall.Analyzer},
	Run:              intact.Run(run),
	RunDespiteErrors: true,
}

// target is what a write changes: a kind of object and a subresource. A write of the
// status sets other fields than a write of the object.
type target struct{ kind, subresource string }

// writes are the calls of a package that write one target.
type writes struct {
	target  target
	applies []*apicall.Call // with a constant manager
	others  []*apicall.Call // updates and patches
}

func run(pass *analysis.Pass) (any, error) {
	if code := intact.Of(pass); len(code.Skipped) > 0 || code.Unparsed() {
		return nil, nil // an apply with the same manager may be missing
	}
	for _, w := range byTarget(pass, pass.ResultOf[apicall.Analyzer].(*apicall.Result).Calls) {
		if len(w.applies) == 0 {
			continue
		}
		var managers []string
		for _, c := range w.applies {
			managers = append(managers, constant.StringVal(c.FieldManager.Constant))
		}
		var found []*apicall.Call
		for _, c := range w.others {
			if c.FieldManager.Constant == nil || !slices.Contains(managers, constant.StringVal(c.FieldManager.Constant)) {
				found = append(found, c)
			}
		}
		if len(found) > 0 {
			report(pass, w, found, managers[0])
		}
	}
	return nil, nil
}

// byTarget groups calls by target, in order of position. It leaves out calls whose kind of
// object is not known.
func byTarget(pass *analysis.Pass, calls []*apicall.Call) []*writes {
	index := map[target]*writes{}
	var list []*writes
	for _, c := range calls {
		kind := kindOf(c)
		if c.Fake || kind == "" || scope.Of(pass).Skipped(c.Pos()) {
			continue
		}
		t := target{kind, c.Subresource}
		w := index[t]
		if w == nil {
			w = &writes{target: t}
			index[t] = w
			list = append(list, w)
		}
		named := c.FieldManager.Constant != nil && c.FieldManager.Constant.Kind() == constant.String && !c.FieldManager.Empty()
		switch c.Verb {
		case apicall.VerbApply:
			if named {
				w.applies = append(w.applies, c)
			}
		case apicall.VerbUpdate, apicall.VerbPatch, apicall.VerbCreateOrUpdate, apicall.VerbCreateOrPatch:
			// A client from another package may have a field manager that is not
			// known here. The call then counts as unnamed, unless its own options
			// name a manager.
			unnamed := c.FieldManager.Empty() || c.FieldManager.State == apicall.Unknown && c.Own.FieldManager.Empty()
			if named || unnamed {
				w.others = append(w.others, c)
			}
		}
	}
	return list
}

// kindOf returns the kind of object that a call writes, or "" if it is not known. A Go type
// and its apply configuration have the same kind.
func kindOf(c *apicall.Call) string {
	if anyKind(c.ObjectType) {
		return ""
	}
	if c.GVK.Kind != "" {
		return c.GVK.Group + "/" + c.GVK.Kind
	}
	named, ok := types.Unalias(c.ObjectType).(*types.Named)
	if !ok || types.IsInterface(named) || named.Obj().Pkg() == nil {
		return ""
	}
	return types.TypeString(named, nil)
}

// anyKind reports whether values of a type may be objects of different kinds. The type
// is Unstructured, or embeds it.
func anyKind(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	if named.Obj().Name() == "Unstructured" {
		return true
	}
	s, ok := named.Underlying().(*types.Struct)
	return ok && s.NumFields() > 0 && s.Field(0).Embedded() && anyKind(s.Field(0).Type())
}

func report(pass *analysis.Pass, w *writes, found []*apicall.Call, manager string) {
	first := found[0]
	with := "no field manager"
	if v := first.FieldManager.Constant; v != nil && constant.StringVal(v) != "" {
		with = fmt.Sprintf("field manager %q", constant.StringVal(v))
	}
	d := analysis.Diagnostic{
		Pos: first.Pos(), End: first.End(),
		Message: fmt.Sprintf("%s is written here with %s, and applied with %q elsewhere in the package: each keeps the other's fields from being removed",
			label(w, first), with, manager),
	}
	for _, c := range w.applies {
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: c.Pos(), End: c.End(), Message: "applied here"})
	}
	for _, c := range found[1:] {
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: c.Pos(), End: c.End(), Message: "also written here"})
	}
	slices.SortStableFunc(d.Related, func(a, b analysis.RelatedInformation) int { return cmp.Compare(a.Pos, b.Pos) })
	scope.Report(pass, d)
}

// label returns the kind and the subresource of the target for the message.
func label(w *writes, c *apicall.Call) string {
	name := c.GVK.Kind
	if named, ok := types.Unalias(c.ObjectType).(*types.Named); ok && name == "" {
		name = named.Obj().Name()
	}
	if w.target.subresource != "" {
		name += "/" + w.target.subresource
	}
	return name
}
