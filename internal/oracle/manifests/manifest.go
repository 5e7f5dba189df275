// Package manifests reads the objects in directories of manifests as kubectl sends them.
// It also renders kustomizations and charts.
package manifests

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubevet/kubevet/internal/oracle"
)

// Object is an object that kubectl would send.
type Object struct {
	Stream *Stream
	// Head is the object's identity. For an object with a generateName, the name ends in
	// "*".
	Head oracle.Head
	// Index is the index of the object in the stream, from 0.
	Index int
	// Nth is the number of earlier objects in the stream with this head.
	Nth int
	// Body is the JSON that kubectl would send.
	Body json.RawMessage
}

// Key identifies an object in its stream.
type Key struct {
	APIVersion, Kind, Namespace, Name string
	Nth                               int
}

// Key returns the object's key.
func (o *Object) Key() Key {
	return Key{o.Head.APIVersion, o.Head.Kind, o.Head.Metadata.Namespace, o.Head.Metadata.Name, o.Nth}
}

// Stream is a file, or a text that was rendered from several files.
type Stream struct {
	// Name is the file's path below the directory, with slashes. The name of a rendered
	// text says that it is rendered.
	Name string
	// Rendered is set for a rendered text.
	Rendered bool
	// Data is the text.
	Data []byte
}

// Objects reads a stream like kubectl (cli-runtime/pkg/resource/visitor.go): YAML or JSON
// documents, converted to JSON, with lists split into their items. It skips invalid
// documents and returns their number.
func (s *Stream) Objects() (all []*Object, unread int, err error) {
	seen := map[Key]int{}
	add := func(u *unstructured.Unstructured) error {
		body, err := runtime.Encode(unstructured.UnstructuredJSONScheme, u)
		if err != nil {
			return err
		}
		o := &Object{Stream: s, Index: len(all), Body: bytes.TrimSpace(body)}
		o.Head.APIVersion, o.Head.Kind = u.GetAPIVersion(), u.GetKind()
		o.Head.Metadata.Name, o.Head.Metadata.Namespace = u.GetName(), u.GetNamespace()
		if o.Head.Metadata.Name == "" && u.GetGenerateName() != "" {
			o.Head.Metadata.Name = u.GetGenerateName() + "*"
		}
		k := o.Key()
		o.Nth = seen[k]
		seen[k]++
		all = append(all, o)
		return nil
	}
	for docs := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(s.Data))); ; {
		text, err := docs.Read()
		if errors.Is(err, io.EOF) {
			return all, unread, nil
		}
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", s.Name, err)
		}
		data := text
		if !json.Valid(text) {
			if data, err = utilyaml.ToJSON(text); err != nil {
				unread++
				continue
			}
		}
		if data = bytes.TrimSpace(data); len(data) == 0 || bytes.Equal(data, []byte("null")) {
			continue
		}
		decoded, _, err := unstructured.UnstructuredJSONScheme.Decode(data, nil, nil)
		if err != nil {
			unread++
			continue
		}
		switch u := decoded.(type) {
		case *unstructured.Unstructured:
			err = add(u)
		case *unstructured.UnstructuredList:
			for i := range u.Items {
				if err = add(&u.Items[i]); err != nil {
					break
				}
			}
		}
		if err != nil {
			unread++
		}
	}
}
