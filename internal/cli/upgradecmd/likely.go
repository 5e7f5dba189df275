package upgradecmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// fought is a fact about a fight, by its index, with its object.
type fought struct {
	fact   int
	object contention.Object
}

// likely finds the owners of objects that clients fight over, and the probable owners of
// service accounts: those of the manifests in their namespaces. It is safe for concurrent
// use.
type likely struct {
	r *run
	// clients are the names of clients by namespace.
	clients map[string][]string
	objects map[contention.Object]bool

	mu sync.Mutex
	// seen are the manifests of these namespaces and objects, by namespace.
	seen map[string][]manifest
}

// manifest is an object in a file.
type manifest struct {
	file string
	ref  rules.ObjectRef
}

// maxLikely bounds the manifests that are remembered.
const maxLikely = 100_000

// newLikely returns what to look for. The audit logs have been read before.
func (r *run) newLikely() *likely {
	x := &likely{r: r, clients: map[string][]string{}, objects: map[contention.Object]bool{}, seen: map[string][]manifest{}}
	for i := range r.facts {
		f := &r.facts[i]
		account, ok := strings.CutPrefix(f.OwnerName, "system:serviceaccount:")
		if namespace, _, _ := strings.Cut(account, ":"); ok && f.OwnerKind == "audit" && namespace != "" && !slices.Contains(x.clients[namespace], f.OwnerName) {
			x.clients[namespace] = append(x.clients[namespace], f.OwnerName)
		}
	}
	for _, f := range r.fought {
		x.objects[f.object] = true
	}
	return x
}

// add remembers an object if its owner may be of interest.
func (x *likely) add(e manifestlint.Event) {
	o := e.Object
	if o == nil || o.Dumped() || e.Input.Name == "-" {
		return
	}
	ref := *o.Ref()
	if len(x.clients[ref.Namespace]) == 0 && !x.objects[objectOf(&ref)] {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if all := x.seen[ref.Namespace]; len(all) < maxLikely {
		x.seen[strings.Clone(ref.Namespace)] = append(all, manifest{strings.Clone(e.Input.Name), ref})
	}
}

// objectOf names an object as audit logs do.
func objectOf(ref *rules.ObjectRef) contention.Object {
	group, _, ok := strings.Cut(ref.APIVersion, "/")
	if !ok {
		group = ""
	}
	api, _ := lifecycle.LookupGV(ref.APIVersion, ref.Kind)
	resource := strings.ToLower(ref.Kind) + "s"
	if !api.IsZero() {
		resource = api.Resource()
	}
	return contention.Object{Group: group, Resource: resource, Namespace: ref.Namespace, Name: ref.Name}
}

// finish names the owners of objects in the evidence of fights, and sets those of
// clients.
func (x *likely) finish(owners *objectOwners) {
	x.r.likely = map[string]string{}
	for namespace, clients := range x.clients {
		var only upgrade.Owner
		for i, m := range x.seen[namespace] {
			switch o := x.owner(owners, m); {
			case i == 0:
				only = o
			case o.Kind != only.Kind || o.Name != only.Name:
				only = upgrade.Owner{Kind: "several"}
			}
		}
		for _, name := range clients {
			if only.Kind != "several" && only.Name != "" {
				x.r.likely[name] = only.Title()
			}
		}
	}
	for _, f := range x.r.fought {
		for _, m := range x.seen[f.object.Namespace] {
			if objectOf(&m.ref) == f.object {
				o := x.owner(owners, m)
				x.r.facts[f.fact].Evidence.Text += fmt.Sprintf("; the object is in %s, of %s", m.file, o.Title())
				break
			}
		}
	}
}

// owner returns the owner of an object in a file.
func (x *likely) owner(owners *objectOwners, m manifest) upgrade.Owner {
	f := upgrade.Fact{OwnerKind: "manifest", OwnerName: directory(m.file)}
	x.r.own(&f, m.file)
	owners.settle(&f, &rules.Finding{File: m.file, Object: &m.ref}, x.r.Path)
	return upgrade.Owner{Kind: f.OwnerKind, Name: cmp.Or(f.OwnerName, m.file)}
}
