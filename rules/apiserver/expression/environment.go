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
// libraries and cost limits, but no variables.
//
// NewExpressionsEnv of the result has everything that servers of the minor can
// evaluate. For a new expression, a server allows only what servers of the
// previous minor can evaluate, too, because a cluster has servers of both
// minors during an upgrade. For a new expression use
// Environment(Created(minor)). StoredExpressionsEnv has the libraries of the
// newest release, whatever the minor is.
//
// Environments are built on first use and cached. Minors before 1.23 have no CEL
// and get the environment of 1.23. The result is shared and must not be changed.
//
// It uses MustBaseEnvSet of k8s.io/apiserver/pkg/cel/environment/base.go, whose
// table has the releases from 1.23 on.
func Environment(minor lifecycle.Minor) *environment.EnvSet {
	minor = min(max(minor, oldest), lifecycle.Newest)
	return environment.MustBaseEnvSet(version.MajorMinor(1, uint(minor)))
}

// Created returns the minor that limits new expressions. When an expression is created
// or changed, a server of the given minor allows only the CEL environment of the
// returned minor: DefaultCompatibilityVersion of
// k8s.io/apiserver/pkg/cel/environment/base.go (1.28–1.37). Up to 1.27 this is the
// server's own minor.
func Created(minor lifecycle.Minor) lifecycle.Minor {
	if minor < 28 {
		return minor
	}
	return minor - 1
}
