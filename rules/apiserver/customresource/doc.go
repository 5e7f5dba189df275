// Package customresource says what a kube-apiserver answers to a custom
// resource and to the CustomResourceDefinition that it belongs to.
//
// It re-states k8s.io/apiextensions-apiserver of 1.16 to 1.37: the handler that
// serves custom resources (pkg/apiserver/customresource_handler.go), their
// strategy (pkg/registry/customresource), pruning, defaulting and list types
// (pkg/apiserver/schema), and the validation of values by k8s.io/kube-openapi
// (pkg/validation/validate). Of CEL rules only comparisons of
// whole numbers are evaluated; of what others say nothing is known here.
package customresource
