// Package projects knows the custom resources of well-known projects, such as
// cert-manager and Istio. For each kind it knows which releases of the project
// serve and deprecate each version.
//
// The module in gen generates the tables from the definitions in the projects'
// releases. In this package, a release is a minor, such as cert-manager 1.18. It
// is read from the newest patch of the minor.
package projects
