package apiuse

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"golang.org/x/tools/go/analysis"
)

// Rule describes the findings of a rule about API versions.
type Rule struct {
	// Minors returns the minors of the target for which the rule has a finding.
	Minors func(api lifecycle.API, t lifecycle.Target) lifecycle.Minors
	// AtMost returns the highest severity of a finding about the API. If AtMost is nil,
	// all severities are possible.
	AtMost func(api lifecycle.API, minors lifecycle.Minors) rules.Severity
	// Message returns the message for the newest of minors. Whole returns the message
	// for a finding about all kinds of a version. next is the replacement, or zero if
	// there is none.
	Message, Whole func(api, next lifecycle.API, minors lifecycle.Minors, t lifecycle.Target) string
	// Markers is set if the rule reports RBAC markers. They name no version, so only a rule
	// about all versions of a kind can report them.
	Markers bool
	// Registrations is set if the rule reports registrations. They make no request.
	Registrations bool
	// Acknowledged is set if the rule leaves out uses that a comment tells another
	// linter to accept. That linter reports the same problem.
	Acknowledged bool
}

// Report reports a rule's findings in a package. It compares the API versions in the
// code with the target of the option. Without the option, the target is the minor of
// the package's client-go.
//
// Report reports the places that choose a version. If no place chooses one, it reports
// the first place that names the kind. The use of a part of a kind, such as the type of
// a field, does not choose a version.
func Report(pass *analysis.Pass, option *Target, ruleFor func(inferred bool) Rule) {
	r := pass.ResultOf[Analyzer].(*Result)
	if len(r.Uses) == 0 {
		return
	}
	t, inferred := option.Value(pass)
	rule := ruleFor(inferred)
	groups := map[group][]finding{}
	var order []group
	for _, u := range r.Uses {
		if u.Form == Registration && !rule.Registrations {
			continue
		}
		f, ok := r.findingOf(u, t, rule)
		if !ok || u.reasoned || u.acknowledged && rule.Acknowledged || r.isDeliberate(u, t) || scope.Of(pass).Silent(pass.Analyzer.Name, u.Pos) ||
			u.declaration.IsValid() && scope.Of(pass).Silent(pass.Analyzer.Name, u.declaration) {
			continue
		}
		g := group{pass.Fset.File(u.Pos), u.GroupVersion, u.API}
		if groups[g] == nil {
			order = append(order, g)
		}
		groups[g] = append(groups[g], f)
	}
	versions := map[group]bool{} // versions that have a reported kind
	for _, g := range order {
		if !g.api.IsZero() && slices.ContainsFunc(groups[g], inCode) {
			versions[group{file: g.file, groupVersion: g.groupVersion}] = true
			versions[group{groupVersion: g.groupVersion}] = true
		}
	}
	var reported []finding
	chosen := map[lifecycle.API]bool{}
	for _, g := range order {
		// A literal version belongs to the findings about kinds in the same file or package.
		if g.api.IsZero() && (versions[g] || versions[group{groupVersion: g.groupVersion}] && !slices.ContainsFunc(groups[g], func(f finding) bool { return f.Form != Literal })) {
			continue
		}
		some := choosingUses(g, groups[g])
		reported = append(reported, some...)
		chosen[g.api] = chosen[g.api] || slices.ContainsFunc(some, inCode)
	}
	// Kinds whose version no place in the package chooses: report the first place.
	for _, g := range order {
		if g.api.IsZero() {
			continue // the version, or its kinds, are reported already
		}
		if i := slices.IndexFunc(groups[g], func(f finding) bool { return inCode(f) && !f.Part }); i >= 0 && !chosen[g.api] {
			reported = append(reported, groups[g][i])
			chosen[g.api] = true
		}
	}
	slices.SortStableFunc(reported, func(x, y finding) int { return cmp.Compare(x.Pos, y.Pos) })
	for _, f := range reported {
		scope.ReportAtMost(pass, f.severity, analysis.Diagnostic{
			Pos: f.Pos, End: f.End,
			Message: f.message + replacementText(f.Use, f.successor),
			Related: versionImport(pass, f.Use),
		})
	}
}

// group identifies the uses of one kind in one file.
type group struct {
	file         *token.File
	groupVersion string
	api          lifecycle.API
}

// inCode reports whether a finding is about code, and not about a marker.
func inCode(f finding) bool { return f.Form != Marker }

type finding struct {
	Use
	message   string
	successor lifecycle.API
	severity  rules.Severity // highest severity
}

// finding creates a finding about a use of an API.
func (r *Result) finding(u Use, rule Rule, api lifecycle.API, minors lifecycle.Minors, message string, next lifecycle.API) finding {
	f := finding{u, message, next, rules.Error}
	if rule.AtMost != nil {
		f.severity = rule.AtMost(api, minors)
	}
	if !r.Requests(u) {
		f.severity = min(f.severity, rules.Info)
	}
	return f
}

// findingOf returns the finding of a rule about a use. It returns false if the rule has
// none.
func (r *Result) findingOf(u Use, t lifecycle.Target, rule Rule) (finding, bool) {
	if u.Form == Marker {
		return r.markerFinding(u, t, rule)
	}
	if !u.API.IsZero() {
		minors := rule.Minors(u.API, t)
		if minors == 0 {
			return finding{}, false
		}
		next := successor(u.API, minors, t)
		message := rule.Message(u.API, next, minors, t)
		if lease, ok := lookup("coordination.k8s.io/v1", "Lease"); ok && u.lock {
			// The server's message recommends EndpointSlice, which replaces the Endpoints
			// of a Service.
			message = strings.Replace(message, fmt.Sprintf("; use %s", next), fmt.Sprintf("; for a leader-election lock use %s (resourcelock.LeaseLock)", lease), 1)
			next = lifecycle.API{}
		}
		return r.finding(u, rule, u.API, minors, message, next), true
	}
	// The use is of a version with all its kinds. There is a finding only if the rule has one
	// for each kind. The message is about the kind that servers serve longest.
	var last lifecycle.API
	var minors lifecycle.Minors
	var next []lifecycle.API
	for _, api := range u.all {
		h := rule.Minors(api, t)
		if h == 0 {
			return finding{}, false
		}
		// Kinds without a replacement do not count.
		if s := successor(api, h, t); !s.IsZero() {
			next = append(next, s)
		}
		if last.IsZero() || api.Servable().Newest() > last.Servable().Newest() {
			last, minors = api, h
		}
	}
	if last.IsZero() {
		return finding{}, false
	}
	var same lifecycle.API
	if len(next) > 0 && !slices.ContainsFunc(next, func(api lifecycle.API) bool { return api.GroupVersion() != next[0].GroupVersion() }) {
		same = next[0]
	}
	return r.finding(u, rule, last, minors, rule.Whole(last, same, minors, t), same), true
}

// markerFinding returns the finding about an RBAC marker. It returns false in these
// cases:
//
//   - The rule has no finding for some version of the kind.
//   - The replacement is in another group, and another marker of the package names it.
func (r *Result) markerFinding(u Use, t lifecycle.Target, rule Rule) (finding, bool) {
	if !rule.Markers {
		return finding{}, false
	}
	minors := rule.Minors(u.API, t)
	for _, api := range u.all {
		minors &= rule.Minors(api, t)
		if next, ok := api.Successor(); ok && r.permissions[permission{next.Group(), next.Resource()}] && next.Group() != u.API.Group() {
			return finding{}, false
		}
	}
	if minors == 0 {
		return finding{}, false
	}
	next := successor(u.API, minors, t)
	return r.finding(u, rule, u.API, minors, rule.Message(u.API, next, minors, t), next), true
}

// successor returns the replacement of an API in the newest of the minors. It returns
// zero if there is none.
func successor(api lifecycle.API, minors lifecycle.Minors, t lifecycle.Target) lifecycle.API {
	next, ok := api.ReplacementAt(minors.Newest(), t)
	// This release does not deprecate the API, so it names no replacement.
	if at := minors.Newest(); !ok || api.State(at, t) == lifecycle.Served && !api.IsDeprecated(at) {
		next, _ = api.Successor()
	}
	// Some releases name the list as the replacement of its items.
	if next.Class() == lifecycle.List && api.Class() != lifecycle.List {
		next = next.Item()
	}
	return next
}

// choosingUses returns the uses that choose a version, at most one for each line. uses
// are the uses of one kind in one file.
func choosingUses(g group, uses []finding) []finding {
	client := slices.ContainsFunc(uses, func(f finding) bool { return f.Form == Client || f.Form == Informer })
	var chosen []finding
	lines := map[int]bool{}
	for _, f := range uses {
		// A typed client decides the version of the types that it takes.
		if !f.Decides || client && f.Form == Type {
			continue
		}
		if line := g.file.PositionFor(f.Pos, false).Line; !lines[line] {
			lines[line] = true
			chosen = append(chosen, f)
		}
	}
	return chosen
}

// isDeliberate reports whether the code uses an old version on purpose:
//
//   - The code also uses a newer version.
//   - The code asks which version the server has.
//   - Names in the code say that it is for old versions.
func (r *Result) isDeliberate(u Use, t lifecycle.Target) bool {
	if r.asked[u.GroupVersion] {
		return true
	}
	newest := t.Range.Minors().Newest()
	newer := func(api lifecycle.API) bool {
		next, _ := api.Successor()
		if lease, ok := lookup("coordination.k8s.io/v1", "Lease"); ok && u.lock && r.kinds[lease] {
			return true
		}
		if r.asked[next.GroupVersion()] {
			return true
		}
		for other := range r.kinds {
			if other != api && (other == next || other.Kind() == api.Kind()) && other.State(newest, t) == lifecycle.Served && !other.IsDeprecated(newest) {
				return true
			}
		}
		return false
	}
	if !u.API.IsZero() {
		if newer(u.API) {
			return true
		}
	} else {
		for _, api := range u.all {
			if next, _ := api.Successor(); newer(api) || r.versions[next.GroupVersion()] {
				return true
			}
		}
	}
	folder := path.Base(r.pass.Pkg.Path())
	if _, version, ok := strings.Cut(u.GroupVersion, "/"); ok {
		if strings.Contains(u.within, version) || strings.Contains(folder, version) {
			return true
		}
		// A directory such as extnv1beta1 names the old version. A directory v1beta1
		// belongs to a version of the program's own API.
		for segment := range strings.SplitSeq(path.Dir(r.pass.Pkg.Path()), "/") {
			if segment != version && strings.HasSuffix(segment, version) {
				return true
			}
		}
	}
	if slices.Contains([]string{"legacy", "compat", "migrate", "migration", "migrations"}, folder) {
		return true
	}
	return slices.ContainsFunc(oldVersionWords, func(word string) bool { return strings.Contains(u.within, word) })
}

// oldVersionWords lists words in the names of code for old versions.
var oldVersionWords = []string{"legacy", "deprecated", "convert", "conversion", "migrat", "fallback", "compat", "obsolete", "outdated", "apiversion", "crdversion",
	// test doubles
	"fake", "mock"}

// replacementText returns the Go import or method for the replacement, for the end of a
// message.
func replacementText(u Use, next lifecycle.API) string {
	if next.IsZero() {
		return ""
	}
	switch u.Form {
	case Type, Registration, Lister, Apply:
		form := u.Form
		if form == Registration {
			form = Type
		}
		if path := importPath(form, next.GroupVersion()); path != "" {
			return fmt.Sprintf(" (import %s)", path)
		}
	case Constructor:
		if path := importPath(Client, next.GroupVersion()); path != "" {
			return fmt.Sprintf(" (import %s)", path)
		}
	case Client:
		return fmt.Sprintf(" (call %s())", title(folder(next.Group()))+title(next.Version()))
	case Informer:
		return fmt.Sprintf(" (call %s().%s())", title(folder(next.Group())), title(next.Version()))
	}
	return ""
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// versionImport returns the position of the import through which the file uses the
// version.
func versionImport(pass *analysis.Pass, u Use) []analysis.RelatedInformation {
	form := u.Form
	switch form {
	case Registration:
		form = Type
	case Constructor:
		form = Client
	case Literal, Marker, Client, Informer:
		return nil
	}
	path := importPath(form, u.GroupVersion)
	i := slices.IndexFunc(pass.Files, func(f *ast.File) bool { return f.FileStart <= u.Pos && u.Pos < f.FileEnd })
	if path == "" || i < 0 {
		return nil
	}
	for _, spec := range pass.Files[i].Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil && unvendored(p) == path {
			return []analysis.RelatedInformation{{Pos: spec.Pos(), End: spec.End(), Message: "imported here"}}
		}
	}
	return nil
}

// Minors returns the part of a message that lists the minors. It returns "" if the
// target is a single minor.
func Minors(minors lifecycle.Minors, t lifecycle.Target) string {
	if t.Range.Minors().Len() < 2 {
		return ""
	}
	return fmt.Sprintf(" (%s)", minors)
}
