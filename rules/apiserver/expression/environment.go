// Package expression compiles CEL expressions as a kube-apiserver does and
// reports which parts of a request an expression reads.
//
// The code of the compiler, its libraries and its cost limits is in
// k8s.io/apiserver. This package selects the libraries and limits that a release
// has.
package expression

import (
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// oldest is the first minor with CEL, in validation rules of custom resources and
// behind a gate.
const oldest lifecycle.Minor = 23

// Environment returns the base CEL environment of a minor's servers. It has the
// libraries and cost limits, but no variables. The result is cached and shared,
// so callers must not change it.
//
// NewExpressionsEnv of the result has everything that servers of the minor can
// evaluate. StoredExpressionsEnv has the libraries of the newest release, for
// every minor.
//
// For a new expression, use Environment(Created(minor)). During an upgrade a
// cluster has servers of two minors, so a server accepts only what the previous
// minor can evaluate, too.
//
// Minors before 1.23 have no CEL and get the environment of 1.23. Source:
// MustBaseEnvSet in k8s.io/apiserver/pkg/cel/environment/base.go.
func Environment(minor lifecycle.Minor) *environment.EnvSet {
	minor = min(max(minor, oldest), lifecycle.Newest)
	return environment.MustBaseEnvSet(version.MajorMinor(1, uint(minor)))
}

// Created returns the minor whose CEL environment limits new and changed
// expressions on servers of the given minor. This is the previous minor, and the
// minor itself up to 1.27. Source: DefaultCompatibilityVersion in
// k8s.io/apiserver/pkg/cel/environment/base.go (1.28–1.37).
func Created(minor lifecycle.Minor) lifecycle.Minor {
	if minor < 28 {
		return minor
	}
	return minor - 1
}
