package checks

import (
	"fmt"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
	"github.com/kubevet/kubevet/rules/projects"
)

// projectResource reports custom resources of well-known projects, in versions
// that the project's releases deprecate, no longer serve, or do not serve yet.
// If the set has a definition of the kind, customResource checks the object
// instead.
func projectResource(set *Set) manifestlint.Check {
	// Findings are cached by apiVersion and kind, for the versions in the table.
	var findings sync.Map
	return manifestlint.Check{
		Rule:     "removedapi",
		Also:     []string{"deprecatedapi", "futureapi"},
		Context:  []string{definitionKind},
		Metadata: true,
		Run: func(p *manifestlint.Pass) {
			o := p.Object
			if o.Known || o.Reading != manifestlint.Written || set.defines(o) || set.isInUserList(o) || isLocal(o) {
				return
			}
			type key struct{ apiVersion, kind string }
			v, ok := findings.Load(key{o.APIVersion, o.Kind})
			if !ok {
				answer, known := projectFinding(set, o.APIVersion, o.Kind)
				if !known {
					return
				}
				v = answer
				// Clone the strings, because they would keep the whole document in
				// memory.
				findings.Store(key{strings.Clone(o.APIVersion), strings.Clone(o.Kind)}, v)
			}
			if v := v.(kindFinding); v.rule != "" {
				p.ReportRule(v.rule, v.severity, o.APIVersionAt, v.finding)
			}
		},
		Fix: noteNoConversion,
	}
}

// noteNoConversion returns a change without steps. Its note leaves the
// conversion to the user: the versions of a custom resource may have different
// fields, and kubevet has no schema of either version.
func noteNoConversion(_ *manifestlint.Pass, f *rules.Finding) (manifestlint.Change, bool) {
	note := "kubevet does not convert custom resources"
	if f.Replacement != "" {
		note += ": compare the fields of both versions before you change apiVersion"
	}
	return manifestlint.Change{Notes: []string{note}}, true
}

// kindFinding is the finding for all objects of one kind and version. The zero
// value means no finding.
type kindFinding struct {
	rule     string
	severity rules.Severity
	finding  rules.Finding
}

// projectFinding returns the finding for a kind and version. It returns false
// if the table does not have the version, which may be newer than the table.
func projectFinding(set *Set, apiVersion, kindName string) (kindFinding, bool) {
	group, name := customresource.SplitGroupVersion(apiVersion)
	kind, ok := projects.LookupKind(group, kindName)
	if !ok {
		return kindFinding{}, false
	}
	version, ok := kind.Version(name)
	if !ok || version.Introduced() == (projects.Release{}) {
		return kindFinding{}, false
	}
	if release, chosen := set.release(kind.Project()); chosen {
		return findingAtRelease(kind, version, release), true
	}
	return findingForSupported(kind, version), true
}

// findingAtRelease returns the finding if the cluster has this release of the
// project.
func findingAtRelease(kind projects.Kind, version projects.Version, release projects.Release) kindFinding {
	project := kind.Project()
	api := kind.Group + "/" + version.Name + " " + kind.Kind
	removed := kind.RemovedIn(version)
	replacement := kind.Replacement(version.Name, release)
	use := ""
	if replacement != "" {
		use = "; use " + replacement
	}
	switch state := version.At(release).State; {
	case state == projects.Deprecated:
		return deprecatedVersion(kind, version, release)
	case state == projects.Served:
		// The project deprecated the version only in its release notes, and the
		// server sends no warning.
		if removed == (projects.Release{}) || replacement == "" {
			return kindFinding{}
		}
		return kindFinding{"deprecatedapi", rules.Warning, rules.Finding{
			Message:     fmt.Sprintf("%s %s serves %s and %s removes it%s", project.Name, release, api, removed, use),
			Replacement: replacement,
		}}
	case release.Compare(version.Introduced()) < 0:
		return kindFinding{"futureapi", rules.Error, rules.Finding{
			Message: fmt.Sprintf("%s does not exist before %s %s", api, project.Name, version.Introduced()),
		}}
	case removed != (projects.Release{}) && removed.Compare(release) <= 0:
		return kindFinding{"removedapi", rules.Error, rules.Finding{
			Message:     fmt.Sprintf("%s was removed in %s %s%s", api, project.Name, removed, use),
			Replacement: replacement,
		}}
	default:
		return kindFinding{"removedapi", rules.Error, rules.Finding{
			Message:     fmt.Sprintf("%s %s does not serve %s%s", project.Name, release, api, use),
			Replacement: replacement,
		}}
	}
}

// findingForSupported returns the finding if the release in the cluster is
// unknown. It reports a version that none of the project's supported releases
// serves, or that all of them deprecate. The cluster may have an older release,
// so the finding is not an error.
func findingForSupported(kind projects.Kind, version projects.Version) kindFinding {
	project := kind.Project()
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
		return deprecatedVersion(kind, version, newest)
	case served > 0 || removed == (projects.Release{}) || removed.Compare(supported[0]) > 0:
		return kindFinding{}
	}
	f := rules.Finding{
		Message: fmt.Sprintf("%s/%s %s was removed in %s %s, and %s serves it",
			kind.Group, version.Name, kind.Kind, project.Name, removed, noReleaseText(project, supported)),
		Replacement: kind.Replacement(version.Name, newest),
	}
	if f.Replacement != "" {
		f.Message += "; use " + f.Replacement
	}
	return kindFinding{"removedapi", rules.Warning, f}
}

// noReleaseText returns the subject of a sentence about none of the releases,
// such as "no supported release (1.20, 1.21)".
func noReleaseText(project projects.Project, supported []projects.Release) string {
	subject := "no supported release"
	if project.Policy == "" {
		subject = "no recent release"
	}
	text := supported[0].String()
	switch n := len(supported); {
	case n == 2:
		text += ", " + supported[1].String()
	case n > 2:
		text += " to " + supported[n-1].String()
	}
	return subject + " (" + text + ")"
}

// deprecatedVersion returns the finding for a deprecated version, with the
// server's warning.
func deprecatedVersion(kind projects.Kind, version projects.Version, release projects.Release) kindFinding {
	text := kind.Warning(version.Name, release)
	return kindFinding{"deprecatedapi", rules.Warning, rules.Finding{
		Message:     text,
		Replacement: kind.Replacement(version.Name, release),
		Server:      &rules.ServerText{Kind: "warning", Text: text},
	}}
}
