// Package customresource predicts a kube-apiserver's answers to custom resources
// and to CustomResourceDefinitions.
//
// The server's own code (pkg/apiserver/schema/cel) compiles and evaluates the
// rules of x-kubernetes-validations. Its errors are adapted to the texts of the
// release. A rule is compiled when an object first has a value to which the rule
// applies.
//
// Source: k8s.io/apiextensions-apiserver of 1.16 to 1.37: the handler of custom
// resources (pkg/apiserver/customresource_handler.go), their strategy
// (pkg/registry/customresource), pruning, defaulting and list types
// (pkg/apiserver/schema), and the validation of values by k8s.io/kube-openapi
// (pkg/validation/validate).
package customresource
