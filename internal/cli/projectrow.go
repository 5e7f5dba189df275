package cli

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/projects"
)

// projectRow is a row of the output of `kubevet api` about a custom resource of a
// well-known project.
type projectRow struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Resource   string `json:"resource"`
	Namespaced bool   `json:"namespaced"`
	// Project is the project's name, as in --target-versions.
	Project string `json:"project"`
	// Introduced, Deprecated and Removed are the first releases of the project,
	// such as "1.18", that serve the version, deprecate it, and no longer serve it;
	// empty for none. Introduced is the oldest known release if the version may be
	// older.
	Introduced string `json:"introduced,omitempty"`
	Deprecated string `json:"deprecated,omitempty"`
	Removed    string `json:"removed,omitempty"`
	// Replacement is the API to use instead at the newest release; empty for none.
	Replacement string `json:"replacement,omitempty"`
	// States are the states over the project's releases, oldest first, without the
	// releases that do not have the version.
	States []projectState `json:"states"`
	// Warning is the Warning header of the newest release that deprecates the
	// version; empty for none.
	Warning string `json:"warning,omitempty"`
}

// projectState is a state of a version and the releases where it has it.
type projectState struct {
	State    string `json:"state"`
	Releases string `json:"releases"`
}

func newProjectRow(k projects.Kind, v projects.Version) projectRow {
	p := k.Project()
	all := p.Releases()
	r := projectRow{
		APIVersion: k.Group + "/" + v.Name,
		Kind:       k.Kind,
		Resource:   k.Resource,
		Namespaced: k.Namespaced,
		Project:    p.Name,
		Introduced: v.Introduced().String(),
		Deprecated: v.Deprecated().String(),
		Removed:    k.RemovedIn(v).String(),
	}
	if r.Deprecated != "" || r.Removed != "" {
		r.Replacement = k.Replacement(v.Name, p.Newest())
	}
	var from projects.Release
	for i, known := range all {
		state := v.At(known).State
		if state == projects.Deprecated {
			r.Warning = k.Warning(v.Name, known)
		}
		if i == 0 || v.At(all[i-1]).State != state {
			from = known
		}
		if last := i+1 == len(all) || v.At(all[i+1]).State != state; last && state != projects.Absent {
			r.States = append(r.States, projectState{state.String(), releases(from, known)})
		}
	}
	return r
}

// releases returns a range such as "1.0..1.21", or a single release.
func releases(from, to projects.Release) string {
	if from == to {
		return from.String()
	}
	return from.String() + ".." + to.String()
}

// stateText returns the states, as in "served 0.11..1.5, not served 1.6".
func (r projectRow) stateText() string {
	parts := make([]string, len(r.States))
	for i, s := range r.States {
		parts[i] = s.State + " " + s.Releases
	}
	return strings.Join(parts, ", ")
}

// pass reports whether a row passes the filters of `kubevet api`.
func (r projectRow) pass(f *apiFlags) bool {
	if !f.deprecated && !f.removed && !f.disabled {
		return true
	}
	newest := r.States[len(r.States)-1]
	return f.removed && r.Removed != "" || f.deprecated && r.Removed == "" && newest.State == projects.Deprecated.String()
}

// projectRows returns the versions of projects' kinds that the user named, and which
// of the names match one. A name is a project, a group, a version, a kind or a
// resource. Names in taken are left out: they are kinds or resources of Kubernetes
// itself.
func projectRows(f *apiFlags, names []string, taken []bool) (rows []projectRow, known []bool) {
	known = slices.Clone(taken)
	for k := range projects.Kinds() {
		for _, v := range k.Versions() {
			wanted := false
			for i, name := range names {
				if !taken[i] && namedOfProject(k, v, name) {
					known[i], wanted = true, true
				}
			}
			if !wanted {
				continue
			}
			if row := newProjectRow(k, v); row.pass(f) {
				rows = append(rows, row)
			}
		}
	}
	return rows, known
}

// namedOfProject reports whether a name, in any case, may mean the version.
func namedOfProject(k projects.Kind, v projects.Version, name string) bool {
	for _, s := range []string{
		k.Kind, k.Resource, k.Group, k.Group + "/" + v.Name, k.Group + "/" + v.Name + "/" + k.Kind, k.Group + "/" + v.Name + " " + k.Kind,
		k.Resource + "." + k.Group, k.Resource + "." + v.Name + "." + k.Group, k.Kind + "." + k.Group, k.Project().Name,
	} {
		if strings.EqualFold(name, s) {
			return true
		}
	}
	return false
}

// projectWords returns the names of projects, and of their groups, kinds and
// resources, for completion and suggestions.
func projectWords() []string {
	var words []string
	for k := range projects.Kinds() {
		words = append(words, k.Kind, k.Group, k.Resource, k.Project().Name)
	}
	slices.Sort(words)
	return slices.Compact(words)
}
