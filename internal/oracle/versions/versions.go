// Package versions converts objects between the versions of their kind with the
// code of the newest release of Kubernetes itself, without a server: decoding,
// defaulting and conversion.
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

// Minor is the release whose code this is: that of go.mod.
const Minor = "1.37"

// Scheme converts.
type Scheme struct {
	scheme         *runtime.Scheme
	codecs, strict serializer.CodecFactory
}

// New makes a Scheme of all built-in kinds, custom resource definitions and API
// services. There can be one in a program.
func New() *Scheme {
	s := legacyscheme.Scheme
	apiextensions.Install(s)
	apiregistration.Install(s)
	return &Scheme{scheme: s, codecs: serializer.NewCodecFactory(s), strict: serializer.NewCodecFactory(s, serializer.EnableStrict)}
}

// Has reports whether the release knows the kind, served or not.
func (s *Scheme) Has(apiVersion, kind string) bool {
	return s.scheme.Recognizes(schema.FromAPIVersionAndKind(apiVersion, kind))
}

// Answer is what becomes of an object.
type Answer struct {
	// Object is the object in the version that was asked for, with defaults.
	Object map[string]any
	// Strict is what strict decoding of the given object says, and empty if it
	// has nothing to say.
	Strict string
}

// Show returns an object in the form in which a server that stored it shows it in a version of its
// kind, without the status. It is decoded, defaulted, converted, and defaulted again, like an
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

// withoutNow takes out the time of a taint that is a default: the moment at
// which the object was looked at.
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
