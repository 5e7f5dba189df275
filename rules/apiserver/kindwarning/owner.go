package kindwarning

import (
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// OwnerReferences returns the warning about owner references that repeat another
// reference exactly. The server sends it for every kind with metadata, on create
// and on update. It comes after decoding, and before admission and validation.
//
// Source: dedupOwnerReferencesAndAddWarning in
// k8s.io/apiserver/pkg/endpoints/handlers/rest.go, the same from 1.20 to 1.37.
func OwnerReferences(s apiserver.Server, r apiserver.Request) []apiserver.Warning {
	return ownerReferences(s, r, "")
}

// OwnerReferencesOfPatch returns the warning of OwnerReferences for the result of
// a patch, such as kubectl apply of an existing object. The server sends it after
// mutating admission, and the text says so.
func OwnerReferencesOfPatch(s apiserver.Server, r apiserver.Request) []apiserver.Warning {
	return ownerReferences(s, r, " after mutating admission happens")
}

func ownerReferences(s apiserver.Server, r apiserver.Request, suffix string) []apiserver.Warning {
	refs := r.New.At("metadata", "ownerReferences").Elements()
	if s.Minor < 20 || len(refs) < 2 {
		return nil
	}
	var uids strings.Builder
	first := -1
	seen := make(map[reference]bool, len(refs))
	for i, ref := range refs {
		key := referenceOf(ref)
		if seen[key] {
			if first < 0 {
				first = i
			} else {
				uids.WriteString(", ")
			}
			uids.WriteString(key.uid)
		}
		seen[key] = true
	}
	if first < 0 {
		return nil
	}
	return []apiserver.Warning{{
		Field: "metadata.ownerReferences" + wire.Index(first),
		Text: ".metadata.ownerReferences contains duplicate entries" + suffix + "; API server dedups owner references in 1.20+, " +
			"and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: " + uids.String(),
		At: refs[first],
	}}
}

// reference is an owner reference as the server decodes it.
type reference struct {
	apiVersion, kind, name, uid    string
	controller, blockOwnerDeletion string // "" if absent
}

func referenceOf(v *wire.Value) reference {
	flag := func(name string) string {
		if b := v.Get(name); b != nil && b.Kind == wire.Bool {
			return b.Text
		}
		return ""
	}
	return reference{
		apiVersion: v.Get("apiVersion").StringOr(""), kind: v.Get("kind").StringOr(""),
		name: v.Get("name").StringOr(""), uid: v.Get("uid").StringOr(""),
		controller: flag("controller"), blockOwnerDeletion: flag("blockOwnerDeletion"),
	}
}
