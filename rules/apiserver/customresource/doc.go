// Package customresource predicts a kube-apiserver's answers to custom resources and to
// CustomResourceDefinitions.
//
// It re-states k8s.io/apiextensions-apiserver of 1.16 to 1.37: the handler of custom
// resources (pkg/apiserver/customresource_handler.go), their strategy
// (pkg/registry/customresource), pruning, defaulting and list types
// (pkg/apiserver/schema), and the validation of values by k8s.io/kube-openapi
// (pkg/validation/validate).
//
// The server's own code (pkg/apiserver/schema/cel) compiles and evaluates the rules of
// x-kubernetes-validations, in the words of the release. They are compiled when an
// object first has a value that they apply to.
package customresource
