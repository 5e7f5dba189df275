package schemas

import (
	"path"
	"regexp"
	"strings"
)

// Identity is the kind that a schema describes. Unknown fields are empty. The
// zero value is an unknown kind.
type Identity struct {
	// Group is the API group, such as cert-manager.io. If only the first label of
	// the group is known, such as cert-manager, Group is empty and Label has it.
	// If both are empty, the schema is used for all groups.
	Group, Label string
	// Kind is in lower case.
	Kind, Version string
	// Unsure is set if the file's name may not contain a kind. The schema is then
	// used only if it contains the name of its kind.
	Unsure bool
}

// matches returns how certain it is that the schema is for a group:
//
//   - 3 if the group is equal
//   - 2 if the label is equal
//   - 1 if the group is unknown
//   - 0 for another group
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
	// inGroup matches kind_version.json, the names in CRDs-catalog. The directory
	// has the group's name.
	inGroup = regexp.MustCompile(`^([a-z0-9]+)_(` + version + `)\.json$`)
	// withGroup matches group_kind_version.json with the whole group.
	withGroup = regexp.MustCompile(`^([a-z0-9][a-z0-9.-]*\.[a-z]+)_([a-z0-9]+)_(` + version + `)\.json$`)
	// beforeGroup matches kind_group_version.json with the whole group.
	beforeGroup = regexp.MustCompile(`^([a-z0-9]+)_([a-z0-9][a-z0-9.-]*\.[a-z]+)_(` + version + `)\.json$`)
	// withLabel matches kind-group-version.json, kubeconform's default. The
	// name has only the group's first label.
	withLabel = regexp.MustCompile(`^([a-z0-9]+)-([a-z0-9-]+)-(` + version + `)\.json$`)
	groupName = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]*\.[a-z]+$`)
)

// Identify returns the kind that a schema describes, according to its file's
// name, which has slashes. ok is false if the name has none of these forms,
// which users of kubeconform have:
//
//	{group}/{kind}_{version}.json
//	{kind}_{version}.json
//	{group}_{kind}_{version}.json
//	{kind}_{group}_{version}.json
//	{kind}-{first label of the group}-{version}.json
//
// dir is the directory that is an argument. If the name has no group and the
// file is in a subdirectory of dir, id.Unsure is set.
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
