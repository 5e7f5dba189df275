//go:build !js

package policy

import (
	"errors"
	"fmt"
	"reflect"

	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

// The methods of request below create, default and convert objects for the
// server's code.

// GetObjectCreater implements admission.ObjectInterfaces.
func (r *request) GetObjectCreater() runtime.ObjectCreater { return creater{} }

// GetObjectTyper implements admission.ObjectInterfaces.
func (r *request) GetObjectTyper() runtime.ObjectTyper { return typer{} }

// GetObjectDefaulter implements admission.ObjectInterfaces.
func (r *request) GetObjectDefaulter() runtime.ObjectDefaulter { return defaulter{r.sent.Default} }

// GetObjectConvertor implements admission.ObjectInterfaces.
func (r *request) GetObjectConvertor() runtime.ObjectConvertor { return convertor{r} }

// GetEquivalentResourceMapper implements admission.ObjectInterfaces.
func (r *request) GetEquivalentResourceMapper() runtime.EquivalentResourceMapper { return r.resource }

type creater struct{}

// New implements runtime.ObjectCreater. Objects of kinds that are not built in
// are unstructured.
func (creater) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	if obj, err := scheme.Scheme.New(kind); err == nil {
		return obj, nil
	}
	return &unstructured.Unstructured{}, nil
}

type typer struct{}

// ObjectKinds implements runtime.ObjectTyper.
func (typer) ObjectKinds(obj runtime.Object) ([]schema.GroupVersionKind, bool, error) {
	if isUnstructured(obj) {
		return []schema.GroupVersionKind{obj.GetObjectKind().GroupVersionKind()}, false, nil
	}
	return scheme.Scheme.ObjectKinds(obj)
}

// Recognizes implements runtime.ObjectTyper.
func (typer) Recognizes(kind schema.GroupVersionKind) bool { return true }

type defaulter struct{ set func(runtime.Object) }

// Default implements runtime.ObjectDefaulter.
func (d defaulter) Default(obj runtime.Object) {
	if d.set != nil {
		d.set(obj)
	}
}

// errConversion is the error of a conversion that only a server could do.
var errConversion = errors.New("conversion is not known")

type convertor struct{ *request }

// Convert implements runtime.ObjectConvertor. It converts between versions that
// have the same fields, and otherwise returns errConversion.
func (c convertor) Convert(in, out, _ any) error {
	from, to := reflect.ValueOf(in), reflect.ValueOf(out)
	if from.Type() == to.Type() {
		if u, ok := in.(*unstructured.Unstructured); ok {
			return c.convertCustom(u, out.(*unstructured.Unstructured))
		}
		to.Elem().Set(from.Elem())
		return nil
	}
	if u, ok := in.(*unstructured.Unstructured); ok {
		return runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, out)
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(in)
	if err != nil {
		return err
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, out); err != nil {
		return errConversion
	}
	back, err := runtime.DefaultUnstructuredConverter.ToUnstructured(out)
	if err != nil || !apiequality.Semantic.DeepEqual(fields, back) {
		return errConversion
	}
	return nil
}

// convertCustom copies a custom resource from in to out; the caller sets the new
// version. It returns errConversion if a conversion webhook would convert between
// two versions, because the webhook can change any field.
func (c convertor) convertCustom(in, out *unstructured.Unstructured) error {
	kind := in.GroupVersionKind()
	d := c.cluster.definitions[kind.GroupKind()]
	if d != nil && d.At.At("spec", "conversion", "strategy").StringOr("None") != "None" && in != out {
		if out.GroupVersionKind() != kind || len(out.Object) == 0 {
			return errConversion
		}
	}
	out.Object = in.DeepCopy().Object
	return nil
}

// ConvertToVersion implements runtime.ObjectConvertor.
func (c convertor) ConvertToVersion(in runtime.Object, to runtime.GroupVersioner) (runtime.Object, error) {
	kind, ok := to.KindForGroupVersionKinds([]schema.GroupVersionKind{in.GetObjectKind().GroupVersionKind()})
	if !ok {
		return nil, fmt.Errorf("%w to %v", errConversion, to)
	}
	if !isUnstructured(in) {
		return in, nil
	}
	out, err := creater{}.New(kind)
	if err != nil {
		return nil, err
	}
	if err := c.Convert(in, out, nil); err != nil {
		return nil, err
	}
	out.GetObjectKind().SetGroupVersionKind(kind)
	return out, nil
}

// ConvertFieldLabel implements runtime.ObjectConvertor.
func (convertor) ConvertFieldLabel(_ schema.GroupVersionKind, label, value string) (string, string, error) {
	return label, value, nil
}
