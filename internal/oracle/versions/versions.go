// Package versions converts objects between versions with the code of the
// newest Kubernetes release, without a server. It decodes, defaults and
// converts objects.
package versions

import (
	"encoding/json"
	"fmt"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/install"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/api/testing" // registers all built-in kinds
)

// Minor is the minor of the release whose code is used, the release in go.mod.
const Minor = "1.37"

// Scheme converts objects between the versions of their kind.
type Scheme struct {
	scheme         *runtime.Scheme
	codecs, strict serializer.CodecFactory
}

// New returns a Scheme with all built-in kinds, custom resource definitions and API
// services. A program can have only one.
func New() *Scheme {
	s := legacyscheme.Scheme
	apiextensions.Install(s)
	apiregistration.Install(s)
	return &Scheme{scheme: s, codecs: serializer.NewCodecFactory(s), strict: serializer.NewCodecFactory(s, serializer.EnableStrict)}
}

// Has reports whether the release's code has the kind, even if its server no
// longer serves it.
func (s *Scheme) Has(apiVersion, kind string) bool {
	return s.scheme.Recognizes(schema.FromAPIVersionAndKind(apiVersion, kind))
}

// Answer is the result of a conversion.
type Answer struct {
	// Object is the object in the new version, with defaults.
	Object map[string]any
	// Strict is the error of strict decoding, or "".
	Strict string
}

// Show returns an object as a server would return it in this version after storing it,
// without the status. It is decoded, defaulted, converted, and defaulted again, like an
// object that is read from storage.
func (s *Scheme) Show(object []byte, apiVersion string) (a Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the release's code panics: %v", p)
		}
	}()
	if _, _, err := s.strict.UniversalDeserializer().Decode(object, nil, nil); err != nil {
		a.Strict = err.Error()
	}
	to, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return a, err
	}
	var data []byte
	for range 2 {
		hub, _, err := s.codecs.UniversalDecoder().Decode(object, nil, nil)
		if err != nil {
			return a, err
		}
		if data, err = runtime.Encode(s.codecs.LegacyCodec(to), hub); err != nil {
			return a, err
		}
		object = data
	}
	if err := json.Unmarshal(data, &a.Object); err != nil {
		return a, err
	}
	delete(a.Object, "status")
	withoutNow(a.Object)
	return a, nil
}

// withoutNow removes the time of a taint if it is the default, which is the current time.
func withoutNow(v any) {
	switch v := v.(type) {
	case map[string]any:
		if text, ok := v["timeAdded"].(string); ok {
			if at, err := time.Parse(time.RFC3339, text); err == nil && time.Since(at) < time.Hour {
				delete(v, "timeAdded")
			}
		}
		for _, e := range v {
			withoutNow(e)
		}
	case []any:
		for _, e := range v {
			withoutNow(e)
		}
	}
}
