package main

import (
	"encoding/json"
	"fmt"
	"net/http"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"

	"github.com/kubevet/kubevet/internal/oracle"
)

// codeRelease is the release in go.mod, whose code byCode uses.
const codeRelease = "1.37"

// byCode converts an object with the code of the newest release, which knows versions
// that its server no longer serves. It decodes the object in the old version and sets
// defaults, stores it in the new version, and reads it in the new version. It does not
// validate the object, and does not set the fields that the strategy of a kind sets. ok
// is false if the code does not know both versions.
func byCode(q question) (c conversion, ok bool, err error) {
	c = conversion{ID: q.ID, Release: codeRelease, From: q.Obj, ToVersion: q.To, Code: http.StatusCreated}
	var head oracle.Head
	if err := json.Unmarshal(q.Obj, &head); err != nil {
		return c, false, err
	}
	from := schema.FromAPIVersionAndKind(head.APIVersion, head.Kind)
	to := schema.FromAPIVersionAndKind(q.To, head.Kind)
	if q.To == "" || !legacyscheme.Scheme.Recognizes(from) || !legacyscheme.Scheme.Recognizes(to) {
		return c, false, nil
	}
	internal, err := runtime.Decode(legacyscheme.Codecs.UniversalDecoder(), q.Obj)
	if err != nil {
		c.Code, c.Message = http.StatusBadRequest, err.Error()
		return c, true, nil
	}
	stored, err := runtime.Encode(legacyscheme.Codecs.LegacyCodec(to.GroupVersion()), internal)
	if err != nil {
		return c, false, err
	}
	for _, read := range []struct {
		as   schema.GroupVersion
		into *json.RawMessage
	}{{from.GroupVersion(), &c.DefaultedFrom}, {to.GroupVersion(), &c.To}} {
		again, err := runtime.Decode(legacyscheme.Codecs.UniversalDecoder(), stored)
		if err != nil {
			return c, false, fmt.Errorf("reading what was stored: %w", err)
		}
		body, err := runtime.Encode(legacyscheme.Codecs.LegacyCodec(read.as), again)
		if err != nil {
			return c, false, err
		}
		if *read.into, err = withoutServerFields(body, q.Obj); err != nil {
			return c, false, err
		}
	}
	return c, true, nil
}
