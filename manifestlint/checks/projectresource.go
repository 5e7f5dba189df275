package checks

import (
	"fmt"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
	"github.com/kubevet/kubevet/rules/projects"
)

// projectResource reports custom resources of well-known projects in versions that
// the projects' releases deprecate, no longer serve, or do not serve yet. If the
// set has the definition, that alone decides: see customResource.
func projectResource(set *Set) manifestlint.Check {
	return manifestlint.Check{
		Rule:    "removedapi",
		Also:    []string{"deprecatedapi", "futureapi"},
		Context: []string{definitionKind},
		Run: func(p *manifestlint.Pass) {
			o := p.Object
			if o.Known || o.Reading != manifestlint.Written || set.defines(o) || set.lists(o) {
				return
			}
			group, name := customresource.SplitGroupVersion(o.APIVersion)
			kind, ok := projects.LookupKind(group, o.Kind)
			if !ok {
				return
			}
			// A version that no release has may be newer than the table.
			version, ok := kind.Version(name)
			if !ok || version.Introduced() == (projects.Release{}) {
				return
			}
			project := kind.Project()
			if release, chosen := set.release(project); chosen {
				reportAtRelease(p, project, kind, version, release)
			} else {
				reportSupported(p, project, kind, version)
			}
		},
	}
}

// reportAtRelease reports what a release of the project does with a version.
func reportAtRelease(p *manifestlint.Pass, project projects.Project, kind projects.Kind, version projects.Version, release projects.Release) {
	api := kind.Group + "/" + version.Name + " " + kind.Kind
	removed := kind.RemovedIn(version)
	switch state := version.At(release).State; {
	case state == projects.Served:
		// Some projects deprecate a version in their release notes only, so that
		// their servers do not warn.
		replacement := kind.Replacement(version.Name, release)
		if removed == (projects.Release{}) || replacement == "" {
			return
		}
		p.ReportRule("deprecatedapi", rules.Warning, p.Object.APIVersionAt, rules.Finding{
			Message:     fmt.Sprintf("%s %s serves %s and %s removes it; use %s", project.Name, release, api, removed, replacement),
			Replacement: replacement,
		})
	case state == projects.Deprecated:
		reportProjectWarning(p, kind, version, release)
	case release.Compare(version.Introduced()) < 0:
		p.ReportRule("futureapi", rules.Error, p.Object.APIVersionAt, rules.Finding{
			Message: fmt.Sprintf("%s does not exist before %s %s", api, project.Name, version.Introduced()),
		})
	default:
		f := rules.Finding{Replacement: kind.Replacement(version.Name, release)}
		if removed != (projects.Release{}) && removed.Compare(release) <= 0 {
			f.Message = fmt.Sprintf("%s was removed in %s %s", api, project.Name, removed)
		} else {
			f.Message = fmt.Sprintf("%s %s does not serve %s", project.Name, release, api)
		}
		if f.Replacement != "" {
			f.Message += "; use " + f.Replacement
		}
		p.ReportRule("removedapi", rules.Error, p.Object.APIVersionAt, f)
	}
}

// reportSupported reports a version that none of the project's supported releases
// serves, or that all of them deprecate. The release in the cluster is not known,
// so that neither is an error.
func reportSupported(p *manifestlint.Pass, project projects.Project, kind projects.Kind, version projects.Version) {
	supported := project.Supported()
	served, deprecated := 0, 0
	for _, r := range supported {
		state := version.At(r).State
		if state.Serves() {
			served++
		}
		if state == projects.Deprecated {
			deprecated++
		}
	}
	newest := supported[len(supported)-1]
	removed := kind.RemovedIn(version)
	switch {
	case deprecated == len(supported):
		reportProjectWarning(p, kind, version, newest)
	case served == 0 && removed != (projects.Release{}) && removed.Compare(supported[0]) <= 0:
		f := rules.Finding{
			Message: fmt.Sprintf("%s/%s %s was removed in %s %s, and %s serves it",
				kind.Group, version.Name, kind.Kind, project.Name, removed, noneOf(project, supported)),
			Replacement: kind.Replacement(version.Name, newest),
		}
		if f.Replacement != "" {
			f.Message += "; use " + f.Replacement
		}
		p.ReportRule("removedapi", rules.Warning, p.Object.APIVersionAt, f)
	}
}

// noneOf returns the subject of a sentence about the supported releases, such as
// "no supported release (1.20, 1.21)".
func noneOf(project projects.Project, supported []projects.Release) string {
	what := "no supported release"
	if project.Policy == "" {
		what = "no recent release"
	}
	text := supported[0].String()
	switch n := len(supported); {
	case n == 2:
		text += ", " + supported[1].String()
	case n > 2:
		text += " to " + supported[n-1].String()
	}
	return what + " (" + text + ")"
}

// reportProjectWarning reports the server's warning about a deprecated version.
func reportProjectWarning(p *manifestlint.Pass, kind projects.Kind, version projects.Version, release projects.Release) {
	text := kind.Warning(version.Name, release)
	p.ReportRule("deprecatedapi", rules.Warning, p.Object.APIVersionAt, rules.Finding{
		Message:     text,
		Replacement: kind.Replacement(version.Name, release),
		Server:      &rules.ServerText{Kind: "warning", Text: text},
	})
}
