package fieldmanager

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
)

// group is the clients of a package that share one configuration: a fix of one
// fixes all.
type group struct {
	built []*apicall.Construction // not empty, in order of position
	took  []write
}

// perClient reports every configuration whose clients write without a name.
func perClient(pass *analysis.Pass, packages bool) {
	result := pass.ResultOf[apicall.Analyzer].(*apicall.Result)
	if !result.Relevant || secondary(pass) {
		return
	}
	groups, owners := groupByConfig(pass, result)

	var open, proven []write // of clients from elsewhere
	open = inherited(pass)
	for _, c := range result.Calls {
		if !nameless(pass, c) || c.Client.UserAgent.State == apicall.Set {
			continue
		}
		w := newWrite(pass, c)
		switch {
		case c.Client.Built != nil:
			if g := owners[c.Client.Built]; g != nil {
				g.took = append(g.took, w)
			}
		case c.FieldManager.Empty() && c.Client.UserAgent.State == apicall.Unset:
			proven = append(proven, w)
		default:
			open = append(open, w)
		}
	}
	var left []write
	if len(open) > 0 {
		left = spread(pass, result, owners, open)
	}

	a := &atlas{fset: pass.Fset, files: map[string]*token.File{}}
	for _, g := range groups {
		if len(g.took) > 0 {
			reportClient(pass, a, result.Calls, g)
		}
	}
	if packages {
		for _, w := range left {
			if w.pos.IsValid() {
				proven = append(proven, w)
			}
		}
	}
	if len(proven) > 0 {
		slices.SortFunc(proven, func(a, b write) int { return cmp.Compare(a.pos, b.pos) })
		reportPackage(pass, a, proven)
	}
}

// groupByConfig groups the clients that provably have no name of their own.
// owners has every client that the package builds; those whose configuration
// is not known or that have a name belong to nobody.
func groupByConfig(pass *analysis.Pass, result *apicall.Result) (groups []*group, owners map[*apicall.Construction]*group) {
	owners = map[*apicall.Construction]*group{}
	byConfig := map[any]*group{}
	for _, k := range result.Constructions {
		if scope.Of(pass).Skipped(k.Pos()) {
			continue
		}
		owners[k] = nil
		config, agent := configOf(pass, result, k)
		if !k.FieldManager.Empty() || agent.State != apicall.Unset {
			continue
		}
		g := byConfig[config]
		if g == nil {
			g = &group{}
			groups = append(groups, g)
			byConfig[config] = g
		}
		g.built = append(g.built, k)
		owners[k] = g
	}
	return groups, owners
}

// configOf identifies the configuration of a client, with its user agent: by
// the variable that holds it, or else by the client that it is made for. A
// configuration that a manager is asked for is the manager's, where the package
// builds just one.
func configOf(pass *analysis.Pass, result *apicall.Result, k *apicall.Construction) (any, apicall.Setting) {
	if k.Config == nil {
		return k, k.UserAgent
	}
	if v := variable(pass.TypesInfo, k.Config); v != nil {
		return v, k.UserAgent
	}
	call, ok := ast.Unparen(k.Config).(*ast.CallExpr)
	if !ok || k.UserAgent.State != apicall.Unknown {
		return k, k.UserAgent
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "GetConfig" || !controllerRuntime(pass.TypesInfo.Uses[sel.Sel]) {
		return k, k.UserAgent
	}
	var manager *apicall.Construction
	for _, m := range result.Constructions {
		if m.Func != nil && (m.Func.Name() == "NewManager" || strings.HasSuffix(m.Func.FullName(), "/pkg/cluster.New") || strings.HasSuffix(m.Func.FullName(), "/pkg/manager.New")) {
			if manager != nil {
				return k, k.UserAgent
			}
			manager = m
		}
	}
	switch {
	case manager == nil || manager.Config == nil:
		return k, k.UserAgent
	case variable(pass.TypesInfo, manager.Config) != nil:
		return variable(pass.TypesInfo, manager.Config), manager.UserAgent
	}
	return manager, manager.UserAgent
}

// controllerRuntime reports whether something is declared by
// controller-runtime.
func controllerRuntime(obj types.Object) bool {
	return obj != nil && obj.Pkg() != nil && strings.HasPrefix(edit.Unvendored(obj.Pkg().Path()), "sigs.k8s.io/controller-runtime/")
}

// spread gives writes through clients from elsewhere to the clients that the
// package builds and that get there; it returns those that are left. A client
// gets to a write if it is handed on as far as that, and if the code that
// writes is called from where the client is. A write is settled without a
// finding where a client gets there that has a name or may have.
func spread(pass *analysis.Pass, result *apicall.Result, owners map[*apicall.Construction]*group, open []write) (left []write) {
	refs := newGraph(pass, result, open)
	clients := newFlow(pass, result, open)
	reached := map[*apicall.Construction]map[uint64]bool{}
	for k := range owners {
		reached[k] = map[uint64]bool{}
		t := clients.follow(clients.built[k.Expr.Lparen])
		if len(t.writes) == 0 {
			continue
		}
		for w := range refs.from(refs.roots(k, t)...) {
			reached[k][w] = t.writes[w]
		}
	}
	for _, w := range open {
		var taker *group
		settled := false
		for _, k := range result.Constructions {
			g, known := owners[k]
			if !known || !fits(k, w) || !reached[k][w.id()] {
				continue
			}
			settled = true
			if taker == nil {
				taker = g
			}
			if g == nil {
				taker = nil
				break
			}
		}
		switch {
		case taker != nil:
			taker.took = append(taker.took, w)
		case !settled:
			left = append(left, w)
		}
	}
	if pass.Pkg.Name() != "main" {
		refs.export(left)
		if len(left) > 0 {
			handOver(pass, left, clients.export(left))
		}
	}
	return left
}

// fits reports whether a client of the kind that k builds has the method that
// w calls.
func fits(k *apicall.Construction, w write) bool {
	switch k.Family {
	case apicall.Runtime:
		return w.Family == apicall.Runtime || w.Family == apicall.RuntimeSubresource || w.Family == apicall.CreateOr
	case apicall.Typed:
		// k8s.io/client-go/kubernetes builds what k8s.io/client-go/kubernetes/typed/core/v1 calls.
		return w.Family == apicall.Typed && k.Func != nil && k.Func.Pkg() != nil &&
			strings.HasPrefix(w.Client+"/", edit.Unvendored(k.Func.Pkg().Path())+"/")
	}
	return w.Family == k.Family
}

// reportClient tells of the clients of one configuration.
func reportClient(pass *analysis.Pass, a *atlas, calls []*apicall.Call, g *group) {
	first := g.built[0]
	d := analysis.Diagnostic{
		Pos: first.Pos(), End: first.Expr.Fun.End(),
		Message: fmt.Sprintf("%s through the %s built here %s no field manager, so the server signs with %s: %s",
			count(g.took), clients(g.built), names(g.took), madeUp(g.built), fixText(first)),
		SuggestedFixes: signClients(pass, calls, g),
	}
	for _, k := range g.built[1:] {
		d.Related = append(d.Related, analysis.RelatedInformation{
			Pos: k.Pos(), End: k.Expr.Fun.End(), Message: "this client has the same configuration",
		})
	}
	d.Related = append(d.Related, related(a, g.took)...)
	scope.Report(pass, d)
}

// reportPackage tells of a package whose clients come from elsewhere.
func reportPackage(pass *analysis.Pass, a *atlas, writes []write) {
	d := analysis.Diagnostic{
		Pos: writes[0].pos, End: writes[0].end,
		Message: fmt.Sprintf("%s of this package %s no field manager, so the server signs with the binary's name, taken from the user agent", count(writes), names(writes)),
		Related: related(a, writes),
	}
	scope.Report(pass, d)
}

// related lists the writes.
func related(a *atlas, writes []write) []analysis.RelatedInformation {
	var list []analysis.RelatedInformation
	for i, pos := range a.positions(writes) {
		if pos.IsValid() {
			w := writes[i]
			list = append(list, analysis.RelatedInformation{Pos: pos, End: max(w.end, pos), Message: w.Method + " names no field manager"})
		}
	}
	return list
}

// count is the number of writes, with their packages where there are several.
func count(writes []write) string {
	packages := map[string]bool{}
	for _, w := range writes {
		packages[w.Package] = true
	}
	text := fmt.Sprintf("%d writes", len(writes))
	if len(writes) == 1 {
		text = "one write"
	}
	if len(packages) > 1 {
		text += fmt.Sprintf(" in %d packages", len(packages))
	}
	return text
}

func clients(built []*apicall.Construction) string {
	if len(built) == 1 {
		return "client"
	}
	return "clients"
}

func names(writes []write) string {
	if len(writes) == 1 {
		return "names"
	}
	return "name"
}

// madeUp is the name that the server makes up for clients. Clients of a kind
// give their configuration the agent of client-go if it has none; a
// rest.RESTClient does not, and Go's own HTTP client fills in.
func madeUp(built []*apicall.Construction) string {
	for _, k := range built {
		if k.Family != apicall.REST {
			return "the binary's name, taken from the user agent"
		}
	}
	return `"Go-http-client", Go's own user agent`
}

// fixText returns, in one clause, how to fix a client.
func fixText(k *apicall.Construction) string {
	if k.Family == apicall.Runtime && ownerField(k) {
		return "set FieldOwner in its client.Options"
	}
	if k.Family == apicall.Helper {
		return "set it with WithFieldManager"
	}
	return "set UserAgent in its configuration, or FieldManager in the calls"
}
