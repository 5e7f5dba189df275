package schemas

import (
	"path"
	"regexp"
	"strings"
)

// Identity is the kind that a schema describes, as far as it is known. The zero value
// is an unknown kind.
type Identity struct {
	// Group is the API group, such as cert-manager.io. If it is unknown, Label may be
	// its first label, such as cert-manager. If both are empty, any group matches.
	Group, Label string
	// Kind is in lower case.
	Kind, Version string
	// Unsure is set if the name of the file is not enough evidence. The schema then
	// counts only if it names its kind itself.
	Unsure bool
}

// matches returns how surely the identity is of a group, from 3 for the same name to 0
// for another group.
func (id Identity) matches(group string) int {
	label, _, _ := strings.Cut(group, ".")
	switch {
	case id.Group != "" && id.Group == group:
		return 3
	case id.Group == "" && id.Label != "" && id.Label == label:
		return 2
	case id.Group == "" && id.Label == "":
		return 1
	}
	return 0
}

const version = `v[0-9][0-9a-z]*`

var (
	// kind_version.json of CRDs-catalog, in a directory named by the group.
	inGroup = regexp.MustCompile(`^([a-z0-9]+)_(` + version + `)\.json$`)
	// group_kind_version.json, with the group in full.
	withGroup = regexp.MustCompile(`^([a-z0-9][a-z0-9.-]*\.[a-z]+)_([a-z0-9]+)_(` + version + `)\.json$`)
	// kind_group_version.json, with the group in full.
	beforeGroup = regexp.MustCompile(`^([a-z0-9]+)_([a-z0-9][a-z0-9.-]*\.[a-z]+)_(` + version + `)\.json$`)
	// kind-group-version.json of kubeconform's default, with a label of the group.
	withLabel = regexp.MustCompile(`^([a-z0-9]+)-([a-z0-9-]+)-(` + version + `)\.json$`)
	groupName = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]*\.[a-z]+$`)
)

// Identify returns the identity of a schema by the name of its file, with slashes,
// for the layouts that kubeconform's users have: {group}/{kind}_{version}.json,
// {kind}_{version}.json, {group}_{kind}_{version}.json, {kind}_{group}_{version}.json
// and {kind}-{first label of the group}-{version}.json. ok is false for other names.
//
// dir is the directory that the user named. A name without a group is unsure if the
// file is not directly in dir.
func Identify(name, dir string) (id Identity, ok bool) {
	parent, base := path.Split(name)
	parent = path.Clean(parent)
	if m := inGroup.FindStringSubmatch(base); m != nil {
		id = Identity{Kind: m[1], Version: m[2]}
		if group := path.Base(parent); groupName.MatchString(group) {
			id.Group = group
		} else {
			id.Unsure = parent != path.Clean(dir)
		}
		return id, true
	}
	if m := withGroup.FindStringSubmatch(base); m != nil {
		return Identity{Group: m[1], Kind: m[2], Version: m[3]}, true
	}
	if m := beforeGroup.FindStringSubmatch(base); m != nil {
		return Identity{Group: m[2], Kind: m[1], Version: m[3]}, true
	}
	if m := withLabel.FindStringSubmatch(base); m != nil {
		return Identity{Label: m[2], Kind: m[1], Version: m[3]}, true
	}
	return Identity{}, false
}
