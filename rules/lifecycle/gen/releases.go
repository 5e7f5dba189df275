package main

import (
	"slices"
	"strconv"
)

// release has the module versions from which one Kubernetes minor is read: the
// newest patch for which the module proxy has the modules. Only kube-aggregator
// and controller-manager may have an older patch, because the generator reads
// little from them: the lifecycle of APIService and the name of one gate.
type release struct {
	// minor is x and patch is y of Kubernetes 1.x.y. Modules such as k8s.io/api
	// have the version 0.x.y.
	minor, patch int
	// aggregatorPatch is the patch of kube-aggregator and controller-manager, or
	// zero if it equals patch.
	aggregatorPatch int
	// pathsOnly marks a release before the first one in the tables. Only its
	// OpenAPI document is read. The document shows when APIs appeared, and which
	// APIs were removed before the first release in the tables.
	pathsOnly bool
}

// releases lists every minor that is read, oldest first and without gaps. To add
// the next release, add a line at the end and run the generator.
var releases = []release{
	// The OpenAPI documents of 1.6 and older name no kinds; see bygone.
	{minor: 7, patch: 5, pathsOnly: true},
	{minor: 8, patch: 15, pathsOnly: true},
	{minor: 9, patch: 11, pathsOnly: true},
	{minor: 10, patch: 13, pathsOnly: true},
	{minor: 11, patch: 10, pathsOnly: true},
	{minor: 12, patch: 10, pathsOnly: true},
	{minor: 13, patch: 12, pathsOnly: true},
	{minor: 14, patch: 10, pathsOnly: true},
	{minor: 15, patch: 12, pathsOnly: true},
	{minor: 16, patch: 15},
	{minor: 17, patch: 17},
	{minor: 18, patch: 19},
	{minor: 19, patch: 16},
	{minor: 20, patch: 15},
	{minor: 21, patch: 14},
	{minor: 22, patch: 17},
	{minor: 23, patch: 17},
	{minor: 24, patch: 17},
	{minor: 25, patch: 16},
	{minor: 26, patch: 15},
	{minor: 27, patch: 16},
	{minor: 28, patch: 15},
	{minor: 29, patch: 15},
	{minor: 30, patch: 14},
	{minor: 31, patch: 14, aggregatorPatch: 6},
	{minor: 32, patch: 13},
	{minor: 33, patch: 11, aggregatorPatch: 6},
	{minor: 34, patch: 8},
	{minor: 35, patch: 6},
	{minor: 36, patch: 3},
	{minor: 37, patch: 1},
}

// The modules that are read. kube-apiserver also accepts feature gates of
// k8s.io/client-go. k8s.io/controller-manager contains the name of a gate that
// k8s.io/kubernetes registers.
const (
	modKubernetes    = "k8s.io/kubernetes"
	modAPI           = "k8s.io/api"
	modAPIExtensions = "k8s.io/apiextensions-apiserver"
	modAggregator    = "k8s.io/kube-aggregator"
	modAPIServer     = "k8s.io/apiserver"
	modComponentBase = "k8s.io/component-base"
	modMachinery     = "k8s.io/apimachinery"
	modClientGo      = "k8s.io/client-go"
	modControllers   = "k8s.io/controller-manager"

	clientGoGatesSince    = 30
	controllersGatesSince = 32
)

// String returns the release's version, such as "1.37.1".
func (r release) String() string {
	return "1." + strconv.Itoa(r.minor) + "." + strconv.Itoa(r.patch)
}

// covered returns the releases that the tables cover, without those marked
// pathsOnly.
func covered() []release {
	i := slices.IndexFunc(releases, func(r release) bool { return !r.pathsOnly })
	return releases[i:]
}

// modules returns the modules to read for a release, in a fixed order.
func (r release) modules() []module {
	staging := "v0." + strconv.Itoa(r.minor) + "."
	patch := strconv.Itoa(r.patch)
	small := patch
	if r.aggregatorPatch != 0 {
		small = strconv.Itoa(r.aggregatorPatch)
	}
	if r.pathsOnly {
		return []module{{modKubernetes, "v" + r.String()}}
	}
	mods := []module{
		{modKubernetes, "v" + r.String()},
		{modAPI, staging + patch},
		{modAPIExtensions, staging + patch},
		{modAggregator, staging + small},
		{modAPIServer, staging + patch},
		{modComponentBase, staging + patch},
	}
	if r.minor >= clientGoGatesSince {
		mods = append(mods, module{modClientGo, staging + patch})
	}
	if r.minor >= controllersGatesSince {
		mods = append(mods, module{modControllers, staging + small})
	}
	return mods
}
