package main

import (
	"slices"
	"strconv"
)

// release pins the modules that one Kubernetes minor is read from.
//
// A minor needs one line. The newest patch is the best one, but the module
// proxy does not have every patch of every module; a module that lacks the
// patch gets its own. Only two ever did, and of both little is read that a
// patch release would change: of kube-aggregator the lifecycle of APIService,
// of controller-manager the name of a gate.
type release struct {
	// minor is the x and patch the y of Kubernetes 1.x.y; the staging modules
	// (k8s.io/api and its like) carry the same number as 0.x.y.
	minor, patch int
	// small is the patch of kube-aggregator and controller-manager; zero means
	// the same.
	small int
	// pathsOnly marks a release older than what the tables answer for: of it
	// only the OpenAPI document is read, to know when APIs came and which were
	// gone before the tables begin.
	pathsOnly bool
}

// releases lists every minor that is read, oldest first, no gaps. To add the
// next release, add its line at the end and run the generator.
var releases = []release{
	// 1.6 and older have no kinds in their OpenAPI documents; see bygone.
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
	{minor: 31, patch: 14, small: 6},
	{minor: 32, patch: 13},
	{minor: 33, patch: 11, small: 6},
	{minor: 34, patch: 8},
	{minor: 35, patch: 6},
	{minor: 36, patch: 3},
	{minor: 37, patch: 1},
}

// The modules that are read. k8s.io/client-go is one because kube-apiserver registers
// its feature gates as its own. k8s.io/controller-manager is one because it has the
// name of a gate that k8s.io/kubernetes registers.
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

// covered returns the releases that the tables answer for.
func covered() []release {
	i := slices.IndexFunc(releases, func(r release) bool { return !r.pathsOnly })
	return releases[i:]
}

// modules returns the version of each module to read, in a fixed order.
func (r release) modules() []module {
	staging := "v0." + strconv.Itoa(r.minor) + "."
	patch := strconv.Itoa(r.patch)
	small := patch
	if r.small != 0 {
		small = strconv.Itoa(r.small)
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
