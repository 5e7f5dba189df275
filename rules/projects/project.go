package projects

import (
	_ "embed" // the table of projects
	"iter"
	"strconv"
	"strings"
)

// projectLines is the table of projects, sorted by name. The line of a project
// has the form
//
//	NAME REPOSITORY SUPPORTED POLICY RELEASE...
//
// SUPPORTED is the number of supported releases. POLICY is the page with the
// support policy, or "-". Each RELEASE is a patch that was read. The releases are
// in ascending order.
//
//go:embed zz_generated.projects.txt
var projectLines string

// Project is a project that defines custom resources. The zero value is not a project.
type Project struct {
	// Name is the project's name in --target-versions, such as cert-manager.
	Name string
	// Repository is the repository on github.com, in the form OWNER/NAME.
	Repository string
	// Policy is the page with the project's support policy. It is empty if the
	// project does not state how many releases it supports.
	Policy string

	supported int
	releases  string
}

// All returns all projects, sorted by name.
func All() iter.Seq[Project] {
	return func(yield func(Project) bool) {
		for line := range strings.Lines(projectLines) {
			if p, ok := parseProject(line); ok && !yield(p) {
				return
			}
		}
	}
}

// Lookup returns the project with a name. ok is false if the table does not have
// it.
func Lookup(name string) (_ Project, ok bool) {
	for p := range All() {
		if p.Name == name {
			return p, true
		}
	}
	return Project{}, false
}

// parseProject parses a line of the table. It returns false if the line has
// another form.
func parseProject(line string) (Project, bool) {
	fields := strings.SplitN(strings.TrimSpace(line), " ", 5)
	if len(fields) < 5 {
		return Project{}, false
	}
	p := Project{Name: fields[0], Repository: fields[1], Policy: fields[3], releases: fields[4]}
	p.supported, _ = strconv.Atoi(fields[2])
	if p.Policy == "-" {
		p.Policy = ""
	}
	return p, true
}

// Releases returns the project's releases in the table, oldest first.
func (p Project) Releases() []Release {
	var all []Release
	for text := range strings.FieldsSeq(p.releases) {
		if r, err := ParseRelease(text); err == nil {
			all = append(all, r)
		}
	}
	return all
}

// Supported returns the supported releases, oldest first: as many as the
// project's policy says, or three.
func (p Project) Supported() []Release {
	all := p.Releases()
	return all[max(0, len(all)-p.supported):]
}

// Oldest returns the project's oldest release in the table.
func (p Project) Oldest() Release {
	text, _, _ := strings.Cut(p.releases, " ")
	r, _ := ParseRelease(text)
	return r
}

// Newest returns the project's newest release in the table.
func (p Project) Newest() Release {
	r, _ := ParseRelease(p.releases[strings.LastIndexByte(p.releases, ' ')+1:])
	return r
}

// Closest returns the project's newest release in the table that is not newer
// than r. ok is false if all releases are newer.
func (p Project) Closest(r Release) (_ Release, ok bool) {
	var closest Release
	found := false
	for _, known := range p.Releases() {
		if known.Compare(r) <= 0 {
			closest, found = known, true
		}
	}
	return closest, found
}
