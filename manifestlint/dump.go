package manifestlint

import (
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Dumped reports whether an object was read from a server, as kubectl get
// prints it: it has a UID and, with it, a version or a time of creation. Nobody
// writes these; the server set them when it took the object, which for the
// server it was says that nothing in it is refused.
func (o *Object) Dumped() bool {
	meta := o.Root.Get("metadata")
	return meta.Get("uid").StringOr("") != "" &&
		(meta.Get("resourceVersion").StringOr("") != "" || !meta.Get("creationTimestamp").IsNull())
}

// Controlled reports whether a controller of Kubernetes itself makes the object
// after another one, as it makes a ReplicaSet and its Pods after a Deployment:
// what is wrong with it is to be fixed there.
func (o *Object) Controlled() bool {
	owners := o.Root.At("metadata", "ownerReferences")
	if owners == nil {
		return false
	}
	for _, owner := range owners.Items {
		if c := owner.Get("controller"); c == nil || c.Kind != wire.Bool || c.Text != "true" {
			continue
		}
		_, known := lifecycle.LookupGV(owner.Get("apiVersion").StringOr(""), owner.Get("kind").StringOr(""))
		return known
	}
	return false
}
