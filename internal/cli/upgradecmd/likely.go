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

// fought is a fact about a fight and its object. fact is the index in run.facts.
type fought struct {
	fact   int
	object contention.Object
}

// likely finds owners from manifests: the owners of objects that clients fight over, and
// the probable owners of service accounts. A service account probably belongs to the
// owner of the manifests in its namespace. A likely is safe for concurrent use.
type likely struct {
	r *run
	// clients has the names of the service accounts in each namespace.
	clients map[string][]string
	objects map[contention.Object]bool

	mu sync.Mutex
	// seen has the manifests that may name an owner, by namespace.
	seen map[string][]manifest
}

// manifest is an object in a file, identified by file and reference.
type manifest struct {
	file string
	ref  rules.ObjectRef
}

// maxLikely is the maximal number of manifests in memory for each namespace.
const maxLikely = 100_000

// newLikely returns a likely for the clients and fights in the audit logs. Call it after
// the audit logs were read.
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

// add stores an object if the owner of a client or of a fight may depend on it. Otherwise
// it does nothing.
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

// objectOf converts a reference to the form of audit logs, which have resources instead
// of kinds.
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

// finish sets run.likely, and adds the owners of objects to the evidence of fights. A
// service account gets an owner only if all manifests in its namespace have the same
// owner.
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

// owner returns the owner of a manifest.
func (x *likely) owner(owners *objectOwners, m manifest) upgrade.Owner {
	f := upgrade.Fact{OwnerKind: "manifest", OwnerName: directory(m.file)}
	x.r.own(&f, m.file)
	owners.settle(&f, &rules.Finding{File: m.file, Object: &m.ref}, x.r.Path)
	return upgrade.Owner{Kind: f.OwnerKind, Name: cmp.Or(f.OwnerName, m.file)}
}
