package upgradecmd

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/gocode"
	"github.com/kubevet/kubevet/internal/embedded"
	"github.com/kubevet/kubevet/internal/goload"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// readGo analyzes the Go code in the directories of --code, and adds a fact for each use
// of an API that changes.
func (r *run) readGo(ctx context.Context, _ []string) error {
	if len(r.flags.code) == 0 {
		return nil
	}
	versions := func(id string) bool { return id == gocode.VersionRules[0] || id == gocode.VersionRules[1] }
	gocode.OptionsInUse.Lock()
	defer gocode.OptionsInUse.Unlock()
	options := map[string]string{}
	for _, rule := range gocode.VersionRules {
		options[rule+".target"] = r.target.Range.String()
	}
	restore, err := analyzers.Set(options)
	if err != nil {
		return app.Usage(err)
	}
	defer restore()
	if r.code, err = gocode.Read(ctx, r.App, r.flags.code, r.flags.allowDownload, analyzers.Select(versions)...); err != nil {
		return err
	}
	for _, f := range r.code.Failed {
		r.addUnreadable(f.Name, f.Text)
	}
	packages, files := 0, 0
	for i := range r.code.Modules {
		m := &r.code.Modules[i]
		packages += len(m.Traces)
		files += len(m.Matched)
		r.goFacts(m)
		r.goManifests(m)
	}
	r.sources["code"] = upgrade.Source{Kind: "code", Given: true, Text: fmt.Sprintf("%s about Kubernetes, of %s in %s",
		report.Count(packages, "package"), report.Count(files, "Go file"), report.Count(len(r.code.Modules), "module"))}
	return nil
}

// goFacts adds a fact for each finding in the Go code of a module. The finding itself
// does not name the API. The traced use at its position does.
func (r *run) goFacts(m *gocode.Module) {
	type place struct {
		file         string
		line, column int
	}
	type use struct {
		analyzers.TracedUse
		owner string
	}
	uses := map[place]use{}
	for _, t := range m.Traces {
		for _, u := range t.Uses {
			uses[place{u.Pos.Filename, u.Pos.Line, u.Pos.Column}] = use{u, t.Package}
		}
	}
	text := &gocode.Text{}
	// For a target with several minors, both rules may report one position. The finding
	// of removedapi is used.
	found := map[place]goload.Diagnostic{}
	var order []place
	for _, d := range m.Diagnostics {
		at := place{r.Name(d.Pos.Filename), d.Pos.Line, text.Column(d.Pos)}
		if _, twice := found[at]; !twice {
			order = append(order, at)
		} else if d.Analyzer.Name != "removedapi" {
			continue
		}
		found[at] = d
	}
	for _, at := range order {
		u, ok := uses[at]
		if !ok {
			continue
		}
		f := upgrade.Fact{OwnerKind: "go", OwnerName: goOwner(m.Path, u.owner), Subject: u.GroupVersion}
		r.setTeam(&f, at.file)
		f.API, _ = lifecycle.LookupGV(u.GroupVersion, u.Kind)
		r.apiFact(&f)
		if f.API.IsZero() {
			r.completeVersionFact(&f, u.GroupVersion)
		}
		// Code that only declares a variable of the type, and sends no request with it,
		// does not break.
		f.Severity = analyzers.Severity(found[at].Category, f.Severity)
		f.Evidence = upgrade.Evidence{Source: "code", File: at.file, Line: at.line, Column: at.column, Text: found[at].Message}
		r.facts = append(r.facts, f)
	}
}

// completeVersionFact completes a fact about a whole API version, such as apps/v1beta1.
// The rule, the severity and the minors are from the kinds with the most severe change.
// The replacement is from the first kind that has a replacement.
func (r *run) completeVersionFact(f *upgrade.Fact, groupVersion string) {
	for api := range lifecycle.All() {
		if api.GroupVersion() != groupVersion || api.Class() != lifecycle.Resource {
			continue
		}
		one := upgrade.Fact{API: api}
		r.apiFact(&one)
		if one.Severity > f.Severity || f.Minors == 0 {
			f.Rule, f.Severity, f.Minors, f.Planned = one.Rule, one.Severity, one.Minors, one.Planned
		} else if one.Severity == f.Severity {
			f.Minors |= one.Minors
		}
		if gv, _, _ := strings.Cut(one.Replacement, " "); f.Replacement == "" {
			f.Replacement = gv
		}
	}
}

// goOwner returns the owner of Go code: the path of the package, or of the module if the
// package is unknown.
func goOwner(module, pkg string) string {
	if pkg == "" {
		return module
	}
	return pkg
}

// goManifests adds facts for the findings in manifests in string literals of Go code.
func (r *run) goManifests(m *gocode.Module) {
	severity := map[string]rules.Severity{}
	for _, x := range rules.Catalogue() {
		severity[x.ID] = x.Severity
	}
	found := embedded.Findings(embedded.Options{
		Files: m.Matched, Name: r.Name,
		Linter: manifestlint.New(manifestlint.Options{
			Target: r.target, Checks: checks.All(nil), Severity: severity, Workers: 1,
			Enabled: func(rule string) bool { return rule == gocode.VersionRules[0] || rule == gocode.VersionRules[1] },
		}),
	})
	for _, x := range found {
		f := r.findingFact(x)
		f.OwnerKind, f.OwnerName = "go", m.Path
		if rel, err := filepath.Rel(r.Path(m.Dir), r.Path(filepath.Dir(filepath.FromSlash(x.File)))); err == nil && filepath.IsLocal(rel) {
			f.OwnerName = path.Join(m.Path, filepath.ToSlash(rel))
		}
		r.setTeam(&f, x.File)
		f.Evidence = upgrade.Evidence{Source: "code", File: x.File, Line: x.Line, Column: x.Column, Text: x.Message}
		if x.Object != nil {
			f.Evidence.Object = x.Object.String()
		}
		r.facts = append(r.facts, f)
	}
}
