package cli

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/projects"
)

// projectRow is a row of `kubevet api` for one version of a custom resource of a
// well-known project.
type projectRow struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Resource   string `json:"resource"`
	Namespaced bool   `json:"namespaced"`
	// Project is the name of the project, as --target-versions spells it.
	Project string `json:"project"`
	// Introduced is the first release of the project that serves the version, such as
	// "1.18". If an older release may serve the version too, Introduced is the oldest
	// release that kubevet knows. Deprecated is the first release that deprecates the
	// version. Removed is the first release that no longer serves it. An empty string
	// means no release.
	Introduced string `json:"introduced,omitempty"`
	Deprecated string `json:"deprecated,omitempty"`
	Removed    string `json:"removed,omitempty"`
	// Replacement is the API to use instead in the newest release, or empty.
	Replacement string `json:"replacement,omitempty"`
	// States are the states of the version in the releases that have it, oldest first.
	States []projectState `json:"states"`
	// Warning is the text of the Warning header for the version, from the newest release
	// that deprecates it. It may be empty.
	Warning string `json:"warning,omitempty"`
}

// projectState is a state of a version, with the releases that have this state.
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

// releases returns a text such as "1.0..1.21", or "1.0" if from equals to.
func releases(from, to projects.Release) string {
	if from == to {
		return from.String()
	}
	return from.String() + ".." + to.String()
}

// stateText returns a text such as "served 0.11..1.5, not served 1.6".
func (r projectRow) stateText() string {
	parts := make([]string, len(r.States))
	for i, s := range r.States {
		parts[i] = s.State + " " + s.Releases
	}
	return strings.Join(parts, ", ")
}

// includes reports whether a row passes the filters. Without filters, all rows pass.
func (r projectRow) includes(f *apiFlags) bool {
	if !f.deprecated && !f.removed && !f.disabled {
		return true
	}
	newest := r.States[len(r.States)-1]
	return f.removed && r.Removed != "" || f.deprecated && r.Removed == "" && newest.State == projects.Deprecated.String()
}

// projectRows returns the custom resources of projects that have one of the names and
// pass the filters. A name is a project, group, version, kind or resource. If taken[i] is
// true, names[i] belongs to Kubernetes itself and is not searched in projects. known[i]
// is true if taken[i] is true or a project has names[i].
func projectRows(f *apiFlags, names []string, taken []bool) (rows []projectRow, known []bool) {
	known = slices.Clone(taken)
	for k := range projects.Kinds() {
		for _, v := range k.Versions() {
			wanted := false
			for i, name := range names {
				if !taken[i] && matchesProjectName(k, v, name) {
					known[i], wanted = true, true
				}
			}
			if !wanted {
				continue
			}
			if row := newProjectRow(k, v); row.includes(f) {
				rows = append(rows, row)
			}
		}
	}
	return rows, known
}

// matchesProjectName reports whether a name that the user typed, in any case, may mean
// version v of kind k.
func matchesProjectName(k projects.Kind, v projects.Version, name string) bool {
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

// projectWords returns the names of all projects, and of their groups, kinds and
// resources, for shell completion and suggestions.
func projectWords() []string {
	var words []string
	for k := range projects.Kinds() {
		words = append(words, k.Kind, k.Group, k.Resource, k.Project().Name)
	}
	slices.Sort(words)
	return slices.Compact(words)
}
