package checks

import (
	"slices"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/additional"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/rules/projects"
)

// definitionKind is the kind of custom resource definitions.
const definitionKind = "CustomResourceDefinition"

// Set has what the context objects define about the cluster. It is immutable. A
// nil *Set is empty.
type Set struct {
	definitions *definitions
	namespaces  namespaces
	// sharedLabels are the results of NamespaceLabels for names that several
	// Namespaces have.
	sharedLabels map[string]map[string]string
	webhooks     webhooks
	admission    *admission
	policies     policies
	// defaulters has a webhook that changes new custom resources, by group.
	defaulters map[string]string
	// releases has the releases of projects in the cluster, by the project's
	// name.
	releases map[string]projects.Release
	// userList is the user's list of deprecated versions; nil for none.
	userList *additional.Versions
}

// NewSet returns a Set of context objects, in the order of the inputs.
func NewSet(context []objectcontext.Object) *Set {
	s := &Set{definitions: newDefinitions(context), namespaces: newNamespaces(context), webhooks: newWebhooks(context), admission: newAdmission(context), policies: newPolicies(context), defaulters: newDefaulters(context)}
	s.sharedLabels = s.namespaces.commonLabels()
	return s
}

// WithReleases returns a copy of the set for a cluster with these releases of
// projects, by the project's name. listed is the user's list of deprecated
// versions; nil for none. It takes precedence over the table of projects.
func (s *Set) WithReleases(releases map[string]projects.Release, listed *additional.Versions) *Set {
	var with Set
	if s != nil {
		with = *s
	} else {
		with = *NewSet(nil)
	}
	with.releases, with.userList = releases, listed
	return &with
}

// release returns the release of a project in the cluster. It returns false if
// it is unknown.
func (s *Set) release(p projects.Project) (projects.Release, bool) {
	if s == nil {
		return projects.Release{}, false
	}
	r, ok := s.releases[p.Name]
	return r, ok
}

// isInUserList reports whether the user's list contains the object's version.
func (s *Set) isInUserList(o *manifestlint.Object) bool {
	return s != nil && s.userList != nil && s.userList.Find(o.APIVersion, o.Kind) != nil
}

// WithSchemas makes the set use schemas for kinds without a definition, and
// returns s. Call it before the set is used.
func (s *Set) WithSchemas(schemas Schemas) *Set {
	s.definitions.schemas = schemas
	return s
}

// ContextKinds returns the kinds of objects that NewSet uses. FurtherKinds
// returns additional kinds that policies need.
func ContextKinds() []string {
	return append(policyKinds(), definitionKind, mutatingKind, "Namespace", "ValidatingWebhookConfiguration")
}

// NeededKinds returns the kinds of context objects that the enabled rules need.
// Custom resource definitions are always needed, because they determine which
// custom resources count as checked.
func NeededKinds(enabled func(rule string) bool) []string {
	kinds := []string{definitionKind}
	for _, c := range All(nil) {
		if slices.ContainsFunc(c.Rules(), enabled) {
			kinds = append(kinds, c.Context...)
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}
