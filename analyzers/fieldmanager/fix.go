package fieldmanager

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"github.com/kubevet/kubevet/analyzers/internal/owner"
	"github.com/kubevet/kubevet/analyzers/internal/writeoptions"
	"github.com/kubevet/kubevet/analyzers/programs"
	"golang.org/x/tools/go/analysis"
)

// warning is part of the message of every fix, because the fix changes the name that the
// server records.
const warning = "; objects keep the entries of the old name in managedFields, which can cause conflicts with applies: see the rule's page before you rename"

// fix has the two ways in which a fix can make a client name a field manager. One of
// them may be nil.
type fix struct {
	// owner sets the FieldOwner of the client.
	owner *analysis.SuggestedFix
	// agent sets the user agent of the client's configuration, for the clients in code
	// that are built from the same variable.
	agent *analysis.SuggestedFix
	code  span
	// config is the variable, or nil.
	config types.Object
}

type span struct{ from, to token.Pos }

// signClient returns the fix that makes the client that a call builds name a field
// manager. config is the argument with the configuration, and k has the options. Either
// may be nil. The name is the program's constant for the manager, or else the one that
// programName returns. signClient returns nil if there is no such name, or no place to
// set it.
func signClient(pass *analysis.Pass, calls []*apicall.Call, call *ast.CallExpr, config ast.Expr, k *apicall.Construction) *fix {
	name, ok := owner.Find(pass, call.Pos(), calls)
	if !ok {
		if name, ok = programName(pass); !ok {
			return nil
		}
	}
	f := new(fix)
	if k != nil && k.Family == apicall.Runtime {
		if edits := fieldOwner(pass, k, name); len(edits) > 0 {
			f.owner = &analysis.SuggestedFix{Message: "Set FieldOwner to " + name.Expr + warning, TextEdits: edits}
		}
	}
	if edits, code := userAgent(pass, call, config, name); len(edits) > 0 {
		f.agent = &analysis.SuggestedFix{Message: "Begin the user agent with " + name.Expr + warning, TextEdits: edits}
		f.code = code
		if id, ok := ast.Unparen(config).(*ast.Ident); ok {
			f.config = pass.TypesInfo.Uses[id]
		}
	}
	if f.owner == nil && f.agent == nil {
		return nil
	}
	return f
}

// programName returns a field manager for the program whose code the package is. It is
// the last element of the module's path. If the module has several programs, the name of
// the binary follows. programName returns false if the name is generic, if several
// programs use the package, or if two programs of the module would have one name.
func programName(pass *analysis.Pass) (owner.Name, bool) {
	name := programs.Base(moduleOf(pass))
	if name == "." || programs.Generic(name) || len(pass.Files) == 0 {
		return owner.Name{}, false
	}
	users, others, ok := programs.Users(filepath.Dir(pass.Fset.File(pass.Files[0].FileStart).Name()))
	switch {
	case !ok, len(users) > 1, len(users) == 0 && len(others) > 0:
		return owner.Name{}, false
	case len(others) > 0:
		binary := programs.Of(users[0], filepath.ToSlash(users[0])).Text
		if binary == "" || slices.Contains(others, binary) {
			return owner.Name{}, false
		}
		if name != binary && !strings.HasSuffix(name, "-"+binary) {
			name += "-" + binary
		}
	}
	if len(writeoptions.FieldManager(name)) > 0 {
		return owner.Name{}, false
	}
	return owner.Name{Expr: strconv.Quote(name), Value: name}, true
}

// signAll joins the fixes of all clients of a program into one fix. program is the import
// path of package main, or "" for a library. The fix leaves out clients without writes
// in other packages, unless the whole program uses them.
func signAll(clients []*client, program string) *analysis.SuggestedFix {
	// A client without a fix has a configuration that other code makes. Only a user agent
	// reaches this client.
	agents := slices.ContainsFunc(clients, func(c *client) bool { return len(c.writes) > 0 && c.fix == nil })
	var all *analysis.SuggestedFix
	var done []*fix
	ordered := slices.SortedStableFunc(slices.Values(clients), func(a, b *client) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.pos, b.pos))
	})
	for _, c := range ordered {
		if c.fix == nil || len(c.writes) == 0 && c.Package != program && c.rank() > 0 {
			continue
		}
		one := c.fix.owner
		if one == nil || agents && c.fix.agent != nil {
			one = c.fix.agent
			if c.fix.config != nil && slices.ContainsFunc(done, func(f *fix) bool {
				return f.config == c.fix.config && f.code.from <= c.pos && c.pos < f.code.to
			}) {
				continue
			}
			done = append(done, c.fix)
		}
		edits := slices.DeleteFunc(slices.Clone(one.TextEdits), func(e analysis.TextEdit) bool {
			return all != nil && slices.ContainsFunc(all.TextEdits, func(o analysis.TextEdit) bool {
				return e.Pos == o.Pos && e.End == o.End && bytes.Equal(e.NewText, o.NewText) // both fixes add the same import
			})
		})
		if all == nil {
			all = &analysis.SuggestedFix{Message: one.Message}
		} else if overlap(all.TextEdits, edits) {
			continue // the edits overlap, so the next run fixes this client
		}
		all.TextEdits = append(all.TextEdits, edits...)
	}
	return all
}

// overlap reports whether two fixes change the same text. Two insertions at one place,
// such as two imports, do not overlap.
func overlap(a, b []analysis.TextEdit) bool {
	for _, x := range a {
		for _, y := range b {
			if x.Pos < y.End && y.Pos < x.End {
				return true
			}
		}
	}
	return false
}

// ownerField reports whether the options of a controller-runtime client have a field
// FieldOwner, which exists since 0.23.
func ownerField(k *apicall.Construction) bool {
	if k.Func == nil {
		return false
	}
	params := k.Func.Signature().Params()
	for i := range params.Len() {
		t := params.At(i).Type()
		if hasField(t, "FieldOwner") || hasField(fieldType(t, "Client"), "FieldOwner") {
			return true
		}
	}
	return false
}

// fieldOwner returns the edits that set FieldOwner in client.Options{…}, or in the
// field Client of a manager's options. It returns nil if there is no such literal.
func fieldOwner(pass *analysis.Pass, k *apicall.Construction, name owner.Name) []analysis.TextEdit {
	lit := structLiteral(k.Options)
	if lit == nil {
		return nil
	}
	t := pass.TypesInfo.TypeOf(lit)
	if hasField(t, "FieldOwner") {
		return owner.Field(pass, lit, "FieldOwner", name.Expr)
	}
	options := fieldType(t, "Client")
	if !hasField(options, "FieldOwner") {
		return nil
	}
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return nil
		}
		if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Client" {
			if inner := structLiteral(kv.Value); inner != nil {
				return owner.Field(pass, inner, "FieldOwner", name.Expr)
			}
			return nil
		}
	}
	named, ok := types.Unalias(options).(*types.Named)
	f := edit.Open(pass, lit.Pos())
	if !ok || f == nil {
		return nil
	}
	pkg, edits, ok := f.Import(lit.Pos(), edit.Unvendored(named.Obj().Pkg().Path()), "client")
	if !ok {
		return nil
	}
	field := owner.Field(pass, lit, "Client", pkg+"."+named.Obj().Name()+"{FieldOwner: "+name.Expr+"}")
	if len(field) == 0 {
		return nil
	}
	return append(edits, field...)
}

// structLiteral returns a struct literal, with or without & before it. It returns nil
// for other expressions.
func structLiteral(e ast.Expr) *ast.CompositeLit {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	lit, _ := e.(*ast.CompositeLit)
	return lit
}

// hasField reports whether a struct, or the struct to which a pointer points, has a
// field with this name.
func hasField(t types.Type, name string) bool { return fieldType(t, name) != nil }

// fieldType returns the type of a field of a struct, or of the struct to which a
// pointer points. It returns nil if there is no such field.
func fieldType(t types.Type, name string) types.Type {
	if t == nil {
		return nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range s.Fields() {
		if f.Name() == name {
			return f.Type()
		}
	}
	return nil
}
