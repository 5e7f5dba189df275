package projects

import "slices"

// Group is an API group of a project. The zero value is not a group.
type Group struct {
	// Name is the group's name, such as cert-manager.io.
	Name string
	// Projects are the names of the projects that define kinds in the group, or
	// of other software that serves it. Four projects share argoproj.io. OfGroup
	// never returns an empty list.
	Projects []string
}

// OfGroup returns a group of a well-known project. ok is false if the group is
// not known. Kubernetes' own groups are in package lifecycle.
func OfGroup(name string) (_ Group, ok bool) {
	g := Group{Name: name}
	for k := range inGroup(name) {
		if !slices.Contains(g.Projects, k.project) {
			g.Projects = append(g.Projects, k.project)
		}
	}
	if len(g.Projects) == 0 {
		if owner := ownerOf(name); owner != "" {
			g.Projects = []string{owner}
		}
	}
	return g, len(g.Projects) > 0
}
