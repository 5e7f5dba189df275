//go:build !js

// Package admitted returns the object of a request as the admission plugins of a
// kube-apiserver see it. CEL policies and match conditions need this object.
//
// The server decodes the body and sets the defaults of the version (Decoded).
// Built-in plugins then add fields (Plugins), and mutating policies see the
// result. Before validating plugins run, the registry's strategy sets, clears and
// drops fields (Prepared). A strategy is the server's code for one kind.
//
// Some values depend on the cluster's state or are random. The functions do not
// guess these values, but return the paths of their fields.
//
// The tests compare the results with the objects that released servers returned
// for dry runs. Source: pkg/apis/*/*/defaults.go and zz_generated.defaults.go,
// plugin/pkg/admission/* and pkg/registry/*/*/strategy.go in k8s.io/kubernetes
// 1.26 to 1.37.
package admitted

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/internal/gotype"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Decoded returns the objects of a request as the server has them after decoding.
// They are in the version of the request, with its defaults, and without fields
// that the release does not know. obj is a pointer to a struct of k8s.io/api. For
// APIServices and custom resources it is an *unstructured.Unstructured, without
// the defaults of a custom resource's schema. old is nil on create.
//
// r must be a request that schema.Decode accepts. r does not have the namespace
// of the request's URL. Callers must therefore do what the server does: set
// metadata.namespace of namespaced objects to the namespace of the URL, and clear
// metadata.namespace of other objects.
//
// The error says why the object cannot be decoded: k8s.io/api no longer has the
// type, or a value is too large. The answer of admission is then unknown.
func Decoded(s apiserver.Server, r apiserver.Request) (obj, old runtime.Object, err error) {
	if obj, err = decode(s, r, r.New); err != nil || r.Old == nil {
		return obj, nil, err
	}
	if old, err = decode(s, r, r.Old); err != nil {
		return nil, nil, err
	}
	return obj, old, nil
}

func decode(s apiserver.Server, r apiserver.Request, v *wire.Value) (runtime.Object, error) {
	if !gotype.Known(r.APIVersion, r.Kind, s.Minor) || r.Kind == "APIService" {
		return unstructuredOf(s, r, v)
	}
	kind := schema.FromAPIVersionAndKind(r.APIVersion, r.Kind)
	obj, err := types().New(kind)
	if err != nil {
		return nil, fmt.Errorf("this version of kubevet has no type for %s %s", r.APIVersion, r.Kind)
	}
	if err := gotype.Into(s.Minor, r.APIVersion, r.Kind, v, obj); err != nil {
		return nil, err
	}
	obj.GetObjectKind().SetGroupVersionKind(kind)
	Default(s, obj)
	return obj, nil
}

func unstructuredOf(s apiserver.Server, r apiserver.Request, v *wire.Value) (runtime.Object, error) {
	obj := &unstructured.Unstructured{}
	data, err := gotype.Pruned(s.Minor, r.APIVersion, r.Kind, v)
	if err != nil {
		return nil, err
	}
	fields, ok := data.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the object is not a map")
	}
	obj.Object = fields
	Default(s, obj)
	return obj, nil
}

// Default sets the defaults of an object's version. The server sets them when it
// decodes an object, and again after each mutation. Default also makes the
// changes that result from converting the object to the server's internal version
// and back.
func Default(s apiserver.Server, obj runtime.Object) {
	switch obj := obj.(type) {
	case nil:
	case *unstructured.Unstructured:
		defaultAPIService(obj)
	default:
		defaulter().walk(s, obj)
	}
}

// defaultAPIService sets the defaults of an APIService, which is the only
// built-in kind that k8s.io/api lacks
// (k8s.io/kube-aggregator/pkg/apis/apiregistration/v1/defaults.go).
func defaultAPIService(obj *unstructured.Unstructured) {
	if obj.GetKind() != "APIService" || obj.GetAPIVersion() != "apiregistration.k8s.io/v1" {
		return
	}
	service, ok, _ := unstructured.NestedMap(obj.Object, "spec", "service")
	if !ok || service["port"] != nil {
		return
	}
	service["port"] = int64(443)
	_ = unstructured.SetNestedMap(obj.Object, service, "spec", "service") // no error, because NestedMap found the map
}
