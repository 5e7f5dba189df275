// Package projects knows the custom resources of well-known projects, such as
// cert-manager and Istio. It knows which releases of a project serve and
// deprecate each version of a kind.
//
// The module in gen generates the tables from the definitions in the projects'
// releases. In this package, a release is a minor, such as cert-manager 1.18,
// which is read from the minor's newest patch.
package projects
