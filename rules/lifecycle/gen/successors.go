package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// curatedSuccessors has replacements that the generator cannot find: no
// APILifecycle method names them, and they are not later versions of the same
// kind and group. It is the only part of the tables that is written by hand. An
// empty gvk means that nothing replaced the API.
var curatedSuccessors = map[gvk]gvk{
	// These kinds moved to new groups in early releases. APILifecycle methods
	// name the replacement only since 1.19, and some types were removed before.
	{"extensions", "v1beta1", "Ingress"}: {"networking.k8s.io", "v1", "Ingress"},

	// The methods of these networking.k8s.io/v1beta1 types name the kind of the
	// list, because of a tag that was copied. The server's warning has the same
	// mistake.
	{"networking.k8s.io", "v1beta1", "IngressClass"}: {"networking.k8s.io", "v1", "IngressClass"},

	// 1.25 removed PodSecurityPolicy. Pod Security admission replaces it, which
	// is configured by labels of namespaces and has no kind.
	{"extensions", "v1beta1", "PodSecurityPolicy"}: {},
	{"policy", "v1beta1", "PodSecurityPolicy"}:     {},

	// The classes of dynamic resource allocation became device classes in 1.31,
	// when the feature was redesigned.
	{"resource.k8s.io", "v1alpha1", "ResourceClass"}: {"resource.k8s.io", "v1", "DeviceClass"},
	{"resource.k8s.io", "v1alpha2", "ResourceClass"}: {"resource.k8s.io", "v1", "DeviceClass"},

	// Kinds that were renamed or moved in early releases. They have no
	// APILifecycle methods.
	{"apps", "v1alpha1", "PetSet"}:                                                     {"apps", "v1", "StatefulSet"},
	{"batch", "v2alpha1", "ScheduledJob"}:                                              {"batch", "v1", "CronJob"},
	{"extensions", "v1beta1", "HorizontalPodAutoscaler"}:                               {"autoscaling", "v2", "HorizontalPodAutoscaler"},
	{"extensions", "v1beta1", "Job"}:                                                   {"batch", "v1", "Job"},
	{"extensions", "v1beta1", "ThirdPartyResource"}:                                    {"apiextensions.k8s.io", "v1", "CustomResourceDefinition"},
	{"admissionregistration.k8s.io", "v1alpha1", "ExternalAdmissionHookConfiguration"}: {"admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration"},

	// The server still accepts this kind at pods/eviction. Since 1.22, policy/v1
	// is the kind of that path.
	{"policy", "v1beta1", "Eviction"}: {"policy", "v1", "Eviction"},
}

// findSuccessors sets the successor of each API in the newest minor. It is the
// first of these that exists:
//
//   - the curated successor
//   - the end of the chain of replacements, if the newest minor serves it
//   - the result of bestVersion
func (b *builder) findSuccessors(t *table) error {
	used := map[gvk]bool{}
	for _, a := range t.apis {
		if to, ok := curatedSuccessors[a.gvk]; ok {
			used[a.gvk] = true
			if to != (gvk{}) && b.apis[to] == nil {
				return fmt.Errorf("successor %s of %s is not in the table", to, a.gvk)
			}
			a.successor = to
			continue
		}
		if to := b.endOfChain(a); to != nil && to != a && b.isServable(to, t.newest) {
			a.successor = to.gvk
			continue
		}
		a.successor = b.bestVersion(t, a)
	}
	for k := range curatedSuccessors {
		if !used[k] {
			return fmt.Errorf("curated successor of %s, which is not in the table", k)
		}
	}
	return nil
}

// endOfChain follows the replacements from an API and returns the last one, or
// the API itself if nothing replaces it. Each replacement comes from the newest
// release that has the type.
func (b *builder) endOfChain(a *api) *api {
	for range 8 { // longer than every chain; stops at cycles
		n := len(a.history)
		if n == 0 {
			break
		}
		next := b.apis[a.history[n-1].replacement]
		if next == nil { // no replacement, or a kind that never existed, such as apps/v1 DeploymentRollback
			break
		}
		a = next
	}
	return a
}

// isServable reports whether a minor can serve an API. A list kind can be served if
// the kind of its items can.
func (b *builder) isServable(a *api, minor int) bool {
	if a.class == "List" {
		a = b.apis[a.item]
	}
	return a.servable.has(minor)
}

// onByDefault reports whether a minor serves an API by default. A list kind is
// served by default if the kind of its items is.
func (b *builder) onByDefault(a *api, minor int) bool {
	if a.class == "List" {
		a = b.apis[a.item]
	}
	return a.enabled.has(minor)
}

// bestVersion returns the best version of the API's kind and group that the
// newest minor has. It is empty if no version is better than the API.
//
// Stable is better than beta, and beta better than alpha; then a higher number is
// better. If the newest minor serves the API by default, it must also serve the
// better version by default.
func (b *builder) bestVersion(t *table, a *api) gvk {
	if n := len(a.history); b.isServable(a, t.newest) && isStable(a.Version) && (n == 0 || a.history[n-1].deprecated == 0) {
		return gvk{} // autoscaling/v1 is stable and not deprecated, so it needs no successor
	}
	var best *api
	for _, o := range t.apis {
		if o == a || o.Group != a.Group || o.Kind != a.Kind || !b.isServable(o, t.newest) {
			continue
		}
		if compareVersions(o.Version, a.Version) <= 0 || b.onByDefault(a, t.newest) && !b.onByDefault(o, t.newest) {
			continue
		}
		if best == nil || compareVersions(o.Version, best.Version) > 0 {
			best = o
		}
	}
	if best == nil {
		return gvk{}
	}
	return best.gvk
}

var versionPattern = regexp.MustCompile(`^v(\d+)(?:(alpha|beta)(\d+))?$`)

func isStable(version string) bool {
	m := versionPattern.FindStringSubmatch(version)
	return m != nil && m[2] == ""
}

// compareVersions compares versions by Kubernetes' preference. Source:
// CompareKubeAwareVersionStrings in k8s.io/apimachinery/pkg/version.
func compareVersions(a, b string) int {
	parse := func(v string) (n [3]int) {
		m := versionPattern.FindStringSubmatch(v)
		if m == nil {
			return n
		}
		n[0] = map[string]int{"alpha": 1, "beta": 2, "": 3}[m[2]]
		n[1], _ = strconv.Atoi(m[1])
		n[2], _ = strconv.Atoi(m[3])
		return n
	}
	x, y := parse(a), parse(b)
	return cmp.Or(slices.Compare(x[:], y[:]))
}
