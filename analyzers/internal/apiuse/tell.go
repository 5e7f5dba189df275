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
	// Held returns the minors of the target for which the rule has a finding.
	Held func(api lifecycle.API, t lifecycle.Target) lifecycle.Minors
	// AtMost, if it is not nil, returns the highest severity of a finding about the API.
	AtMost func(api lifecycle.API, held lifecycle.Minors) rules.Severity
	// Message returns the message for the newest minor in held. Whole returns the
	// message for a version, if the finding is about all its kinds. next is the
	// replacement, or zero.
	Message, Whole func(api, next lifecycle.API, held lifecycle.Minors, t lifecycle.Target) string
	// Markers is set if the rule reports RBAC markers. They name no version, so only a rule
	// about all versions of a kind can report them.
	Markers bool
	// Registrations is set if the rule reports registrations. They make no request.
	Registrations bool
	// Acknowledged is set if the rule leaves out uses that a comment tells another
	// linter to accept. That linter reports the same problem.
	Acknowledged bool
}

// Tell reports a rule's findings in a package. It compares the API versions in the code
// with the target of the option, or with the minor of the package's client-go.
//
// It reports the places that choose a version. If no place chooses one, it reports the
// first place that names the kind. The use of a part of a kind, such as the type of a
// field, chooses no version.
func Tell(pass *analysis.Pass, option *Target, ruleFor func(inferred bool) Rule) {
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
		if !ok || u.reasoned || u.acknowledged && rule.Acknowledged || r.deliberate(u, t) || scope.Of(pass).Silent(pass.Analyzer.Name, u.Pos) ||
			u.declared.IsValid() && scope.Of(pass).Silent(pass.Analyzer.Name, u.declared) {
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
		// A literal version belongs to the kinds in the same code.
		if g.api.IsZero() && (versions[g] || versions[group{groupVersion: g.groupVersion}] && !slices.ContainsFunc(groups[g], func(f finding) bool { return f.Form != Literal })) {
			continue
		}
		some := choose(g, groups[g])
		reported = append(reported, some...)
		chosen[g.api] = chosen[g.api] || slices.ContainsFunc(some, inCode)
	}
	// No place in the package chooses the version, so other code chooses it.
	for _, g := range order {
		if g.api.IsZero() {
			continue // reported already, itself or through its kinds
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
			Message: f.message + instead(f.Use, f.successor),
			Related: related(pass, f.Use),
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

// finding returns a finding about a use of an API.
func (r *Result) finding(u Use, rule Rule, api lifecycle.API, held lifecycle.Minors, message string, next lifecycle.API) finding {
	f := finding{u, message, next, rules.Error}
	if rule.AtMost != nil {
		f.severity = rule.AtMost(api, held)
	}
	if !r.Requests(u) {
		f.severity = min(f.severity, rules.Info)
	}
	return f
}

// findingOf returns the finding of a rule about a use, if the rule has one.
func (r *Result) findingOf(u Use, t lifecycle.Target, rule Rule) (finding, bool) {
	if u.Form == Marker {
		return r.markerFinding(u, t, rule)
	}
	if !u.API.IsZero() {
		held := rule.Held(u.API, t)
		if held == 0 {
			return finding{}, false
		}
		next := successor(u.API, held, t)
		message := rule.Message(u.API, next, held, t)
		if lease, ok := lookup("coordination.k8s.io/v1", "Lease"); ok && u.lock {
			// The server's message recommends EndpointSlice, which replaces the Endpoints
			// of a Service.
			message = strings.Replace(message, fmt.Sprintf("; use %s", next), fmt.Sprintf("; for a leader-election lock use %s (resourcelock.LeaseLock)", lease), 1)
			next = lifecycle.API{}
		}
		return r.finding(u, rule, u.API, held, message, next), true
	}
	// There is a finding only if the rule reports all kinds of the version. The message is
	// about the kind that servers serve longest.
	var last lifecycle.API
	var held lifecycle.Minors
	var next []lifecycle.API
	for _, api := range u.all {
		h := rule.Held(api, t)
		if h == 0 {
			return finding{}, false
		}
		// Kinds without a replacement do not count.
		if s := successor(api, h, t); !s.IsZero() {
			next = append(next, s)
		}
		if last.IsZero() || api.Servable().Newest() > last.Servable().Newest() {
			last, held = api, h
		}
	}
	if last.IsZero() {
		return finding{}, false
	}
	var same lifecycle.API
	if len(next) > 0 && !slices.ContainsFunc(next, func(api lifecycle.API) bool { return api.GroupVersion() != next[0].GroupVersion() }) {
		same = next[0]
	}
	return r.finding(u, rule, last, held, rule.Whole(last, same, held, t), same), true
}

// markerFinding returns the finding about an RBAC marker. There is none in two cases:
//   - The rule does not report all versions of the kind.
//   - Another marker of the package names the replacement, which is in another group.
func (r *Result) markerFinding(u Use, t lifecycle.Target, rule Rule) (finding, bool) {
	if !rule.Markers {
		return finding{}, false
	}
	held := rule.Held(u.API, t)
	for _, api := range u.all {
		held &= rule.Held(api, t)
		if next, ok := api.Successor(); ok && r.permitted[permission{next.Group(), next.Resource()}] && next.Group() != u.API.Group() {
			return finding{}, false
		}
	}
	if held == 0 {
		return finding{}, false
	}
	next := successor(u.API, held, t)
	return r.finding(u, rule, u.API, held, rule.Message(u.API, next, held, t), next), true
}

// successor returns the replacement of an API for the newest of the minors. It is zero if
// there is no replacement.
func successor(api lifecycle.API, held lifecycle.Minors, t lifecycle.Target) lifecycle.API {
	next, ok := api.ReplacementAt(held.Newest(), t)
	// This server has not deprecated the API, so it recommends no replacement.
	if at := held.Newest(); !ok || api.State(at, t) == lifecycle.Served && !api.IsDeprecated(at) {
		next, _ = api.Successor()
	}
	// Some releases name the list as the replacement of its items.
	if next.Class() == lifecycle.List && api.Class() != lifecycle.List {
		next = next.Item()
	}
	return next
}

// choose returns the places that choose a version, at most one for each line. uses are the
// uses of one kind in one file.
func choose(g group, uses []finding) []finding {
	client := slices.ContainsFunc(uses, func(f finding) bool { return f.Form == Client || f.Form == Informer })
	var chosen []finding
	lines := map[int]bool{}
	for _, f := range uses {
		// The version of a typed client is also the version of the types that it takes.
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

// deliberate reports whether the code uses an old version on purpose:
//   - The code also uses a newer version.
//   - The code asks which version the server has.
//   - Names in the code say that they are for old versions.
func (r *Result) deliberate(u Use, t lifecycle.Target) bool {
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
	return slices.ContainsFunc(onPurpose, func(word string) bool { return strings.Contains(u.within, word) })
}

// onPurpose has words in the names of code for old versions.
var onPurpose = []string{"legacy", "deprecated", "convert", "conversion", "migrat", "fallback", "compat", "obsolete", "outdated", "apiversion", "crdversion",
	// test doubles
	"fake", "mock"}

// instead returns the Go import or method for the replacement, for the end of the message.
func instead(u Use, next lifecycle.API) string {
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

// related returns the import that brings the version into the file.
func related(pass *analysis.Pass, u Use) []analysis.RelatedInformation {
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

// Minors returns the part of a message that lists the minors. It is "" if the target is a
// single minor.
func Minors(held lifecycle.Minors, t lifecycle.Target) string {
	if t.Range.Minors().Len() < 2 {
		return ""
	}
	return fmt.Sprintf(" (%s)", held)
}
