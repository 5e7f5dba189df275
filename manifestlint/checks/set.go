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

// Set is what is known about the cluster from the context objects. It is
// immutable. A nil *Set is empty.
type Set struct {
	definitions *definitions
	namespaces  namespaces
	// sharedLabels are the labels by name that several Namespaces share; see
	// agreed.
	sharedLabels map[string]map[string]string
	webhooks     webhooks
	admission    *admission
	policies     policies
	// defaulters are webhooks that change new objects, by group.
	defaulters map[string]string
	// releases are the releases of projects in the cluster, by the project's
	// name.
	releases map[string]projects.Release
	// listed is the user's list of deprecated versions; nil for none.
	listed *additional.Versions
}

// NewSet returns a Set of context objects, in the order of the inputs.
func NewSet(context []objectcontext.Object) *Set {
	s := &Set{definitions: newDefinitions(context), namespaces: newNamespaces(context), webhooks: newWebhooks(context), admission: newAdmission(context), policies: newPolicies(context), defaulters: newDefaulters(context)}
	s.sharedLabels = s.namespaces.agreed()
	return s
}

// WithReleases returns a copy of the set for a cluster with releases of projects,
// by the project's name. A list of the user, which may be nil, takes precedence
// over what is known about the projects.
func (s *Set) WithReleases(releases map[string]projects.Release, listed *additional.Versions) *Set {
	var with Set
	if s != nil {
		with = *s
	} else {
		with = *NewSet(nil)
	}
	with.releases, with.listed = releases, listed
	return &with
}

// release returns the release of a project in the cluster, and false if it is not
// known.
func (s *Set) release(p projects.Project) (projects.Release, bool) {
	if s == nil {
		return projects.Release{}, false
	}
	r, ok := s.releases[p.Name]
	return r, ok
}

// lists reports whether the user's list has the object's version.
func (s *Set) lists(o *manifestlint.Object) bool {
	return s != nil && s.listed != nil && s.listed.Find(o.APIVersion, o.Kind) != nil
}

// WithSchemas makes the set use schemas for kinds without a definition, and returns
// it. Call it before the set is used.
func (s *Set) WithSchemas(schemas Schemas) *Set {
	s.definitions.schemas = schemas
	return s
}

// ContextKinds returns the kinds of objects that a Set is made of. FurtherKinds
// may add others.
func ContextKinds() []string {
	return append(policyKinds(), definitionKind, mutatingKind, "Namespace", "ValidatingWebhookConfiguration")
}

// NeededKinds returns the kinds of context objects that are needed if only some
// rules are enabled. Definitions always are: they decide which custom resources
// count as checked.
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
