package fieldmanager

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"github.com/kubevet/kubevet/analyzers/programs"
	"golang.org/x/tools/go/analysis"
)

// goClient is the field manager of requests from a rest.RESTClient whose configuration
// has no user agent. Go's HTTP client then sends its own name as user agent.
const goClient = "Go-http-client"

// maxClients and maxWrites limit the clients and the writes that a finding lists.
const (
	maxClients = 10
	maxWrites  = 20
)

// perProgram exports the facts about a package. If the package is a program, it reports the
// program instead.
func perProgram(pass *analysis.Pass, packages bool) {
	result := pass.ResultOf[apicall.Analyzer].(*apicall.Result)
	if !result.Relevant || scope.ForTests(pass) {
		return
	}
	all := inherited(pass)
	own := collect(pass, result)
	sites := append(slices.Clone(own), all.Sites...)
	if len(sites) == 0 {
		return
	}
	g := newGraph(pass, result.SSA(), own)
	r := g.solve(sites)
	if main := mainOf(pass); main != nil {
		if broken(pass) {
			return
		}
		roots := append(slices.Clone(g.started), pass.TypesInfo.Defs[main.Name])
		reportProgram(pass, main, r.sitesIn(r.from(roots, all.Started)))
		return
	}
	export(pass, sites, g, r, all.Started)
	if packages {
		reportPackage(pass, own)
	} else if writes, _ := certainlyUnsigned(all.Sites); len(writes) == 0 {
		reportLibrary(pass, own)
	}
}

// sitesIn returns the sites in a set.
func (r *reachable) sitesIn(s set) []*site {
	var list []*site
	for _, n := range s.numbers() {
		list = append(list, r.sites[n])
	}
	return list
}

// broken reports whether the package has a syntax error. The parser drops code after
// the error, and this code may name a manager.
func broken(pass *analysis.Pass) bool {
	return slices.ContainsFunc(pass.TypeErrors, func(err types.Error) bool { return strings.HasPrefix(err.Msg, intact.SyntaxError) })
}

// mainOf returns the function main of a program. It returns nil for other packages.
func mainOf(pass *analysis.Pass) *ast.FuncDecl {
	if pass.Pkg.Name() != "main" {
		return nil
	}
	for _, f := range pass.Files {
		if scope.Of(pass).Skipped(f.FileStart) && !ast.IsGenerated(f) {
			continue
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "main" {
				return fn
			}
		}
	}
	return nil
}

// client is a client that a program builds, and the writes through it that name no
// manager.
type client struct {
	*site
	writes []*site
}

// unsignedWrites returns the writes for which nothing names a manager, and the clients
// that name none. Clients are in descending order of their writes. The client of a
// write may be unknown.
//
// A write whose client is not known, or whose client's configuration is not known,
// counts only if the program sets no user agent. If its client may have a field owner,
// the write counts only if the program also sets no owner.
func unsignedWrites(sites []*site) (writes []*site, clients []*client) {
	byID := map[uint64]*client{}
	agent, owner := false, false
	for _, s := range sites {
		switch s.Kind {
		case anAgent:
			agent = true
		case anOwner:
			owner = true
		case aClient:
			c := &client{site: s}
			byID[s.id] = c
			if !s.Named {
				clients = append(clients, c)
			}
		}
	}
	for _, w := range sites {
		if w.Kind != aWrite {
			continue
		}
		c := byID[w.Client]
		proven := c != nil && c.Unsigned
		if c != nil && c.Named || !proven && (agent || owner && canHaveOwner(w.Family)) {
			continue
		}
		writes = append(writes, w)
		if c == nil {
			c = likeliest(clients, w)
		}
		if c != nil {
			c.writes = append(c.writes, w)
		}
	}
	if agent {
		// Code of the program sets a user agent, so keep only the clients that certainly have
		// none.
		clients = slices.DeleteFunc(clients, func(c *client) bool { return !c.Unsigned })
	}
	slices.SortStableFunc(clients, func(a, b *client) int {
		return cmp.Or(cmp.Compare(len(b.writes), len(a.writes)), cmp.Compare(a.rank(), b.rank()))
	})
	return writes, clients
}

// canHaveOwner reports whether clients of a family can have a field owner.
func canHaveOwner(f apicall.Family) bool {
	switch f {
	case apicall.Runtime, apicall.RuntimeSubresource, apicall.CreateOr, apicall.Wrapper:
		return true
	}
	return false
}

// likeliest guesses which client makes a write whose client is not known. It prefers,
// in this order, clients that have the called method, clients with a low rank, and
// clients of the write's package.
func likeliest(clients []*client, w *site) *client {
	var best *client
	score := func(c *client) int {
		n := 4 * c.rank()
		if c.Package != w.Package {
			n += 2
		}
		if !c.canCall(w) {
			n += 100
		}
		return n
	}
	for _, c := range clients {
		if best == nil || score(c) < score(best) {
			best = c
		}
	}
	return best
}

// rank orders clients for likeliest. It is 0 for clients that the whole program uses,
// and 3 for clients that are only used to elect a leader.
func (c *client) rank() int {
	switch {
	case c.Elects:
		return 3
	case c.Family == 0, c.Call == "NewManager", strings.HasSuffix(c.API, "/pkg/manager"), strings.HasSuffix(c.API, "/pkg/cluster"):
		return 0
	case c.Family == apicall.Helper:
		return 2
	}
	return 1
}

// canCall reports whether the client can have the method that w calls.
func (c *client) canCall(w *site) bool {
	switch {
	case c.Family == 0 || w.Family == apicall.Wrapper:
		return true
	case c.Family == apicall.Runtime:
		return canHaveOwner(w.Family)
	case c.Family == apicall.Typed && strings.Contains(c.API, "/injection/"):
		return w.Family == apicall.Typed
	case c.Family == apicall.Typed:
		// k8s.io/client-go/kubernetes builds the clients of
		// k8s.io/client-go/kubernetes/typed/core/v1.
		return w.Family == apicall.Typed && strings.HasPrefix(w.API+"/", c.API+"/")
	}
	return w.Family == c.Family
}

// reportProgram reports a program whose writes the API server records under a name that
// other programs share.
func reportProgram(pass *analysis.Pass, main *ast.FuncDecl, sites []*site) {
	writes, clients := unsignedWrites(sites)
	if len(writes) == 0 {
		return
	}
	dir := filepath.Dir(pass.Fset.File(main.Pos()).Name())
	if programs.Auxiliary(dir) {
		return
	}
	a := newAtlas(pass.Fset)
	manager := programs.Of(dir, edit.Unvendored(pass.Pkg.Path()))
	as := fmt.Sprintf("the field manager %q, the name of the binary, which other programs share", manager.Text)
	d := analysis.Diagnostic{Pos: main.Name.Pos(), End: main.Name.End()}
	fixText := "set UserAgent in the configuration of its clients"
	of := "of this program"
	switch {
	case len(clients) == 0:
	case clients[0].Ignored:
		return
	default:
		first := clients[0]
		if all(clients, func(c *client) bool {
			return len(c.writes) == 0 || c.Family == apicall.REST && c.Call != "NewBuilder" && strings.HasSuffix(c.API, "/rest")
		}) &&
			all(writes, func(w *site) bool { return w.Family == apicall.REST }) {
			manager.Text, as = goClient, fmt.Sprintf("the field manager %q, the user agent of Go's HTTP client", goClient)
		}
		fixText = first.fixText()
		if first.Package != pass.Pkg.Path() {
			of = fmt.Sprintf("of the program %q", relative(pass))
		}
		if pos, end := a.span(first.site); pos.IsValid() {
			d.Pos, d.End = pos, end
		}
		if f := signAll(clients, pass.Pkg.Path()); f != nil {
			d.SuggestedFixes = []analysis.SuggestedFix{*f}
		}
	}
	// A name that is not generic may be the program's own name.
	if manager.Text != goClient && !programs.Generic(manager.Text) || scope.Of(pass).Silent(id, main.Name.Pos()) {
		return
	}
	d.Message = fmt.Sprintf("the API server records %s %s%s under %s: %s", count(writes), of, uncounted(writes), as, fixText)
	if len(clients) > 0 {
		for _, c := range writing(clients[1:]) {
			if pos, end := a.span(c.site); pos.IsValid() {
				d.Related = append(d.Related, analysis.RelatedInformation{Pos: pos, End: end, Message: alsoUnsigned})
			}
		}
		// Writes of the reported client come first.
		mine := map[*site]bool{}
		for _, w := range clients[0].writes {
			mine[w] = true
		}
		slices.SortStableFunc(writes, func(x, y *site) int { return cmp.Compare(number(!mine[x]), number(!mine[y])) })
	}
	slices.SortStableFunc(writes, func(x, y *site) int {
		return cmp.Or(cmp.Compare(number(x.Generated), number(y.Generated)), cmp.Compare(number(x.Library), number(y.Library)))
	})
	d.Related = append(d.Related, related(a, writes)...)
	scope.Report(pass, d)
}

// alsoUnsigned is the message at the clients that a finding lists.
const alsoUnsigned = "this client names no field manager either"

// writing returns the clients that make writes, up to maxClients. The clients must be in
// descending order of their writes.
func writing(clients []*client) []*client {
	n := slices.IndexFunc(clients, func(c *client) bool { return len(c.writes) == 0 })
	if n < 0 {
		n = len(clients)
	}
	return clients[:min(n, maxClients)]
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func all[T any](list []T, ok func(T) bool) bool {
	return !slices.ContainsFunc(list, func(v T) bool { return !ok(v) })
}

// relative returns the path of the package below its module.
func relative(pass *analysis.Pass) string {
	path := edit.Unvendored(pass.Pkg.Path())
	if rest, ok := strings.CutPrefix(path, moduleOf(pass)+"/"); ok && moduleOf(pass) != "" {
		return rest
	}
	return path
}

// fixText returns the part of the message that says how to make a client name a
// manager.
func (c *client) fixText() string {
	switch {
	case c.OwnerField:
		return "set FieldOwner in its client.Options"
	case c.Configured:
	case strings.HasPrefix(c.API, "knative.dev/") || strings.Contains(c.API, "/injection/"):
		return "set UserAgent in the configuration, for example with sharedmain.MainWithConfig"
	case c.Family == apicall.Helper:
		return "call WithFieldManager on it"
	case c.Family == apicall.Runtime:
		return "set UserAgent in its configuration, or wrap the client with client.WithFieldOwner"
	}
	return "set UserAgent in its configuration"
}

// certainlyUnsigned returns the clients whose configurations certainly have no user
// agent, and the writes of these clients. The clients are in descending order of their
// writes.
func certainlyUnsigned(sites []*site) ([]*site, []*client) {
	sites = slices.DeleteFunc(slices.Clone(sites), func(s *site) bool {
		return s.Kind != aWrite && !(s.Kind == aClient && s.Unsigned) || s.Kind == aWrite && s.Client == 0
	})
	known := map[uint64]bool{}
	for _, s := range sites {
		known[s.id] = s.Kind == aClient
	}
	return unsignedWrites(slices.DeleteFunc(sites, func(s *site) bool { return s.Kind == aWrite && !known[s.Client] }))
}

// reportLibrary reports a package that builds its own clients, in a module without
// programs. Programs that use the package cannot name the manager of these clients.
func reportLibrary(pass *analysis.Pass, own []*site) {
	writes, clients := certainlyUnsigned(own)
	if len(writes) == 0 || clients[0].Ignored || !programs.Library(filepath.Dir(clients[0].File)) {
		return
	}
	d := analysis.Diagnostic{
		Pos: clients[0].pos, End: clients[0].end,
		Message: fmt.Sprintf("the API server records %s of this library under the name of the binary that uses it, which is not known here: %s", count(writes), clients[0].fixText()),
	}
	if f := signAll(clients, ""); f != nil {
		d.SuggestedFixes = []analysis.SuggestedFix{*f}
	}
	for _, c := range writing(clients[1:]) {
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: c.pos, End: c.end, Message: alsoUnsigned})
	}
	d.Related = append(d.Related, related(newAtlas(pass.Fset), writes)...)
	scope.Report(pass, d)
}

// reportPackage reports a package that writes without a field manager, and that is not a
// program.
func reportPackage(pass *analysis.Pass, own []*site) {
	agent := slices.ContainsFunc(own, func(s *site) bool { return s.Kind == anAgent || s.Kind == anOwner })
	writes := slices.DeleteFunc(slices.Clone(own), func(s *site) bool { return s.Kind != aWrite || s.Generated })
	if len(writes) == 0 || agent {
		return
	}
	scope.Report(pass, analysis.Diagnostic{
		Pos: writes[0].pos, End: writes[0].end,
		Message: fmt.Sprintf("%s of this package %s no field manager, so the API server records the name of the binary", count(writes), verb(writes, "names", "name")),
		Related: related(newAtlas(pass.Fset), writes),
	})
}

// related returns one entry for each write, up to maxWrites, and one entry with the
// number of the other writes.
func related(a *atlas, writes []*site) []analysis.RelatedInformation {
	var list []analysis.RelatedInformation
	for i, w := range writes {
		pos, end := a.span(w)
		if !pos.IsValid() {
			continue
		}
		if i == maxWrites && len(writes) > maxWrites+1 {
			return append(list, analysis.RelatedInformation{Pos: pos, End: end, Message: fmt.Sprintf("%s names no field manager, and neither do %d more writes", w.Call, len(writes)-maxWrites-1)})
		}
		list = append(list, analysis.RelatedInformation{Pos: pos, End: end, Message: w.Call + " names no field manager"})
	}
	return list
}

// count returns the number of writes as text. If the writes are in several packages,
// the text also says how many.
func count(writes []*site) string {
	packages := map[string]bool{}
	for _, w := range writes {
		packages[w.Package] = true
	}
	text := fmt.Sprintf("%d %s", len(writes), verb(writes, "write", "writes"))
	if len(packages) > 1 {
		text += fmt.Sprintf(" in %d packages", len(packages))
	}
	return text
}

// uncounted returns text about the writes in generated code and in other modules, or "" if
// there are none. The summary of a run does not count these writes.
func uncounted(writes []*site) string {
	generated, libraries := 0, 0
	for _, w := range writes {
		generated += number(w.Generated)
		libraries += number(w.Library)
	}
	var where string
	switch {
	case generated+libraries == 0:
		return ""
	case libraries == 0:
		where = "in generated code"
	case generated == 0:
		where = "in libraries"
	default:
		where = "in generated code and libraries"
	}
	if n := generated + libraries; n < len(writes) {
		return fmt.Sprintf(", %d of them %s,", n, where)
	}
	return ", " + where + ","
}

func verb(writes []*site, one, several string) string {
	if len(writes) == 1 {
		return one
	}
	return several
}
