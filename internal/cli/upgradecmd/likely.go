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

// fightFact refers to a fact about a fight over object. fact is the index in run.facts.
type fightFact struct {
	fact   int
	object contention.Object
}

// likelyOwners finds the owners of objects that clients fight over, and the probable
// owners of service accounts. A service account probably belongs to the owner of the
// manifests in its namespace. It is safe for concurrent use.
type likelyOwners struct {
	r *run
	// clients has the names of the service accounts in each namespace.
	clients map[string][]string
	objects map[contention.Object]bool

	mu sync.Mutex
	// manifests has the manifests that may name an owner, by namespace.
	manifests map[string][]manifest
}

// manifest identifies an object in a file.
type manifest struct {
	file string
	ref  rules.ObjectRef
}

// maxManifests is the maximal number of manifests in memory for each namespace.
const maxManifests = 100_000

// newLikely returns likelyOwners for the clients and fights in the audit logs, which must
// have been read before.
func (r *run) newLikely() *likelyOwners {
	x := &likelyOwners{r: r, clients: map[string][]string{}, objects: map[contention.Object]bool{}, manifests: map[string][]manifest{}}
	for i := range r.facts {
		f := &r.facts[i]
		account, ok := strings.CutPrefix(f.OwnerName, "system:serviceaccount:")
		if namespace, _, _ := strings.Cut(account, ":"); ok && f.OwnerKind == "audit" && namespace != "" && !slices.Contains(x.clients[namespace], f.OwnerName) {
			x.clients[namespace] = append(x.clients[namespace], f.OwnerName)
		}
	}
	for _, f := range r.fightsToOwn {
		x.objects[f.object] = true
	}
	return x
}

// add stores an object if the owner of a client or of a fight may depend on it.
func (x *likelyOwners) add(e manifestlint.Event) {
	o := e.Object
	if o == nil || o.Dumped() || e.Input.Name == "-" {
		return
	}
	ref := *o.Ref()
	if len(x.clients[ref.Namespace]) == 0 && !x.objects[auditObject(&ref)] {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if all := x.manifests[ref.Namespace]; len(all) < maxManifests {
		x.manifests[strings.Clone(ref.Namespace)] = append(all, manifest{strings.Clone(e.Input.Name), ref})
	}
}

// auditObject converts a reference to the form of audit logs, which have resources
// instead of kinds.
func auditObject(ref *rules.ObjectRef) contention.Object {
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

// finish sets run.likely and adds the owners of objects to the evidence of fights. A
// service account gets an owner only if all manifests in its namespace have the same
// owner.
func (x *likelyOwners) finish(owners *objectOwners) {
	x.r.likely = map[string]string{}
	for namespace, clients := range x.clients {
		var only upgrade.Owner
		for i, m := range x.manifests[namespace] {
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
	for _, f := range x.r.fightsToOwn {
		for _, m := range x.manifests[f.object.Namespace] {
			if auditObject(&m.ref) == f.object {
				o := x.owner(owners, m)
				x.r.facts[f.fact].Evidence.Text += fmt.Sprintf("; the object is in %s, of %s", m.file, o.Title())
				break
			}
		}
	}
}

func (x *likelyOwners) owner(owners *objectOwners, m manifest) upgrade.Owner {
	f := upgrade.Fact{OwnerKind: "manifest", OwnerName: directoryOwner(m.file)}
	x.r.setTeam(&f, m.file)
	owners.setOwner(&f, &rules.Finding{File: m.file, Object: &m.ref}, x.r.Path)
	return upgrade.Owner{Kind: f.OwnerKind, Name: cmp.Or(f.OwnerName, m.file)}
}
