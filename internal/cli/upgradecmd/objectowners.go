package upgradecmd

import (
	"cmp"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/internal/treefile"
	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// owner is the kind and the name of an upgrade.Owner.
type owner struct{ kind, name string }

// objectOwners finds the owners of objects. It uses labels of the objects, and the
// applications of Argo CD and Flux that deploy a directory. It is safe for concurrent
// use.
type objectOwners struct {
	// labels are the values of --owner-label.
	labels []string
	// root is the directory to which the paths in applications are relative.
	root string

	mu sync.Mutex
	// chosen has the owners from the labels of --owner-label. managed has the owners from
	// the labels of deployment tools. If several copies of an object have different
	// owners, the object has no owner.
	chosen, managed map[objectKey]owner
	apps            []deployed
}

// objectKey identifies an object. file may be empty.
type objectKey struct {
	file string
	ref  rules.ObjectRef
}

// deployed is a directory and the application that deploys it.
type deployed struct {
	dir string
	by  owner
}

// maxOwned is the maximal number of objects and applications in memory.
const maxOwned = 500_000

func newObjectOwners(labels []string, dir string) *objectOwners {
	return &objectOwners{labels: labels, root: cmp.Or(treefile.Repository(dir), dir), chosen: map[objectKey]owner{}, managed: map[objectKey]owner{}}
}

// add stores the owner of an object, and the directories that the object deploys if it is
// an application.
func (x *objectOwners) add(e manifestlint.Event) {
	o := e.Object
	if o == nil {
		return
	}
	chosen, managed, apps := x.choose(o), managedBy(o), deploys(o)
	if chosen == (owner{}) && managed == (owner{}) && len(apps) == 0 {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.chosen)+len(x.managed)+len(x.apps) > maxOwned {
		return
	}
	ref := *o.Ref()
	for _, k := range []objectKey{{strings.Clone(e.Input.Name), ref}, {"", ref}} {
		keep(x.chosen, k, chosen)
		keep(x.managed, k, managed)
	}
	x.apps = append(x.apps, apps...)
}

func keep(to map[objectKey]owner, k objectKey, o owner) {
	if o == (owner{}) {
		return
	}
	if other, known := to[k]; known && other != o {
		o = owner{}
	}
	to[k] = o
}

// choose returns the owner from the labels or annotations of --owner-label. It returns
// the zero value if the object has none of them.
func (x *objectOwners) choose(o *manifestlint.Object) owner {
	meta := o.Root.Get("metadata")
	for _, label := range x.labels {
		for _, of := range []string{"labels", "annotations"} {
			if v := meta.At(of, label).StringOr(""); v != "" {
				return owner{"label", strings.Clone(v)}
			}
		}
	}
	return owner{}
}

// managedBy returns the owner from the labels and annotations of deployment tools, or the
// zero value.
func managedBy(o *manifestlint.Object) owner {
	meta := o.Root.Get("metadata")
	label := func(name string) string { return strings.Clone(meta.At("labels", name).StringOr("")) }
	note := func(name string) string { return strings.Clone(meta.At("annotations", name).StringOr("")) }
	if app, _, _ := strings.Cut(note("argocd.argoproj.io/tracking-id"), ":"); app != "" {
		return owner{"argocd", app}
	}
	if app := label("argocd.argoproj.io/instance"); app != "" {
		return owner{"argocd", app}
	}
	for _, tool := range []string{"kustomize", "helm"} {
		if name := label(tool + ".toolkit.fluxcd.io/name"); name != "" {
			return owner{"flux", join(label(tool+".toolkit.fluxcd.io/namespace"), name)}
		}
	}
	by := label("app.kubernetes.io/managed-by")
	if release := note("meta.helm.sh/release-name"); release != "" {
		return owner{"helm", join(note("meta.helm.sh/release-namespace"), release)}
	}
	if instance := label("app.kubernetes.io/instance"); by == "Helm" && instance != "" {
		return owner{"helm", join(strings.Clone(o.Namespace), instance)}
	}
	if by == "" || by == "Helm" {
		return owner{}
	}
	return owner{"manager", by}
}

// join returns "namespace/name", or the name if namespace is empty.
func join(namespace, name string) string { return strings.TrimPrefix(namespace+"/"+name, "/") }

// deploys returns the directories that an object deploys, if the object is an application
// of Argo CD or Flux.
func deploys(o *manifestlint.Object) (all []deployed) {
	group, _, _ := strings.Cut(o.APIVersion, "/")
	spec := o.Root.Get("spec")
	add := func(kind string, at *wire.Value) {
		dir := path.Clean(strings.TrimPrefix(at.StringOr(""), "/"))
		if at.StringOr("") != "" && filepath.IsLocal(filepath.FromSlash(dir)) && dir != "." && !strings.Contains(dir, "{{") {
			all = append(all, deployed{strings.Clone(dir), owner{kind, join(strings.Clone(o.Namespace), strings.Clone(o.Name))}})
		}
	}
	switch {
	case group == "argoproj.io" && o.Kind == "Application":
		add("argocd", spec.At("source", "path"))
		for _, s := range spec.Get("sources").Elements() {
			add("argocd", s.Get("path"))
		}
	case group == "kustomize.toolkit.fluxcd.io" && o.Kind == "Kustomization":
		add("flux", spec.Get("path"))
	case group == "helm.toolkit.fluxcd.io" && o.Kind == "HelmRelease":
		add("flux", spec.At("chart", "spec", "chart"))
	}
	for i := range all { // for Argo CD, the namespace says nothing about the owner
		if all[i].by.kind == "argocd" {
			all[i].by.name = strings.Clone(o.Name)
		}
	}
	return all
}

// settle sets the owner of a fact about an object. It uses the first owner that is known,
// in this order: labels of --owner-label, CODEOWNERS, applications, labels of deployment
// tools.
func (x *objectOwners) settle(f *upgrade.Fact, found *rules.Finding, path func(string) string) {
	if found.Object != nil {
		if o := x.chosen[objectKey{found.File, *found.Object}]; o != (owner{}) {
			f.OwnerKind, f.OwnerName = o.kind, o.name
			return
		}
		if o := x.chosen[objectKey{"", *found.Object}]; o != (owner{}) && len(found.RenderedBy) > 0 {
			f.OwnerKind, f.OwnerName = o.kind, o.name
			return
		}
	}
	if f.OwnerKind != "manifest" && f.OwnerKind != "namespace" {
		return
	}
	if f.OwnerKind == "manifest" {
		for _, name := range append([]string{found.File}, found.RenderedBy...) {
			if o := x.deploys(path(name)); o != (owner{}) {
				f.OwnerKind, f.OwnerName = o.kind, o.name
				return
			}
		}
	}
	if found.Object == nil {
		return
	}
	for _, k := range []objectKey{{found.File, *found.Object}, {"", *found.Object}} {
		if o := x.managed[k]; o != (owner{}) && (k.file != "" || len(found.RenderedBy) > 0) {
			f.OwnerKind, f.OwnerName = o.kind, o.name
			return
		}
	}
}

// deploys returns the application that deploys a file. If several deploy a parent
// directory of the file, it returns the application of the innermost directory.
func (x *objectOwners) deploys(file string) (by owner) {
	if !filepath.IsAbs(file) {
		return owner{}
	}
	rel, err := filepath.Rel(x.root, file)
	if err != nil {
		return owner{}
	}
	rel = filepath.ToSlash(rel)
	longest := 0
	for _, a := range x.apps {
		if len(a.dir) > longest && strings.HasPrefix(rel, a.dir+"/") {
			longest, by = len(a.dir), a.by
		}
	}
	return by
}
