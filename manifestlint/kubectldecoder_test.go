package manifestlint_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// sent is an object that a client sends.
type sent struct {
	apiVersion, kind, namespace, name string
	body                              any // body of the object as encoding/json decodes it
}

// kubectlObjects returns the objects that kubectl apply sends for a file, and
// the errors that it reports. It calls kubectl's decoders (k8s.io/cli-runtime,
// pkg/resource/visitor.go: FileVisitor, StreamVisitor and FlattenListVisitor).
// It stops at the first error that is not about an item of a list.
func kubectlObjects(text []byte) (all []sent, errs []error) {
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(decoded(text)), 4096)
	for {
		var ext runtime.RawExtension
		if err := decoder.Decode(&ext); errors.Is(err, io.EOF) {
			return all, errs
		} else if err != nil {
			return all, append(errs, err)
		}
		raw := bytes.TrimSpace(ext.Raw)
		if len(raw) == 0 || string(raw) == "null" {
			continue
		}
		obj, _, err := unstructured.UnstructuredJSONScheme.Decode(raw, nil, nil)
		if err != nil {
			return all, append(errs, err)
		}
		items, err := flattened(obj)
		if err != nil {
			return all, append(errs, err)
		}
		for _, item := range items {
			s, err := sentObject(item)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			all = append(all, s)
		}
	}
}

func decoded(text []byte) []byte {
	out, _, err := transform.Bytes(unicode.BOMOverride(unicode.UTF8.NewDecoder()), text)
	if err != nil {
		return text
	}
	return out
}

// flattened returns the items of a list, or the object itself.
func flattened(obj runtime.Object) ([]runtime.Object, error) {
	var items []runtime.Object
	for queue := []runtime.Object{obj}; len(queue) > 0; queue = queue[1:] {
		if !meta.IsListType(queue[0]) {
			items = append(items, queue[0])
			continue
		}
		below, err := meta.ExtractList(queue[0])
		if err != nil {
			return nil, err
		}
		queue = append(queue, below...)
	}
	return items, nil
}

func sentObject(obj runtime.Object) (sent, error) {
	u, ok := obj.(*unstructured.Unstructured)
	if !ok {
		return sent{}, fmt.Errorf("%T is not an object", obj)
	}
	s := sent{u.GetAPIVersion(), u.GetKind(), u.GetNamespace(), u.GetName(), u.Object}
	if s.apiVersion == "" || s.kind == "" {
		return sent{}, errors.New("Object 'Kind' or 'apiVersion' is missing")
	}
	return s, nil
}
